// A real VS Code: its server and web workbench, driven through Chromium. And checks, which are counted.

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

const HOVER_TIMEOUT = 5_000; // then the mouse is moved again
const TIMEOUT = 90_000; // a loaded machine needs half a minute for the workbench alone

const SETTINGS = {
  "security.workspace.trust.enabled": false,
  "workbench.startupEditor": "none",
  "files.autoSave": "off", // on by default in a browser
  "telemetry.telemetryLevel": "off",
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
};

/** Removes a directory, patiently: processes that outlive their parent by a moment may still write there. */
export function remove(directory) {
  fs.rmSync(directory, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 });
}

export class Workbench {
  passed = 0;
  failed = 0;
  /** @type {import("playwright-core").Page} */
  page;
  scratch = fs.mkdtempSync(path.join(os.tmpdir(), "mcp-analyzer-vscode-"));
  #data = path.join(this.scratch, "data");
  #screenshots = process.env.SHOTS ?? path.join(this.scratch, "screenshots");
  #options = [
    "--accept-server-license-terms",
    "--server-data-dir",
    this.#data,
    "--extensions-dir",
    path.join(this.#data, "extensions"),
  ];
  #server;
  #port;
  #browser;

  /** Starts VS Code with the extension, on a free port, and the browser. */
  async start() {
    fs.mkdirSync(this.#screenshots, { recursive: true });
    fs.mkdirSync(path.join(this.#data, "User"), { recursive: true });
    this.set({});
    const vsix = path.join(extension, "mcp-analyzer.vsix");
    execFileSync(process.execPath, [serverMain, ...this.#options, "--install-extension", vsix], { stdio: "pipe" });

    const options = ["--host", "127.0.0.1", "--port", "0", "--without-connection-token", "--user-data-dir", this.#data];
    // What a user has set, decided and asked is not this user's.
    const places = ["CONFIG", "STATE", "CACHE"].map((place) => [`XDG_${place}_HOME`, this.place(place.toLowerCase())]);
    this.#server = spawn(process.execPath, [serverMain, ...this.#options, ...options], {
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, ...Object.fromEntries(places) },
    });
    for await (const line of createInterface({ input: this.#server.stdout })) {
      this.#port = /listening on (\d+)/.exec(line)?.[1];
      if (this.#port) break;
    }
    if (!this.#port) throw new Error("VS Code's server ended before it listened");
    this.#server.stdout.resume();

    this.#browser = await chromium.launch({
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
    this.page = await this.#browser.newPage({ viewport: { width: 1400, height: 900 } });
    this.page.setDefaultTimeout(TIMEOUT);
    await this.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  }

  async end() {
    await this.#browser?.close();
    if (this.#server?.exitCode === null) {
      this.#server.kill();
      await once(this.#server, "exit");
    }
    if (this.failed === 0) remove(this.scratch);
    else console.log(`screenshots: ${this.#screenshots}`);
    console.log(`${this.passed} passed, ${this.failed} failed`);
  }

  /** A directory of this VS Code's user. */
  place(name) {
    return path.join(this.scratch, name);
  }

  /** The user's settings beside those that every test has. */
  set(settings) {
    fs.writeFileSync(path.join(this.#data, "User/settings.json"), JSON.stringify({ ...SETTINGS, ...settings }));
  }

  /** Opens a folder; resolves when its explorer shows a file. */
  async open(folder, name) {
    const address = `http://127.0.0.1:${this.#port}/?folder=${encodeURIComponent(folder)}`;
    await this.page.goto(address, { waitUntil: "domcontentloaded" });
    await this.row(name).waitFor();
    return this.row(name);
  }

  /** A file or folder in the explorer. */
  row(name) {
    return this.page.locator(".explorer-folders-view .monaco-list-row", { hasText: name });
  }

  /** Runs one step of the session and reports it; a failure ends the session. */
  async check(name, step) {
    const started = Date.now();
    try {
      await step();
    } catch (error) {
      this.failed += 1;
      console.log(`FAIL ${name}\n     ${String(error.message).slice(0, 1500)}`);
      await this.screenshot("failure");
      throw error;
    }
    this.passed += 1;
    console.log(`ok   ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  }

  screenshot(name) {
    return this.page.screenshot({ path: path.join(this.#screenshots, `${name}.png`) });
  }

  /** The middle of a text in the editor, which has no element of its own. */
  centre(text) {
    return this.page
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

  /** Rests the mouse on a text in the editor, looks at the hover that holds some words, and leaves again. */
  async hover(text, words, look) {
    const hover = this.page.locator(".monaco-hover:not(.hidden)", { hasText: words }).first();
    let place;
    // A line that comes above the text moves it away from under the mouse.
    for (const deadline = Date.now() + TIMEOUT; ; ) {
      place = await this.centre(text);
      await this.page.mouse.move(place.x - 30, place.y);
      await this.page.mouse.move(place.x, place.y, { steps: 5 });
      try {
        await hover.waitFor({ timeout: HOVER_TIMEOUT });
        break;
      } catch (error) {
        if (Date.now() > deadline) throw error;
      }
    }
    await look(hover);
    await this.page.mouse.move(place.x, place.y + 250);
    await this.page.keyboard.press("Escape");
    await hover.waitFor({ state: "hidden" });
  }

  /** Runs a command of the palette. */
  async run(command) {
    await this.page.keyboard.press("F1");
    await this.pick(command);
  }

  /** Chooses what a list at the top offers. */
  async pick(words) {
    const list = this.page.locator(".quick-input-widget:visible");
    await list.waitFor();
    await this.page.keyboard.type(words);
    await list.locator(".monaco-list-row.focused", { hasText: words }).waitFor();
    await this.page.keyboard.press("Enter");
  }

  closeTab() {
    return this.page.locator(".tab.active .codicon-close").click();
  }

  /** Saves by hand what is not saved. */
  async save() {
    const unsaved = this.page.locator(".tab.dirty");
    await unsaved.waitFor();
    await this.page.keyboard.press("Control+s");
    await unsaved.waitFor({ state: "detached" });
  }
}
