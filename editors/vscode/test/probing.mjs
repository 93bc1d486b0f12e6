// A config file in VS Code: nothing starts by itself, a save asks, what the servers say stands above their names; in a
// workspace that is not trusted nothing starts at all.

import fs from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";

import { remove } from "./workbench.mjs";

const config = fs.readFileSync(new URL("../../../fixtures/editor/servers.json", import.meta.url), "utf8");

/**
 * @param {import("./workbench.mjs").Workbench} workbench
 * @param {string} servers the directory of the programs that start the real servers
 */
export async function probing(workbench, servers) {
  const { page } = workbench;
  const folder = workbench.place("project");
  const canary = path.join(folder, "canary"); // the server that cannot start says that it was started
  const file = path.join(folder, ".vscode/mcp.json");
  const text = config.replace("mcpServers", "servers").replaceAll("SERVERS", servers).replaceAll("FOLDER", folder);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);

  const lenses = (words) => page.locator(".monaco-editor .codelens-decoration", { hasText: words });
  const problem = (rule) => page.locator(".markers-panel .monaco-list-row", { hasText: rule });
  const unsaved = page.locator(".tab.dirty");
  const question = page.locator(".notification-toast", { hasText: "mcp-analyzer: start" });
  const edit = async () => {
    await page.locator(".editor-instance .monaco-editor.focused").waitFor();
    await page.keyboard.press("Control+Home"); // where all servers are seen, else their lenses are not drawn
    await page.keyboard.type(" ");
  };
  const nothingStarted = () => {
    if (fs.existsSync(canary)) throw new Error("a server was started");
  };
  const started = async () => {
    for (const deadline = Date.now() + 20_000; !fs.existsSync(canary); await setTimeout(50)) {
      if (Date.now() > deadline) throw new Error("no server was started");
    }
  };
  const count = async (locator, expected) => {
    await locator.nth(expected - 1).waitFor();
    const found = await locator.count();
    if (found !== expected) throw new Error(`${found}, not ${expected}: ${await locator.allInnerTexts()}`);
  };

  workbench.set({ "files.autoSave": "onFocusChange" });

  await workbench.check("a config file opens, with a line above each server", async () => {
    await (await workbench.open(folder, ".vscode")).click();
    await workbench.row("mcp.json").dblclick();
    await count(lenses("Probe"), 5);
    await workbench.screenshot("7-config");
  });

  await workbench.check("an automatic save asks nothing", async () => {
    await edit();
    await unsaved.waitFor();
    await page.keyboard.press("Control+Shift+M");
    await unsaved.waitFor({ state: "detached" });
    await workbench.hover('"memory"', "server memory", async (hover) => {
      const said = await hover.innerText();
      if (said.includes("not trusted")) throw new Error(said);
    });
    if (await question.count()) throw new Error("it asks");
    nothingStarted();
  });

  await workbench.check("a save asks one question", async () => {
    await page.keyboard.press("Control+1");
    await edit();
    await workbench.save();
    await count(question, 1);
    for (const word of ["everything", "filesystem", "memory", "time", "NOTES_TOKEN", "Start once", "Always", "Never"]) {
      if (!(await question.innerText()).includes(word)) throw new Error(`no ${word} in: ${await question.innerText()}`);
    }
    await count(problem("untrusted-server"), 5);
    nothingStarted();
    await workbench.screenshot("8-question");
  });

  await workbench.check("once it is answered, the tools of four servers are counted", async () => {
    await question.locator(".monaco-button", { hasText: "Always" }).click();
    await count(lenses(/Probe · \d+ tools?/), 4);
    await workbench.screenshot("9-counts");
  });

  await workbench.check("the fifth has failed, and the problem says why", async () => {
    await lenses("failed").waitFor();
    await problem("server-failed").waitFor();
    await problem("untrusted-server").waitFor({ state: "detached" });
    const said = await problem("server-failed").innerText();
    if (!said.includes("NOTES_TOKEN")) throw new Error(said);
    if (!fs.existsSync(canary)) throw new Error("it was not started");
    await workbench.screenshot("10-failed");
  });

  await workbench.check("the hover on a server's name tells what is known", () =>
    workbench.hover('"memory"', " tools", () => workbench.screenshot("11-server")),
  );

  await workbench.check("the line above a server asks it again, and the command asks all", async () => {
    fs.rmSync(canary);
    await page.locator(".monaco-editor .codelens-decoration a", { hasText: "failed" }).click();
    await started();
    fs.rmSync(canary);
    await workbench.run("Probe the servers of this file");
    await started();
    await count(lenses(/Probe · \d+ tools?/), 4);
  });

  await workbench.check("the definition of a server is the saved list", async () => {
    const name = await workbench.centre('"time"');
    await page.mouse.click(name.x, name.y);
    await page.keyboard.press("F12");
    await page.locator(".monaco-editor .view-line", { hasText: "mcp-time" }).first().waitFor();
    await workbench.screenshot("12-list");
    await workbench.closeTab();
  });

  // What is trusted and not known would start at a save, if the workspace were trusted.
  remove(workbench.place("cache"));
  fs.rmSync(canary);
  workbench.set({ "security.workspace.trust.enabled": true, "security.workspace.trust.startupPrompt": "never" });

  await workbench.check("in Restricted Mode a save starts nothing", async () => {
    await workbench.open(folder, ".vscode");
    await page.locator(".statusbar-item", { hasText: "Restricted Mode" }).waitFor();
    await workbench.row("mcp.json").dblclick();
    await lenses("restricted mode").first().waitFor();
    await edit();
    await workbench.save();
    await count(lenses("not started: restricted mode"), 5);
    nothingStarted();
    await workbench.screenshot("13-restricted");
  });

  await workbench.check("once the workspace is trusted a save starts what the user trusts", async () => {
    await workbench.run("Workspaces: Manage Workspace Trust");
    await page.locator(".workspace-trust-editor .monaco-button", { hasText: /^Trust$/ }).click();
    await page.locator(".statusbar-item", { hasText: "Restricted Mode" }).waitFor({ state: "detached" });
    await workbench.closeTab();
    // What is not seen is not drawn anew.
    await lenses("restricted mode").filter({ visible: true }).first().waitFor({ state: "detached" });
    nothingStarted();
    await edit();
    await workbench.save();
    await started();
    await count(lenses(/Probe · \d+ tools?/), 4);
    await workbench.screenshot("14-trusted");
  });
}
