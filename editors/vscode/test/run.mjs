// mcp-analyzer in a real VS Code: its server and web workbench, driven through Chromium.
//
//   MCP_ANALYZER_TEST_VSCODE=DIR MCP_ANALYZER_SERVER=/path/to/mcp-analyzer node editors/vscode/test/run.mjs
//
// DIR is what .ci/install-editors made. Screenshots go to $SHOTS, else to a temporary directory
// that is kept after a failure. Ends with "N passed, N failed".

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

const vscode = process.env.MCP_ANALYZER_TEST_VSCODE;
if (!vscode || !process.env.MCP_ANALYZER_SERVER) {
  throw new Error("set MCP_ANALYZER_TEST_VSCODE (see .ci/install-editors) and MCP_ANALYZER_SERVER");
}
const extension = path.join(vscode, "extension");
const serverMain = path.join(vscode, "node_modules/code-server/lib/vscode/out/server-main.js");
const { chromium } = createRequire(path.join(extension, "package.json"))("playwright-core");

const TIMEOUT = 90_000; // a loaded machine needs half a minute for the workbench alone
const MENU_TIMEOUT = 5_000; // then the menu is asked for again

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "mcp-analyzer-vscode-"));
const screenshots = process.env.SHOTS ?? path.join(scratch, "screenshots");
const folder = path.join(scratch, "workspace");
const data = path.join(scratch, "data");
fs.mkdirSync(screenshots, { recursive: true });
fs.mkdirSync(folder);
fs.mkdirSync(path.join(data, "User"), { recursive: true });

const settings = {
  "security.workspace.trust.enabled": false,
  "workbench.startupEditor": "none",
  "files.autoSave": "off", // on by default in a browser
  "telemetry.telemetryLevel": "off",
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
};
fs.writeFileSync(path.join(data, "User/settings.json"), JSON.stringify(settings));

const file = path.join(folder, "tools.json");
const original = fs.readFileSync(new URL("../../../fixtures/editor/tools.json", import.meta.url), "utf8");
const fixed = original.replace(', "days"', "");
fs.writeFileSync(file, original);

/**
 * Where the finding is, as VS Code writes it: from 1, in UTF-16 code units like JavaScript's own.
 * Its line holds letters that are longer in UTF-8 and that take two units in UTF-16.
 */
function expectedPlace() {
  const before = original.slice(0, original.indexOf('"days"')).split("\n");
  return `[Ln ${before.length}, Col ${before.at(-1).length + 1}]`;
}

const common = [
  "--accept-server-license-terms",
  "--server-data-dir",
  data,
  "--extensions-dir",
  path.join(data, "extensions"),
];

/** Starts VS Code's server on a free port; resolves to the process and that port. */
async function startVsCode() {
  const options = ["--host", "127.0.0.1", "--port", "0", "--without-connection-token", "--user-data-dir", data];
  const server = spawn(process.execPath, [serverMain, ...common, ...options], { stdio: ["ignore", "pipe", "ignore"] });
  for await (const line of createInterface({ input: server.stdout })) {
    const port = /listening on (\d+)/.exec(line)?.[1];
    if (port) {
      server.stdout.resume();
      return { server, port };
    }
  }
  throw new Error("VS Code's server ended before it listened");
}

let passed = 0;
let failed = 0;
/** @type {import("playwright-core").Page} */
let page;

/** Runs one step of the session and reports it; a failure ends the session. */
async function check(name, step) {
  const started = Date.now();
  try {
    await step();
  } catch (error) {
    failed += 1;
    console.log(`FAIL ${name}\n     ${String(error.message).slice(0, 1500)}`);
    await screenshot("failure");
    throw error;
  }
  passed += 1;
  console.log(`ok   ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
}

const screenshot = (name) => page.screenshot({ path: path.join(screenshots, `${name}.png`) });

/** The middle of a text in the editor, which has no element of its own. */
function centre(text) {
  return page
    .locator(".monaco-editor .view-line", { hasText: text })
    .first()
    .evaluate((line, text) => {
      const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const start = node.data.indexOf(text);
        if (start < 0) continue;
        const range = document.createRange();
        range.setStart(node, start);
        range.setEnd(node, start + text.length);
        const box = range.getBoundingClientRect();
        return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      }
      throw new Error(`${text} is not in one piece`);
    }, text);
}

async function session(address) {
  const squiggle = page.locator(".monaco-editor .cdr.squiggly-error");
  const problem = page.locator(".markers-panel .monaco-list-row", { hasText: "undefined-required" }).first();

  await check("the workbench opens the folder", async () => {
    await page.goto(`${address}/?folder=${encodeURIComponent(folder)}`, { waitUntil: "domcontentloaded" });
    await page.locator(".explorer-folders-view .monaco-list-row", { hasText: "tools.json" }).dblclick();
    await page.locator(".monaco-editor .view-line").first().waitFor();
  });

  await check("the finding is underlined", () => squiggle.first().waitFor({ state: "attached" }));

  await check("the Problems panel lists it at its place", async () => {
    await page.keyboard.press("Control+Shift+M");
    await problem.waitFor();
    const text = (await problem.innerText()).replace(/\s+/g, " ");
    for (const part of ["`days`", "mcp-analyzer", expectedPlace()]) {
      if (!text.includes(part)) throw new Error(`no ${part} in: ${text}`);
    }
    await screenshot("1-finding");
  });

  await check("the hover on the tool's name tells tokens", async () => {
    const name = await centre("get_forecast");
    await page.mouse.move(name.x - 30, name.y);
    await page.mouse.move(name.x, name.y, { steps: 5 });
    const hover = page.locator(".monaco-hover:not(.hidden)", { hasText: "tokens" }).first();
    await hover.waitFor();
    await screenshot("2-hover");
    await page.mouse.move(name.x, name.y + 250);
    await page.keyboard.press("Escape");
    await hover.waitFor({ state: "hidden" });
  });

  await check("Ctrl+. offers the quick fix", async () => {
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
    await screenshot("3-quick-fix");
    await page.keyboard.press("Enter");
  });

  await check("the finding is gone", async () => {
    await squiggle.first().waitFor({ state: "detached" });
    await problem.waitFor({ state: "detached" });
  });

  await check("the saved file holds the fix and is otherwise unchanged", async () => {
    const unsaved = page.locator(".tab.dirty");
    await unsaved.waitFor();
    await page.keyboard.press("Control+s");
    await unsaved.waitFor({ state: "detached" });
    const lines = fixed.split("\n");
    const saved = fs.readFileSync(file, "utf8");
    const wrong = saved.split("\n").filter((line, index) => line !== lines[index]);
    if (saved !== fixed) throw new Error(`on disk:\n${wrong.join("\n")}`);
    await screenshot("4-fixed");
  });

  await check("a setting hides the finding without a restart", async () => {
    fs.writeFileSync(file, original);
    await squiggle.first().waitFor({ state: "attached" });
    fs.mkdirSync(path.join(folder, ".vscode"));
    const ignore = [{ rule: "undefined-required", tool: "get_forecast" }];
    fs.writeFileSync(path.join(folder, ".vscode/settings.json"), JSON.stringify({ "mcpAnalyzer.ignore": ignore }));
    await squiggle.first().waitFor({ state: "detached" });
  });
}

const vsix = path.join(extension, "mcp-analyzer.vsix");
execFileSync(process.execPath, [serverMain, ...common, "--install-extension", vsix], { stdio: "pipe" });
const { server, port } = await startVsCode();
const browser = await chromium.launch({
  executablePath: process.env.MCP_ANALYZER_TEST_CHROMIUM ?? "/usr/bin/chromium",
  // No sandbox: CI runs as root. A container has little shared memory.
  args: [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
  ],
});
try {
  page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  page.setDefaultTimeout(TIMEOUT);
  await session(`http://127.0.0.1:${port}`);
} catch {
  console.log(`screenshots: ${screenshots}`); // the failure itself is told by `check`
} finally {
  await browser.close();
  server.kill();
  await once(server, "exit");
}
if (failed === 0) fs.rmSync(scratch, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
