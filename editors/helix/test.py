"""mcp-analyzer in a real Helix, in a terminal of tmux, with the configuration file that users copy:

    python3 editors/helix/test.py PATH_OF_HX PATH_OF_MCP_ANALYZER

Where MCP_ANALYZER_TEST_SERVERS names real servers (see .ci/install-servers), it has them probed as well.
Waits for what the screen shows, never for time to pass. Ends with "N passed, N failed"; exits with 1 at the first
failure, and shows the screen and Helix's log then.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PATIENCE = 60  # seconds; nothing takes more than one on a quiet machine
COLUMNS, LINES = 170, 45

TMUX = shutil.which("tmux")

HERE = Path(__file__).resolve().parent
ORIGINAL = (HERE / "../../fixtures/editor/tools.json").read_text(encoding="utf-8")
FIXED = ORIGINAL.replace(', "days"', "")
assert FIXED != ORIGINAL, "the fixture must name `days`"

# Two mistakes, both mended safely; neither keeps the other from being found.
CONFIG = """{
  "servers": {
    "weather": { "command": "weather-mcp" },
  }
}
"""
FIXED_CONFIG = CONFIG.replace('"servers"', '"mcpServers"').replace("},\n  }", "}\n  }")

# Four servers and one that cannot start, but says that it was.
SERVERS = os.environ.get("MCP_ANALYZER_TEST_SERVERS")
SERVER_CONFIG = (HERE / "../../fixtures/editor/servers.json").read_text(encoding="utf-8")


class Failure(Exception):
    pass


class Helix:
    """Helix in a terminal of its own, with a configuration and a home of its own."""

    def __init__(self, hx, server, scratch):
        self.log = scratch / "helix.log"
        self.workspace = scratch / "workspace"
        self.status = scratch / "status"
        self.socket = scratch / "tmux"
        self.passed = 0
        config = scratch / "config/helix"
        config.mkdir(parents=True)
        shutil.copy(HERE / "languages.toml", config)
        self.workspace.mkdir()
        (self.workspace / "tools.json").write_text(ORIGINAL, encoding="utf-8")
        (self.workspace / ".mcp.json").write_text(CONFIG, encoding="utf-8")
        # Nothing else is on PATH: the other JSON server of the configuration file is not installed.
        programs = scratch / "bin"
        programs.mkdir()
        (programs / "mcp-analyzer").symlink_to(server)
        # What the real servers run in.
        for program in filter(shutil.which, ["node", "env"] if SERVERS else []):
            (programs / program).symlink_to(shutil.which(program))
        self.environment = os.environ | {
            "PATH": str(programs),
            "SHELL": "/bin/sh",
            "HOME": str(scratch),
            "XDG_CONFIG_HOME": str(scratch / "config"),
            "XDG_CACHE_HOME": str(scratch / "cache"),
            "XDG_STATE_HOME": str(scratch / "state"),
            "HX": hx,
            "LOG": str(self.log),
            "STATUS": str(self.status),
        }
        self.environment.pop("TMUX", None)
        command = '"$HX" --log "$LOG" -v tools.json; echo $? >"$STATUS"'
        size = ["-x", str(COLUMNS), "-y", str(LINES)]
        self.tmux("new-session", "-d", *size, "-c", str(self.workspace), command)

    def tmux(self, *arguments):
        # UTF-8 whatever the locale is; nobody's configuration.
        command = [TMUX, "-u", "-S", str(self.socket), "-f", os.devnull, *arguments]
        return subprocess.run(command, env=self.environment, capture_output=True, check=True, encoding="utf-8")

    def screen(self):
        """What the terminal shows; nothing once Helix has ended."""
        try:
            return self.tmux("capture-pane", "-p").stdout
        except subprocess.CalledProcessError:
            return ""

    def status_line(self):
        """The line at the bottom that names the mode, the file, the findings and the place."""
        lines = [line for line in self.screen().splitlines() if re.match(r" (NOR|INS|SEL) ", line)]
        return lines[-1] if lines else ""

    def press(self, *keys):
        self.tmux("send-keys", *keys)

    def type(self, text):
        self.tmux("send-keys", "-l", text)

    def run(self, command):
        self.type(f":{command}")
        self.wait(f"`:{command}` is typed", lambda: self.screen().rstrip().endswith(f":{command}"))
        self.press("Enter")

    def wait(self, what, condition):
        deadline = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > deadline:
                raise Failure(what)
            time.sleep(0.05)

    def check(self, what, condition):
        self.wait(what, condition)
        self.passed += 1
        print(f"ok   {what}")

    def shows(self, *texts):
        return lambda: all(text in self.screen() for text in texts)

    def shows_not(self, text):
        return lambda: self.status_line() and text not in self.screen()

    def close(self, shown):
        """Closes what is open over the text. Not by Escape, which is Alt with the next key if that comes too early."""
        self.press("C-c")
        self.wait("it closes", self.shows_not(shown))

    def has_saved(self, name, text):
        def is_saved():
            try:
                return (self.workspace / name).read_text(encoding="utf-8") == text
            except FileNotFoundError:
                return False  # While it saves, Helix keeps the old one under another name.

        self.run("write")
        self.check(f"the saved {name} holds it and is otherwise unchanged", is_saved)

    def end(self):
        try:
            self.tmux("kill-server")
        except subprocess.CalledProcessError:
            pass  # It ends with Helix.


def session(helix):
    helix.check("Helix shows the tool list", helix.shows('"name": "get_forecast"'))
    helix.check("the finding is counted", lambda: re.search(r"● 1\b", helix.status_line()))
    helix.press("Space", "d")
    helix.check("the picker lists the finding", helix.shows("ERROR", "undefined-required", "`days` is required"))
    helix.close("undefined-required")

    helix.press("]", "d")
    # Counted in characters, behind letters of two and of four bytes.
    before = ORIGINAL[: ORIGINAL.index('"days"') + len('"days"')].splitlines()
    end = f"{len(before)}:{len(before[-1])}"
    helix.check(f"it ends at {end}", lambda: helix.status_line().endswith(f" {end}"))
    helix.check("its message is shown", helix.shows("`days` is required"))
    helix.press("Space", "a")
    helix.check("the quick fix is offered", helix.shows("remove `days` from `required`"))
    helix.check("the rule can be ignored here", helix.shows("ignore `undefined-required` here"))
    helix.press("Enter")
    helix.check("the quick fix is applied", helix.shows('"required": ["place"]'))
    helix.check("the finding is gone", lambda: helix.status_line() and "●" not in helix.status_line())
    helix.has_saved("tools.json", FIXED)

    helix.type("/get_forecast")
    helix.press("Enter")
    helix.wait("the name is selected", lambda: re.search(r" 4:\d+$", helix.status_line()))
    helix.press("Space", "k")
    helix.check("the hover tells tokens", helix.shows("tool get_forecast", "tokens on every turn"))
    helix.close("tokens on every turn")
    helix.press("Space", "a")
    title = "view this list as Anthropic receives it"
    helix.check("the list can be viewed as a provider receives it", helix.shows(title, title.replace("Anthropic", "Gemini")))
    helix.press("Enter")
    # 25.07 and before do not say that they open documents for servers, and show what these say in one line.
    told = lambda: re.search(r"what Anthropic receives is in `(~/cache/mcp-analyzer/views/\S+)`", helix.screen())
    is_open = lambda: "tools.anthropic.json" in helix.status_line() and '"input_schema"' in helix.screen()
    helix.check("which opens it, or says where it is", lambda: is_open() or told())
    if not is_open():
        helix.run(f"open {told().group(1)}")
    helix.check("it is what the provider receives", is_open)
    helix.check("nothing is found in it", lambda: "●" not in helix.status_line())
    helix.run("buffer-close")
    helix.wait("the tool list is shown again", helix.shows('"inputSchema"'))

    helix.run("open .mcp.json")
    helix.check("the findings in a config file are counted", lambda: helix.status_line().count("● 1") == 2)
    helix.press("Space", "d")
    helix.check("the picker lists them", helix.shows("trailing-comma", "wrong-root-key", "`servers` is not read here"))
    helix.close("wrong-root-key")
    helix.run("lsp-workspace-command mcp-analyzer.fixAll")
    helix.check("the command applies the safe fixes", helix.shows('"mcpServers"'))
    helix.check("the findings are gone", lambda: helix.status_line() and "●" not in helix.status_line())
    helix.has_saved(".mcp.json", FIXED_CONFIG)
    if SERVERS:
        probing(helix)

    log = helix.log.read_text(encoding="utf-8", errors="replace")
    # What the server says on stderr, what Helix could not read, and what it does not know.
    complaint = re.search(r"\[(ERROR|WARN)\] (mcp-analyzer err|received malformed|Language Server).*", log)
    if complaint:
        raise Failure(f"the log complains: {complaint.group()}")
    helix.run("quit")
    helix.check("Helix ends", lambda: helix.status.exists() and helix.status.read_text() == "0\n")


def probing(helix):
    project = helix.workspace / "project"
    project.mkdir()
    canary = project / "canary"
    config = SERVER_CONFIG.replace("SERVERS", SERVERS).replace("FOLDER", str(project))
    (project / ".mcp.json").write_text(config, encoding="utf-8")

    def go_to(server):
        line = config[: config.index(f'"{server}": {{')].count("\n") + 1
        helix.type(f"gg/{server}")
        helix.press("Enter")
        helix.wait(f"`{server}` is selected", lambda: re.search(rf" {line}:\d+$", helix.status_line()))

    helix.run("open project/.mcp.json")
    helix.wait("the config is shown", helix.shows('"everything": {'))
    helix.run("write")
    # That it has been checked, and the save as well.
    helix.wait("it is written", helix.shows("written"))
    helix.press("Space", "d")
    helix.check("a save says that the servers are not trusted", helix.shows("untrusted-server", "not started: not trusted"))
    helix.close("untrusted-server")
    go_to("everything")
    helix.press("Space", "a")
    three = ("start `everything` once", "always start `everything`", "never start `everything`")
    helix.check("three answers are offered", helix.shows(*three))
    if canary.exists():
        raise Failure("a server was started before anybody agreed to it")
    helix.press("Enter")
    helix.check("what is wrong with its list is counted", lambda: "●" in helix.status_line())
    helix.press("Space", "k")
    helix.check("the hover on its name tells what is known", helix.shows("server everything", "it calls itself"))
    helix.close("it calls itself")

    go_to("broken")
    helix.press("Space", "a")
    helix.wait("the answers are offered", helix.shows("always start `broken`"))
    helix.press("Down", "Enter")
    helix.wait("an error is counted beside the warnings", lambda: helix.status_line().count("●") == 2)
    helix.check("the one that cannot start says why", helix.shows("the variable `NOTES_TOKEN` is not set", "server-failed"))
    if not canary.exists():
        raise Failure("the server that cannot start was not started")
    helix.check("no progress is left on the screen", lambda: not re.search("[\u2801-\u28ff]", helix.status_line()))

    go_to("everything")
    helix.type("gd")
    helix.check("the definition of a server is the saved list", helix.shows('"name": "echo"'))
    helix.press("Space", "a")
    helix.check("nothing in it is offered for change", helix.shows("No code actions available"))
    helix.run("buffer-close")
    helix.wait("the config is shown", helix.shows('"everything": {'))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    hx, server = shutil.which(sys.argv[1]), Path(sys.argv[2]).resolve()
    if not hx or not TMUX:
        sys.exit(f"{'tmux' if hx else sys.argv[1]} is not installed")
    hx = str(Path(hx).absolute())
    failed = 0
    with tempfile.TemporaryDirectory(prefix="mcp-analyzer-helix-") as scratch:
        helix = Helix(hx, server, Path(scratch))
        try:
            session(helix)
        except Failure as failure:
            failed = 1
            print(f"FAIL {failure}\n{helix.screen()}")
            if helix.log.exists():
                print(helix.log.read_text(encoding="utf-8", errors="replace")[-4000:])
        finally:
            helix.end()
    print(f"{helix.passed} passed, {failed} failed")
    sys.exit(failed)


if __name__ == "__main__":
    main()
