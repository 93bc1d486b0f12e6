//! The runtimes' own forms with made-up names.

use super::*;

#[track_caller]
fn says(stderr: &str, expected: Cause) {
    assert_eq!(cause(stderr), Some(expected), "{stderr}");
}

fn module(name: &str) -> Cause {
    Cause::MissingModule(name.to_owned())
}

fn variable(name: &str) -> Cause {
    Cause::MissingVariable(name.to_owned())
}

fn said(words: &str) -> Cause {
    Cause::Said(words.to_owned())
}

#[test]
fn modules() {
    says(
        "node:internal/modules/cjs/loader:1210\n  throw err;\n  ^\n\nError: Cannot find module 'lodash-like'\nRequire stack:\n- /srv/a/index.js\n    at Module._load (node:internal/modules/cjs/loader:986:27) {\n  code: 'MODULE_NOT_FOUND',\n  requireStack: [ '/srv/a/index.js' ]\n}\n\nNode.js v20.1.0\n",
        module("lodash-like"),
    );
    says(
        "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod-like' imported from /srv/a/index.js",
        module("zod-like"),
    );
    says(
        "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/x/node_modules/@a/b/dist/c.js' imported from /srv/d.js",
        module("@a/b/dist/c.js"),
    );
    says("Error: Cannot find module '/srv/build/index.js'", Cause::MissingFile("/srv/build/index.js".to_owned()));
    says("Error: Cannot find module 'C:\\srv\\index.js'", Cause::MissingFile("C:\\srv\\index.js".to_owned()));
    says(
        "Traceback (most recent call last):\n  File \"/a/b.py\", line 3, in <module>\n    import httpq\nModuleNotFoundError: No module named 'httpq'\n",
        module("httpq"),
    );
    says("/usr/bin/python3: No module named my_server", module("my_server"));
    says("python: No module named my_server.__main__; 'my_server' is a package", module("my_server"));
    says(
        "ImportError: libshow.so.1: cannot open shared object file: No such file or directory",
        module("libshow.so.1"),
    );
    says("./a: error while loading shared libraries: libz.so.9: cannot open shared object file", module("libz.so.9"));
    says(
        "Exception in thread \"main\" java.lang.NoClassDefFoundError: com/a/B\n\tat com.a.C.main(C.java:3)",
        module("com/a/B"),
    );
    let other_version = |name: &str| Cause::IncompatibleModule(name.to_owned());
    says("ImportError: cannot import name 'thing' from 'lib.inner' (/a/lib/inner.py)", other_version("lib.inner"));
    says(
        "SyntaxError: The requested module 'zod-like' does not provide an export named 'z'",
        other_version("zod-like"),
    );
    says(
        "Error [ERR_PACKAGE_PATH_NOT_EXPORTED]: Package subpath './x' is not defined by \"exports\" in /a/node_modules/@b/c/package.json",
        other_version("@b/c"),
    );
}

#[test]
fn packages() {
    let package = |name: &str| Cause::NoSuchPackage(name.to_owned());
    says(
        "npm error code E404\nnpm error 404 Not Found - GET https://registry.npmjs.org/@a%2fserver-b - Not found\nnpm error 404\nnpm error 404  '@a/server-b@latest' is not in this registry.\nnpm error 404\nnpm error 404 Note that you can also install from a\nnpm error 404 tarball, folder, http url, or git url.\nnpm error A complete log of this run can be found in: /h/.npm/_logs/x.log\n",
        package("@a/server-b@latest"),
    );
    says("npm ERR! 404 Not Found - GET https://registry.npmjs.org/@a%2fserver-b - Not found", package("@a/server-b"));
    says("npm error 404 tarball, folder, http url, or git url.", package(""));
    says(
        "npm error code ETARGET\nnpm error notarget No matching version found for b@9.9.9.\nnpm error notarget In most cases",
        package("b@9.9.9"),
    );
    says("ERROR: No matching distribution found for my-server==9", package("my-server==9"));
    says(
        "  × No solution found when resolving tool dependencies:\n  ╰─▶ Because my-server was not found in the package registry and you require\n      my-server, we can conclude that your requirements are unsatisfiable.\n",
        package("my-server"),
    );
    says(
        "  × No solution found when resolving tool dependencies:\n  ╰─▶ Because there is no version of my-server==9.9.9 and you require\n      my-server==9.9.9, we can conclude that your requirements are\n      unsatisfiable.\n",
        package("my-server==9.9.9"),
    );
    says(
        "error: No solution found when resolving tool dependencies\n  cause: Because only my-server<=2.0 is available and you require my-server>=3, we can conclude that your requirements are unsatisfiable.",
        package("my-server>=3"),
    );
    says(
        "error: No solution found when resolving tool dependencies\n  cause: Because all versions of old-server were yanked (reason: use new-server) and you require old-server, we can conclude that your requirements are unsatisfiable.",
        Cause::Withdrawn { package: "old-server".to_owned(), reason: Some("use new-server".to_owned()) },
    );
    let image = "docker: Error response from daemon: pull access denied for a/b, repository does not exist or may require 'docker login'";
    says(&format!("Unable to find image 'a/b:latest' locally\n{image}"), Cause::NoSuchImage("a/b".to_owned()));
    says(
        "docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?",
        Cause::DockerNotRunning,
    );
}

#[test]
fn programs() {
    says(
        "npm error could not determine executable to run\nnpm error A complete log of this run",
        Cause::NoSuchProgram(String::new()),
    );
    says(
        "An executable named `my-tool` is not provided by package `my-pack`.",
        Cause::NoSuchProgram("my-tool".to_owned()),
    );
    says("npm error Missing script: \"serve\"", Cause::NoSuchProgram("serve".to_owned()));
    for line in [
        "sh: 1: ffmpeg: not found",
        "bash: line 1: ffmpeg: command not found",
        "zsh: command not found: ffmpeg",
        "env: ffmpeg: No such file or directory",
        "/usr/bin/env: ‘ffmpeg’: No such file or directory",
        "'ffmpeg' is not recognized as an internal or external command,",
        "Error: spawn ffmpeg ENOENT",
        "exec: \"ffmpeg\": executable file not found in $PATH",
        "error: Failed to spawn: `ffmpeg`\n  Caused by: No such file or directory (os error 2)",
    ] {
        let found = cause(line);
        let is_file = found == Some(Cause::MissingFile(String::new()));
        assert!(found == Some(Cause::MissingProgram("ffmpeg".to_owned())) && !is_file, "{line}: {found:?}");
    }
}

#[test]
fn ports() {
    for (text, port) in [
        (
            "Error: listen EADDRINUSE: address already in use :::3000\n    at Server.setupListenHandle [as _listen2] (node:net:1817:16) {\n  code: 'EADDRINUSE',\n  errno: -98,",
            Some(3000),
        ),
        ("Error: listen EADDRINUSE: address already in use 127.0.0.1:8931", Some(8931)),
        (
            "2026-11-30 10:22:11 ERROR [Errno 98] error while attempting to bind on address ('127.0.0.1', 8000): address already in use",
            Some(8000),
        ),
        ("OSError: [Errno 98] Address already in use", None),
        ("2026/11/30 10:22:11 listen tcp :8080: bind: address already in use", Some(8080)),
        ("Port 5173 is already in use", Some(5173)),
        ("Error: listen EADDRINUSE: address already in use /tmp/a.sock", None),
    ] {
        says(text, Cause::PortInUse(port));
    }
}

#[test]
fn variables() {
    for line in [
        "Error: ACME_API_KEY environment variable is required",
        "ACME_API_KEY is not set",
        "Missing required environment variable: ACME_API_KEY",
        "Error: Please set the ACME_API_KEY environment variable.",
        "KeyError: 'ACME_API_KEY'",
        "ValueError: ACME_API_KEY must be provided",
        "panic: environment variable ACME_API_KEY not found",
        "[ERROR] ACME_API_KEY is undefined",
        "{\"level\":\"error\",\"message\":\"ACME_API_KEY missing\"}",
        "{\"level\":50,\"msg\":\"`ACME_API_KEY` is required\"}",
        "\u{1b}[31mError:\u{1b}[0m \u{1b}[1mACME_API_KEY\u{1b}[0m is required",
    ] {
        says(line, variable("ACME_API_KEY"));
    }
    says("Error: environment variable TOKEN is not set", variable("TOKEN"));
    for line in
        ["Error: ERR_MISSING_ARGS required", "SQLITE_ERROR: no such table, missing", "Error code RESOURCE_NOT_FOUND"]
    {
        assert!(!matches!(cause(line), Some(Cause::MissingVariable(_))), "{line}");
    }
}

#[test]
fn arguments() {
    let usage = |words: &str| Cause::Usage(words.to_owned());
    says(
        "usage: prog [-h] --db DB\nprog: error: the following arguments are required: --db",
        usage("prog: error: the following arguments are required: --db"),
    );
    says("Usage: files-server <directory>...\n", usage("Usage: files-server <directory>..."));
    says("error: unknown option '--foo'", usage("unknown option '--foo'"));
    says(
        "error: unexpected argument '--foo' found\n\nUsage: a [OPTIONS]\n",
        usage("unexpected argument '--foo' found"),
    );
    says("Error: no folder given\nUsage: a <folder>", usage("no folder given"));
}

#[test]
fn files_and_permissions() {
    let file = |name: &str| Cause::MissingFile(name.to_owned());
    says("Error: ENOENT: no such file or directory, open '/etc/a b.json'", file("/etc/a b.json"));
    says("FileNotFoundError: [Errno 2] No such file or directory: 'data/a.db'", file("data/a.db"));
    says("python: can't open file '/srv/a.py': [Errno 2] No such file or directory", file("/srv/a.py"));
    says("2026/11/30 10:00:00 open /etc/a.yaml: no such file or directory", file("/etc/a.yaml"));
    says("Error: Unable to access jarfile a.jar", file("a.jar"));
    says("Error: No such file or directory (os error 2)", file(""));
    says("error: Project directory `/srv/a` does not exist", file("/srv/a"));
    let denied = |name: &str| Cause::PermissionDenied(name.to_owned());
    says("Error: EACCES: permission denied, mkdir '/root/x'", denied("/root/x"));
    says("PermissionError: [Errno 13] Permission denied: '/root/x'", denied("/root/x"));
    says("bash: ./run.sh: Permission denied", denied("./run.sh"));
    says("open /root/x: permission denied", denied("/root/x"));
    says(
        "permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock: Get",
        denied("/var/run/docker.sock"),
    );
}

#[test]
fn networks_and_keys() {
    let host = |name: &str| Cause::Unreachable(name.to_owned());
    says(
        "TypeError: fetch failed\n    at node:internal/deps/undici/undici:1:1 {\n  [cause]: Error: getaddrinfo ENOTFOUND api.a.example\n  errno: -3008,\n  code: 'ENOTFOUND',\n  syscall: 'getaddrinfo',\n",
        host("api.a.example"),
    );
    says("Error: connect ECONNREFUSED 127.0.0.1:5432", host("127.0.0.1:5432"));
    says("dial tcp: lookup api.a.example: no such host", host("api.a.example"));
    says("dial tcp 10.0.0.1:443: connect: connection refused", host("10.0.0.1:443"));
    says(
        "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='api.a.example', port=443): Max retries exceeded with url: /v1",
        host("api.a.example"),
    );
    says(
        "error: Failed to fetch: `https://pypi.org/simple/a/`\n  Caused by: error sending request for url (https://pypi.org/simple/a/)\n  Caused by: dns error\n  Caused by: failed to lookup address information: Name or service not known",
        host("pypi.org"),
    );
    says("httpx.ConnectError: All connection attempts failed", host(""));
    for line in [
        "Error: Request failed with status code 401",
        "401 Unauthorized",
        "Error: Invalid API key",
        "FATAL:  password authentication failed for user \"a\"",
    ] {
        says(line, Cause::Unauthorized);
    }
}

#[test]
fn runtimes() {
    let runtime = |words: &str| Cause::WrongRuntime(words.to_owned());
    says(
        "npm warn EBADENGINE Unsupported engine {\nnpm warn EBADENGINE   package: 'a@1.0.0',\nnpm warn EBADENGINE   required: { node: '>=22' },\nnpm warn EBADENGINE   current: { node: 'v18.1.0', npm: '9.0.0' }\nnpm warn EBADENGINE }\n",
        runtime("node: >=22 instead of node: v18.1.0, npm: 9.0.0"),
    );
    says("ERROR: a requires Node.js 22 or higher", runtime("a requires Node.js 22 or higher"));
    says(
        "ERROR: Package 'a' requires a different Python: 3.9.1 not in '>=3.10'",
        runtime("Package 'a' requires a different Python: 3.9.1 not in '>=3.10'"),
    );
    says(
        "  × No solution found when resolving tool dependencies:\n  ╰─▶ Because the current Python version (3.9.1) does not satisfy Python>=3.12\n      and all versions of a depend on Python>=3.12, we can conclude that all",
        runtime("Python 3.9.1 does not satisfy Python>=3.12"),
    );
}

#[test]
fn else_the_last_error_is_quoted() {
    says(
        "TypeError: a is not a function\n    at Object.<anonymous> (/srv/a.js:1:1)\n\nNode.js v20.1.0",
        said("TypeError: a is not a function"),
    );
    says(
        "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    raise ValueError('x')\nValueError: x\n",
        said("ValueError: x"),
    );
    says(
        "  | Traceback (most recent call last):\n  |   File \"a.py\", line 1\n  | OddError: deep inside\n  +------------------------------------\n",
        said("OddError: deep inside"),
    );
    says(
        "thread 'main' panicked at src/main.rs:3:5:\nthe world is flat\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
        said("the world is flat"),
    );
    says("thread 'main' panicked at 'flat', src/main.rs:3:5", said("flat"));
    says(
        "panic: the world is flat\n\ngoroutine 1 [running]:\nmain.main()\n\t/srv/main.go:8 +0x1d\nexit status 2",
        said("panic: the world is flat"),
    );
    says(
        "Exception in thread \"main\" java.lang.RuntimeException: outside\n\tat A.main(A.java:3)\nCaused by: java.io.IOException: inside\n\t... 1 more",
        said("Caused by: java.io.IOException: inside"),
    );
    says("Starting...\nCould not read the settings\nBye", said("Could not read the settings"));
    says("WARN API_KEY_B is not set, using default\nError: boom", said("boom"));
    says(&format!("Error: {}", "é".repeat(5000)), said(&format!("{}…", "é".repeat(200))));
    for nothing in [
        "",
        "\n\n",
        "Server running on stdio",
        "INFO ready, 0 errors",
        "Installed 37 packages in 109ms",
        "{\"level\":\"info\",\"message\":\"error handler set\"}",
    ] {
        assert_eq!(cause(nothing), None, "{nothing}");
    }
}

#[test]
fn no_text_takes_long() {
    for piece in [
        "\u{1b}[",
        "'",
        "Error: ",
        "://",
        "port ",
        "{\"error\":",
        "a\n",
        "é\n",
        "ENOENT directory, ",
        "A_B missing\n",
        "was yanked (reason: ",
    ] {
        cause(&piece.repeat((1 << 20) / piece.len()));
    }
}

proptest::proptest! {
    #[test]
    fn any_text_has_a_cause_or_none(text in "(?s)([a-z'\"`‘’:/@(){}é \n\u{1b}]|ENOENT|EACCES|port |://|No module named |cannot import name | from |yanked|you require |error: |panicked at '|node_modules/|ECONNREFUSED |usage: |directory, |No such file){0,30}") {
        if let Some(cause) = cause(&text) {
            proptest::prop_assert!(!cause.told().contains('\n'));
            let _ = cause.advice();
        }
    }
}
