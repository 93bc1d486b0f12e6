--- MCP config files and tool lists: findings, quick fixes, token costs.
--- For Neovim 0.11 and newer; enable it with `vim.lsp.enable("mcp_analyzer")`.
---@type vim.lsp.Config
return {
  cmd = { "mcp-analyzer", "lsp" },
  filetypes = { "json", "jsonc" },
  -- A file outside every project is served as well.
  root_markers = { "mcp-analyzer.toml", ".mcp.json", ".git" },
}
