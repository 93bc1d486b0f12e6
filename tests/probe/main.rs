//! Asking servers: real ones, one of the newest protocol, and ones that misbehave.
//!
//! `.ci/install-servers` installs the real ones and prints the variable by which they are found here. Without them their
//! tests say so and pass, except where `MCP_ANALYZER_REQUIRE_SERVERS` is 1.
#![expect(clippy::panic, reason = "a test fails by panicking")]

mod fakes;
mod http;
mod processes;
mod real;
mod session;
