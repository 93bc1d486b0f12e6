//! The binary `mcp-analyzer`.

fn main() {}
