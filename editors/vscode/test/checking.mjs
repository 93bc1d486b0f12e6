// A tool list in VS Code: the finding, its place, the hover, the fix, the saved file, a setting.

import fs from "node:fs";
import path from "node:path";

const MENU_TIMEOUT = 5_000; // then the menu is asked for again

const original = fs.readFileSync(new URL("../../../fixtures/editor/tools.json", import.meta.url), "utf8");
const fixed = original.replace(', "days"', "");

/**
 * Where the finding is, as VS Code writes it: from 1, in UTF-16 code units like JavaScript's own.
 * Its line holds letters that are longer in UTF-8 and that take two units in UTF-16.
 */
function expectedPlace() {
  const before = original.slice(0, original.indexOf('"days"')).split("\n");
  return `[Ln ${before.length}, Col ${before.at(-1).length + 1}]`;
}

/** @param {import("./workbench.mjs").Workbench} workbench */
export async function checking(workbench) {
  const { page } = workbench;
  const folder = workbench.place("workspace");
  const file = path.join(folder, "tools.json");
  fs.mkdirSync(folder);
  fs.writeFileSync(file, original);
  const squiggle = page.locator(".monaco-editor .cdr.squiggly-error");
  const problem = page.locator(".markers-panel .monaco-list-row", { hasText: "undefined-required" }).first();

  await workbench.check("the workbench opens the folder", async () => {
    await (await workbench.open(folder, "tools.json")).dblclick();
    await page.locator(".monaco-editor .view-line").first().waitFor();
  });

  await workbench.check("the finding is underlined", () => squiggle.first().waitFor({ state: "attached" }));

  await workbench.check("the Problems panel lists it at its place", async () => {
    await page.keyboard.press("Control+Shift+M");
    await problem.waitFor();
    const text = (await problem.innerText()).replace(/\s+/g, " ");
    for (const part of ["`days`", "mcp-analyzer", expectedPlace()]) {
      if (!text.includes(part)) throw new Error(`no ${part} in: ${text}`);
    }
    await workbench.screenshot("1-finding");
  });

  await workbench.check("the hover on the tool's name tells tokens", async () => {
    await workbench.hover("get_forecast", "tokens", () => workbench.screenshot("2-hover"));
  });

  await workbench.check("Ctrl+. offers the quick fix", async () => {
    // The preferred action comes first and has the focus.
    const fix = page.locator(".action-widget .monaco-list-row.focused", { hasText: /^\s*remove `days`/ });
    // Nothing comes up while the editor itself is still asking for the actions: ask again.
    for (let attempt = 1; ; attempt += 1) {
      await problem.dblclick();
      await page.locator(".editor-instance .monaco-editor.focused").waitFor();
      await page.keyboard.press("Control+.");
      const shown = await fix.waitFor({ timeout: MENU_TIMEOUT }).then(
        () => true,
        () => false,
      );
      if (shown) break;
      if (attempt === 6) throw new Error("the menu does not show it");
      await page.keyboard.press("Escape");
    }
    await workbench.screenshot("3-quick-fix");
    await page.keyboard.press("Enter");
  });

  await workbench.check("the finding is gone", async () => {
    await squiggle.first().waitFor({ state: "detached" });
    await problem.waitFor({ state: "detached" });
  });

  await workbench.check("the saved file holds the fix and is otherwise unchanged", async () => {
    await workbench.save();
    const lines = fixed.split("\n");
    const saved = fs.readFileSync(file, "utf8");
    const wrong = saved.split("\n").filter((line, index) => line !== lines[index]);
    if (saved !== fixed) throw new Error(`on disk:\n${wrong.join("\n")}`);
    await workbench.screenshot("4-fixed");
  });

  await workbench.check("a setting hides the finding without a restart", async () => {
    fs.writeFileSync(file, original);
    await squiggle.first().waitFor({ state: "attached" });
    fs.mkdirSync(path.join(folder, ".vscode"));
    const ignore = [{ rule: "undefined-required", tool: "get_forecast" }];
    fs.writeFileSync(path.join(folder, ".vscode/settings.json"), JSON.stringify({ "mcpAnalyzer.ignore": ignore }));
    await squiggle.first().waitFor({ state: "detached" });
  });
}
