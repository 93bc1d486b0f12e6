-- mcp-analyzer in a real Neovim, with the configuration file that users copy:
--
--   nvim --clean --headless -l editors/neovim/test.lua PATH_OF_MCP_ANALYZER
--
-- Where MCP_ANALYZER_TEST_SERVERS names real servers (see .ci/install-servers), it has them probed as well.
-- Ends with "N passed, N failed"; exits with 1 at the first failure.

local server = assert(_G.arg[1], "usage: nvim --clean --headless -l test.lua PATH_OF_MCP_ANALYZER")
local here = vim.fs.dirname(vim.fs.abspath(debug.getinfo(1, "S").source:sub(2)))
local fixtures = vim.fs.joinpath(here, "../../fixtures/editor")
local fixture = vim.fs.joinpath(fixtures, "tools.json")

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
    for _, diagnostic in ipairs(vim.diagnostic.get(0)) do
      io.stdout:write(("     line %d: %s: %s\n"):format(diagnostic.lnum + 1, diagnostic.code, diagnostic.message))
    end
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
-- What a user has set, decided and asked is not this user's.
for _, place in ipairs({ "CONFIG", "STATE", "CACHE" }) do
  vim.env[("XDG_%s_HOME"):format(place)] = vim.fs.joinpath(directory, place:lower())
end
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

vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
check("what each tool costs stands behind its name", function()
  local hints = vim.lsp.inlay_hint.get({ bufnr = buffer })
  return #hints == 3 and vim.iter(hints):all(function(hint)
    return hint.inlay_hint.label:find("%d tokens$")
  end)
end)
vim.lsp.codelens.refresh({ bufnr = buffer })
check("the line above the list counts it", function()
  return vim.iter(vim.lsp.codelens.get(buffer)):any(function(lens)
    return lens.command and lens.command.title:find("^3 tools · ≈?%d+ tokens$")
  end)
end)

-- The cursor is in the tool's name.
vim.lsp.buf.code_action({
  apply = true,
  filter = function(action)
    return action.title == "view this list as Anthropic receives it"
  end,
})
check("an action opens the list as a provider receives it", function()
  local name = vim.api.nvim_buf_get_name(0)
  return vim.startswith(name, vim.env.XDG_CACHE_HOME)
    and vim.endswith(name, "/tools.anthropic.json")
    and vim.fn.search("input_schema", "cnw") > 0
end)
check("which the server leaves alone", function()
  local viewer = vim.lsp.get_clients({ bufnr = 0, name = "mcp_analyzer" })[1]
  if not viewer or not viewer.initialized then
    return false
  end
  local document = { textDocument = vim.lsp.util.make_text_document_params(0) }
  local lenses = viewer:request_sync("textDocument/codeLens", document, TIMEOUT, 0)
  return lenses and not lenses.err and lenses.result == nil and #vim.diagnostic.get(0) == 0
end)
vim.cmd.buffer({ buffer, mods = { silent = true } })

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

local servers = vim.env.MCP_ANALYZER_TEST_SERVERS
if not servers then
  vim.fn.delete(directory, "rf")
  finish(0)
end

-- Servers: the lenses come by what the README has users write, the questions come here.
local readme = read(vim.fs.joinpath(here, "README.md"))
assert(load(assert(readme:match("```lua\n(vim%.api%.nvim_create_autocmd.-)```"), "the README shows how to have lenses")))()
local question
vim.ui.select = function(items, options, on_choice)
  question = { items = items, text = options.prompt, answer = on_choice }
end

--- Chooses an answer to the question that is open.
local function answer_with(title)
  for _, item in ipairs(question.items) do
    if item.title == title then
      return question.answer(item)
    end
  end
  error(("no `%s` among %s"):format(title, vim.inspect(question.items)))
end

local project = vim.fs.joinpath(directory, "project")
vim.fn.mkdir(project, "p")
local canary = vim.fs.joinpath(project, "canary")
path = vim.fs.joinpath(project, ".mcp.json")
local config = read(vim.fs.joinpath(fixtures, "servers.json")):gsub("SERVERS", servers):gsub("FOLDER", project)
local file = assert(io.open(path, "wb"))
file:write(config)
file:close()
vim.cmd.edit({ path, mods = { silent = true } })
buffer = vim.api.nvim_get_current_buf()

--- The line of a server's name, from 0.
local function line_of(name)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    if line:find(('"%s": {'):format(name), 1, true) then
      return number - 1
    end
  end
end

--- What is shown in a server's line beside its text.
local function lens(name)
  local line = line_of(name)
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer, -1, { line, 0 }, { line, -1 }, { details = true })) do
    for _, piece in ipairs(mark[4].virt_text or {}) do
      if mark[4].ns_id == vim.lsp.codelens.__namespaces[client.id] then
        return piece[1]
      end
    end
  end
  return ""
end

--- The finding of a rule on a server's name.
local function finding_on(name, rule)
  for _, diagnostic in ipairs(vim.diagnostic.get(buffer, { lnum = line_of(name) })) do
    if diagnostic.code == rule then
      return diagnostic
    end
  end
end

local NAMES = { "everything", "filesystem", "memory", "time", "broken" }

--- Whether something holds for every server.
local function all(condition)
  return vim.iter(NAMES):all(condition)
end

client = check("a client is attached to the config file", function()
  return vim.lsp.get_clients({ bufnr = buffer, name = "mcp_analyzer" })[1]
end)
check("the lenses offer to ask the servers", function()
  return all(function(name)
    return lens(name) == "Probe"
  end)
end)

vim.cmd.normal({ "Go", bang = true })
vim.cmd.write({ mods = { silent = true } })
check("a save asks one question", function()
  return question
end)
check("which tells every command, and what may be answered", function()
  local titles = vim.tbl_map(function(item)
    return item.title
  end, question.items)
  return all(function(name)
    return question.text:find(("• `%s`: "):format(name), 1, true)
  end) and vim.deep_equal(titles, { "Start once", "Always", "Never" })
end)
check("meanwhile every server is said to be not trusted", function()
  return all(function(name)
    return finding_on(name, "untrusted-server")
  end)
end)
check("nothing was started", function()
  return not vim.uv.fs_stat(canary)
end)

answer_with("Always")
check("the lenses count the tools of four servers", function()
  return vim.iter({ "everything", "filesystem", "memory", "time" }):all(function(name)
    return lens(name):find("^Probe · %d+ tools")
  end)
end)
check("the fifth has failed", function()
  local failed = finding_on("broken", "server-failed")
  return failed and failed.message:find("NOTES_TOKEN", 1, true) and lens("broken"):find("failed", 1, true)
end)
check("none is untrusted any more", function()
  return not finding("untrusted-server") and vim.uv.fs_stat(canary)
end)

vim.api.nvim_win_set_cursor(0, { line_of("everything") + 1, 6 })
vim.lsp.buf.hover()
check("the hover on a server's name tells what is known", function()
  return float_shows("everything") and float_shows("tools")
end)
close_floats()

assert(vim.uv.fs_unlink(canary))
vim.api.nvim_win_set_cursor(0, { line_of("broken") + 1, 6 })
vim.lsp.codelens.run()
check("the lens asks a server again", function()
  return vim.uv.fs_stat(canary) and lens("broken"):find("failed", 1, true)
end)

-- A change asks again, of this server only.
question = nil
assert(vim.uv.fs_unlink(canary))
vim.cmd.substitute({ args = { "/exit 3/exit 4/" }, range = { line_of("broken") + 1, line_of("broken") + 4 } })
vim.cmd.write({ mods = { silent = true } })
check("a changed command asks again", function()
  return question and question.text:find("broken", 1, true) and not question.text:find("memory", 1, true)
end)
answer_with("Never")
check("what is never to be started says so", function()
  return lens("broken"):find("never", 1, true)
end)
check("and is not started", function()
  return not vim.uv.fs_stat(canary)
end)

vim.api.nvim_win_set_cursor(0, { line_of("everything") + 1, 6 })
vim.lsp.buf.definition()
local list = check("the definition of a server is the saved list", function()
  local name = vim.api.nvim_buf_get_name(0)
  return vim.startswith(name, vim.env.XDG_CACHE_HOME) and vim.api.nvim_get_current_buf()
end)
local reader = check("a client is attached to it", function()
  local attached = vim.lsp.get_clients({ bufnr = list, name = "mcp_analyzer" })[1]
  return attached and attached.initialized and attached
end)
vim.fn.search([["\zsecho"]], "cw")
parameters = vim.lsp.util.make_position_params(0, reader.offset_encoding)
answer = reader:request_sync("textDocument/hover", parameters, TIMEOUT, list)
check("the hover on a tool in it tells tokens", function()
  return answer and answer.result and answer.result.contents.value:find("tokens", 1, true)
end)
parameters = vim.lsp.util.make_given_range_params({ 1, 0 }, { vim.fn.line("$"), 0 }, list, reader.offset_encoding)
parameters.context = { diagnostics = {} }
answer = reader:request_sync("textDocument/codeAction", parameters, TIMEOUT, list)
check("nothing in it is offered for change", function()
  return answer and not answer.err and vim.tbl_isempty(answer.result or {})
end)

for _, running in ipairs(vim.lsp.get_clients({ name = "mcp_analyzer" })) do
  running:stop()
  check(("client %d stops"):format(running.id), function()
    return running:is_stopped()
  end)
end
vim.fn.delete(directory, "rf")
finish(0)
