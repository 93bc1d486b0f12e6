-- mcp-analyzer in a real Neovim, with the configuration file that users copy:
--
--   nvim --clean --headless -l editors/neovim/test.lua PATH_OF_MCP_ANALYZER
--
-- Ends with "N passed, N failed"; exits with 1 at the first failure.

local server = assert(_G.arg[1], "usage: nvim --clean --headless -l test.lua PATH_OF_MCP_ANALYZER")
local here = vim.fs.dirname(vim.fs.abspath(debug.getinfo(1, "S").source:sub(2)))
local fixture = vim.fs.joinpath(here, "../../fixtures/editor/tools.json")

local TIMEOUT = 20000 -- milliseconds; nothing takes more than a few on a quiet machine

local passed = 0

local function finish(failed)
  io.stdout:write(("%d passed, %d failed\n"):format(passed, failed))
  os.exit(failed == 0 and 0 or 1)
end

--- Waits until `condition` gives a true value and returns that.
local function check(name, condition)
  local value
  local met = vim.wait(TIMEOUT, function()
    value = condition()
    return value and true or false
  end, 10)
  io.stdout:write(("%s %s\n"):format(met and "ok  " or "FAIL", name))
  if not met then
    io.stdout:write("     findings: " .. vim.inspect(vim.diagnostic.get(0)) .. "\n")
    io.stdout:write("     messages: " .. vim.fn.execute("messages") .. "\n")
    finish(1)
  end
  passed = passed + 1
  return value
end

local function read(path)
  local file = assert(io.open(path, "rb"))
  local bytes = file:read("*a")
  file:close()
  return bytes
end

--- The finding of a rule in the current buffer.
local function finding(rule)
  for _, diagnostic in ipairs(vim.diagnostic.get(0)) do
    if diagnostic.source == "mcp-analyzer" and diagnostic.code == rule then
      return diagnostic
    end
  end
end

--- Whether a floating window shows `text`.
local function float_shows(text)
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= "" then
      local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
      if table.concat(lines, "\n"):find(text, 1, true) then
        return true
      end
    end
  end
  return false
end

local function close_floats()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= "" then
      vim.api.nvim_win_close(window, true)
    end
  end
end

-- The fixture in a directory of its own: no root marker, so this is also the case without a root.
local directory = vim.fn.tempname()
vim.fn.mkdir(directory, "p")
local path = vim.fs.joinpath(directory, "tools.json")
local original = read(fixture)
local expected, replaced = original:gsub(', "days"', "")
assert(replaced == 1, "the fixture must name `days` once")
assert(vim.uv.fs_copyfile(fixture, path))

vim.cmd("filetype on") -- off under -l
vim.opt.runtimepath:prepend(here)
vim.lsp.config("mcp_analyzer", { cmd = { server, "lsp" } })
vim.lsp.enable("mcp_analyzer")
vim.cmd.edit({ path, mods = { silent = true } })
local buffer = vim.api.nvim_get_current_buf()

local client = check("the client is attached", function()
  local attached = vim.lsp.get_clients({ bufnr = buffer, name = "mcp_analyzer" })[1]
  return attached and attached.initialized and attached
end)

local found = check("the finding is there", function()
  return finding("undefined-required")
end)
local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
check("it marks `\"days\"`, quotes included", function()
  return found.lnum == found.end_lnum and lines[found.lnum + 1]:sub(found.col + 1, found.end_col) == '"days"'
end)
local first_line = vim.split(found.message, "\n")[1]
check("its first line names `days`", function()
  return first_line:find("`days`", 1, true)
end)

vim.api.nvim_win_set_cursor(0, { found.lnum + 1, found.col })
vim.diagnostic.open_float()
check("its first line is shown", function()
  return float_shows(first_line)
end)
close_floats()

vim.fn.search([["\zsget_forecast"]], "cw")
local parameters = vim.lsp.util.make_position_params(0, client.offset_encoding)
local answer = client:request_sync("textDocument/hover", parameters, TIMEOUT, buffer)
check("the hover answer tells tokens", function()
  return answer and answer.result and answer.result.contents.value:find("tokens", 1, true)
end)
check("and shows names without backslashes", function()
  local value = answer.result.contents.value
  return value:find("`get_forecast`", 1, true) and not value:find("\\", 1, true)
end)
vim.lsp.buf.hover()
check("the hover window shows them", function()
  return float_shows("tokens")
end)
close_floats()

-- At the start of the line, where only its sign is seen.
vim.api.nvim_win_set_cursor(0, { found.lnum + 1, 0 })
parameters = vim.lsp.util.make_range_params(0, client.offset_encoding)
parameters.context = { diagnostics = {} }
answer = client:request_sync("textDocument/codeAction", parameters, TIMEOUT, buffer)
check("the rule can be ignored here", function()
  for _, action in ipairs(answer and answer.result or {}) do
    if action.title == "ignore `undefined-required` here" then
      return true
    end
  end
end)

vim.lsp.buf.code_action({
  apply = true,
  context = { only = { "quickfix" } },
  filter = function(action)
    return action.kind == "quickfix" and action.isPreferred and vim.startswith(action.title, "remove `days`")
  end,
})
check("the quick fix is applied", function()
  return vim.api.nvim_buf_get_lines(buffer, found.lnum, found.lnum + 1, false)[1]:find('"days"', 1, true) == nil
end)
check("the finding is gone", function()
  return not finding("undefined-required")
end)

vim.cmd.write({ mods = { silent = true } })
check("the file holds the fix and is otherwise unchanged", function()
  return read(path) == expected
end)

vim.cmd.normal({ "ggOoops", bang = true })
check("broken JSON is a syntax error", function()
  return finding("syntax-error")
end)
vim.cmd.undo({ mods = { silent = true } })
check("undo clears it", function()
  return not finding("syntax-error")
end)

client:stop()
check("the client stops", function()
  return client:is_stopped()
end)

vim.fn.delete(directory, "rf")
finish(0)
