// A tool list in VS Code: the finding, its place, the hover, what tools cost, the list as a provider receives it, the
// fix, the saved file, a setting.

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
    await page.locator(".monaco-editor .codelens-decoration", { hasText: "tokens" }).first().waitFor();
    await workbench.hover("get_forecast", "tokens", () => workbench.screenshot("2-hover"));
  });

  await workbench.check("what each tool costs stands behind its name", async () => {
    const line = page.locator(".monaco-editor .view-line", { hasText: /"name":\s"get_forecast"\s*≈?\d+\stokens,/ });
    await line.waitFor();
    await line.locator("span", { hasText: /^\s*≈?\d+\stokens$/ }).last().hover();
    const tooltip = page.locator(".monaco-hover:not(.hidden)", { hasText: "tokens on every turn" });
    await tooltip.locator(":text('OpenAI: ')").first().waitFor();
    await workbench.screenshot("3-hint");
    await page.mouse.move(700, 500);
    await page.keyboard.press("Escape");
    await tooltip.waitFor({ state: "hidden" });
  });

  await workbench.check("the line above the list counts it and opens what a provider receives", async () => {
    const row = page.locator(".monaco-editor .codelens-decoration", { hasText: /3 tools · ≈?\d+ tokens.*largest: / });
    for (const label of ["Anthropic", "OpenAI", "Gemini"]) await row.locator("a", { hasText: `View as ${label}` }).waitFor();
    await row.locator("a", { hasText: "View as Anthropic" }).click();
    await page.locator(".tab.active", { hasText: "tools.anthropic.json" }).waitFor();
    await page.locator(".monaco-editor .view-line", { hasText: "input_schema" }).first().waitFor();
    const said = page.locator(".notification-toast", { hasText: "things are not sent to Anthropic, such as" });
    await said.waitFor();
    await workbench.screenshot("4-view");
    await workbench.closeTab();
  });

  await workbench.check("a command copies what a provider receives", async () => {
    await page.locator(".tab.active", { hasText: "tools.json" }).waitFor();
    await workbench.run("Copy tools as");
    await workbench.pick("Anthropic");
    await page.locator(".statusbar-item", { hasText: "copied the tools as Anthropic receives them" }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    const views = path.join(workbench.place("cache"), "mcp-analyzer/views");
    const view = fs.readFileSync(path.join(views, fs.readdirSync(views)[0], "tools.anthropic.json"), "utf8");
    if (copied !== view || JSON.parse(view)[0].name !== "get_forecast") throw new Error(copied);
  });

  await workbench.check("and one opens it", async () => {
    await workbench.run("View tools as");
    await workbench.pick("Gemini");
    await page.locator(".tab.active", { hasText: "tools.gemini.json" }).waitFor();
    await page.locator(".monaco-editor .view-line", { hasText: "functionDeclarations" }).first().waitFor();
    await workbench.closeTab();
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
    await workbench.screenshot("5-quick-fix");
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
    await workbench.screenshot("6-fixed");
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
