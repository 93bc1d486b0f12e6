//! The language server.

/// Runs the language server until its client ends it.
pub fn run() -> std::process::ExitCode {
    log::error!("the language server is not built yet");
    std::process::ExitCode::from(2)
}
