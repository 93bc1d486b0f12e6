// The VS Code side of mcp-analyzer: finds the program, starts `mcp-analyzer lsp` and hands it the
// settings. Whatever is known about MCP is known by the server.
"use strict";

const { execFile } = require("node:child_process");
const { promisify } = require("node:util");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const SECTION = "mcpAnalyzer";

/** @type {vscode.OutputChannel} */
let output;
/** @type {import("vscode-languageclient/node").LanguageClient | undefined} */
let client;
/** Starts and stops run one after the other. */
let queue = Promise.resolve();

/** @param {vscode.ExtensionContext} context */
exports.activate = function (context) {
  output = vscode.window.createOutputChannel("mcp-analyzer");
  const restart = () => (queue = queue.then(stop).then(() => start(context.extensionPath)));
  context.subscriptions.push(
    output,
    vscode.commands.registerCommand("mcpAnalyzer.restartServer", restart),
    vscode.commands.registerCommand("mcpAnalyzer.probeFile", probeFile),
    vscode.commands.registerCommand("mcpAnalyzer.viewTools", viewTools),
    vscode.commands.registerCommand("mcpAnalyzer.copyTools", copyTools),
    // The server is told of trust when it starts; until it is told, it starts and contacts nothing.
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`${SECTION}.server`)) restart();
    }),
  );
  return restart();
};

exports.deactivate = () => queue.then(stop);

/**
 * @param {string} directory where the server is started: with the workspace as working directory,
 *   Windows would prefer a `mcp-analyzer.exe` that lies in there to the one on PATH
 */
async function start(directory) {
  const command = serverPath();
  try {
    // Says which server runs, and fails before the client would with less helpful words.
    const { stdout } = await promisify(execFile)(command, ["--version"], { cwd: directory, timeout: 20_000 });
    output.appendLine(`${command}: ${stdout.trim()}`);
  } catch (error) {
    output.appendLine(String(error));
    reportMissingServer(command);
    return;
  }
  client = new LanguageClient(
    SECTION,
    "mcp-analyzer",
    { command, args: ["lsp"], options: { cwd: directory } },
    {
      documentSelector: ["file", "untitled"].flatMap((scheme) =>
        ["json", "jsonc"].map((language) => ({ scheme, language })),
      ),
      outputChannel: output,
      // VS Code's own JSON extension reports plain syntax errors: nobody wants them twice.
      initializationOptions: {
        ...serverSettings(),
        editorReportsJsonSyntax: true,
        workspaceTrusted: vscode.workspace.isTrusted,
      },
      synchronize: { configurationSection: SECTION },
      middleware: {
        workspace: {
          didChangeConfiguration: () =>
            client?.sendNotification("workspace/didChangeConfiguration", {
              settings: { [SECTION]: serverSettings() },
            }) ?? Promise.resolve(),
          configuration: async (parameters, token, next) => {
            const values = await next(parameters, token);
            if (!Array.isArray(values)) return values;
            return parameters.items.map((item, index) =>
              item.section === SECTION ? serverSettings(item.scopeUri) : values[index],
            );
          },
        },
      },
    },
  );
  // A failure from here on is shown by the client itself.
  await client.start().catch((error) => output.appendLine(String(error)));
}

async function stop() {
  const stopping = client;
  client = undefined;
  // A server that has crashed cannot be asked to stop; its client is done all the same.
  await stopping?.dispose().catch((error) => output.appendLine(String(error)));
}

/** Asks the servers of the config file in the active editor; which of them may be is the server's business. */
async function probeFile() {
  const uri = activeUri();
  if (uri) await run("probeAll", uri);
}

/** Opens the tools of the active editor as the API of a provider receives them. */
async function viewTools() {
  const uri = activeUri();
  const provider = uri && (await pickProvider("View the tools as the API receives them"));
  if (provider) await run("view", { uri, provider: provider.id });
}

/** The same, to the clipboard. */
async function copyTools() {
  const uri = activeUri();
  const provider = uri && (await pickProvider("Copy the tools as the API receives them"));
  const answer = provider && (await run("viewText", { uri, provider: provider.id }));
  if (!answer) return;
  await vscode.env.clipboard.writeText(answer.text);
  vscode.window.setStatusBarMessage(`mcp-analyzer: copied the tools as ${provider.label} receives them`, 5_000);
}

/** The document of the active editor, as the server knows it. */
function activeUri() {
  const document = vscode.window.activeTextEditor?.document;
  return client && document && client.code2ProtocolConverter.asUri(document.uri);
}

/** @param {string} placeHolder */
function pickProvider(placeHolder) {
  const providers = [
    { label: "Anthropic", id: "anthropic" },
    { label: "OpenAI", id: "openai" },
    { label: "Gemini", id: "gemini" },
  ];
  return vscode.window.showQuickPick(providers, { placeHolder });
}

/**
 * Runs a command of the server: what it answers; why not is shown.
 * @param {string} name
 * @param {unknown} argument
 */
async function run(name, argument) {
  try {
    return await client?.sendRequest("workspace/executeCommand", {
      command: `mcp-analyzer.${name}`,
      arguments: [argument],
    });
  } catch (error) {
    vscode.window.showWarningMessage(`mcp-analyzer: ${error.message}`);
  }
}

/** The setting (user or machine, never the workspace), the tests' variable, or the one on PATH. */
function serverPath() {
  const setting = vscode.workspace.getConfiguration(SECTION).get("server.path");
  return setting || process.env.MCP_ANALYZER_SERVER || "mcp-analyzer";
}

/**
 * The settings that the server knows: all but those of this extension.
 * @param {string} [uri] the document or folder they are asked for
 */
function serverSettings(uri) {
  const scope = uri ? vscode.Uri.parse(uri) : undefined;
  const { server, trace, ...settings } = vscode.workspace.getConfiguration(undefined, scope).get(SECTION);
  return settings;
}

/** @param {string} command */
async function reportMissingServer(command) {
  const openSettings = "Open Settings";
  const showLog = "Show Log";
  const choice = await vscode.window.showErrorMessage(
    `mcp-analyzer: "${command}" could not be started. Install it so that it is on PATH, ` +
      `or set "${SECTION}.server.path" to where it is.`,
    openSettings,
    showLog,
  );
  if (choice === openSettings) {
    vscode.commands.executeCommand("workbench.action.openSettings", `${SECTION}.server.path`);
  } else if (choice === showLog) {
    output.show();
  }
}
