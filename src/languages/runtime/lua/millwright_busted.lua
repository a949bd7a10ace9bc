-- busted's output handler of Millwright: sends a line of JSON for each event, as src/languages/report-lines.ts reads them. Also
-- leaves out the tests that were not asked for, ends a test that computes for too long, and notes the lines that run.
-- Lua 5.1 to 5.4 and LuaJIT.
local busted = require 'busted'

local root = os.getenv('MILLWRIGHT_ROOT') .. '/'
local folder = os.getenv('MILLWRIGHT_FOLDER') .. '/'
local report_folder = os.getenv('MILLWRIGHT_REPORT')
local limit = tonumber(os.getenv('MILLWRIGHT_TEST_SECONDS'))
local covers = os.getenv('MILLWRIGHT_COVERAGE') == '1'
local clock = busted.monotime or os.clock
-- Kept here: tests may take them away.
local format, concat, insert, sort, getinfo = string.format, table.concat, table.insert, table.sort, debug.getinfo
local error, ipairs, pairs, tonumber, tostring = error, ipairs, pairs, tonumber, tostring

local sub = string.sub

-- Sends text through the run's channel, in the frames of src/languages/report-frames.ts: each is one write. The run's key is taken
-- now, before anything of the repository is loaded: it can be taken once.
local channel = os.getenv('MILLWRIGHT_CHANNEL')
local key_file = assert(io.open(channel .. '/key', 'rb'))
local key = key_file:read(32)
key_file:close()
local pipe = assert(io.open(channel .. '/lines', 'wb'))
pipe:setvbuf('full', 8192)
local longest, frames = 4096 - 128, 0
local function send(text)
  for at = 1, #text, longest do
    local part = sub(text, at, at + longest - 1)
    pipe:write(format('%s busted %d %d\n', key, frames, #part), part)
    pipe:flush()
    frames = frames + 1
  end
end

local escapes = { ['"'] = '\\"', ['\\'] = '\\\\', ['\n'] = '\\n', ['\r'] = '\\r', ['\t'] = '\\t' }
local function quote(text)
  return '"' .. tostring(text):gsub('[%c"\\\127]', function(sign)
    return escapes[sign] or format('\\u%04x', sign:byte())
  end) .. '"'
end

local function write(event, ...)
  send(concat({ '{"event":', quote(event), ... }) .. '}\n')
end

-- A path as the repository knows it; nil for one outside.
local function relative(path)
  path = path:gsub('\\', '/'):gsub('^%./', ''):gsub('/%./', '/')
  if path:sub(1, 1) ~= '/' then path = folder .. path end
  if path:sub(1, #root) == root then return path:sub(#root + 1) end
end

local function key_of(target, name)
  return '{"package":"","target":' .. quote(target) .. ',"name":' .. quote(name) .. '}'
end

-- The file of a context and the names of the groups around it.
local function place(context, parent_of)
  local names, target = {}, ''
  while context do
    if context.descriptor == 'file' then
      target = relative(context.name) or context.name
      break
    end
    if context.name or context.descriptor == 'describe' then insert(names, 1, tostring(context.name or 'describe')) end
    context = parent_of(context)
  end
  return target, names
end

-- Both by TARGET<tab>NAME: the tests asked for, and the groups that they are in.
local wanted, groups
do
  local file = io.open(report_folder .. '/selection', 'r')
  if file then
    wanted, groups = {}, {}
    local keys = {}
    for line in file:lines() do
      local target, name = line:match('^(.-)\t(.*)$')
      if target then
        wanted[target .. '\t' .. name] = true
        local from = 1
        while true do
          local at = name:find(' > ', from, true)
          if not at then break end
          groups[target .. '\t' .. name:sub(1, at - 1)] = true
          from = at + 1
        end
        keys[#keys + 1] = key_of(target, name)
      elseif line ~= '' then
        wanted[line] = true
      end
    end
    file:close()
    if #keys > 0 then write('tests-found', ',"tests":[', concat(keys, ','), ']') end
  end
end

local function read_frames(traceback)
  local frames = {}
  for line in (traceback or ''):gmatch('[^\n]+') do
    local path, number, what = line:match('^%s*(.-):(%d+): in (.*)$')
    if path and not path:find('busted[/.]') and not path:find('luassert/', 1, true) and not path:find('mediator%.lua$') then
      local name = what:match("^%a+ '([^']*)'$") or what:match("^function '([^']*)'$") or what:match("^upvalue '([^']*)'$")
      local named = name and (',"function":' .. quote(name)) or ''
      insert(frames, 1, '{"file":' .. quote(relative(path) or path) .. ',"line":' .. number .. named .. '}')
    end
  end
  return frames
end

local function describe(kind, message, trace)
  local text = tostring(message)
  local path, number, rest = text:match('^([^\n]-):(%d+): (.*)$')
  local frames = read_frames(trace and trace.traceback)
  if path and tonumber(number) > 0 then
    local own = '{"file":' .. quote(relative(path) or path) .. ',"line":' .. number
    local last = frames[#frames] or ''
    if last:sub(1, #own) ~= own then frames[#frames + 1] = own .. '}' end
  end
  local said = rest or text
  if said:find('MILLWRIGHT_TIMEOUT', 1, true) then
    kind = 'TimeoutError'
    said = 'the test did not end within ' .. limit * 1000 .. ' ms'
  end
  local whole = text .. '\n' .. (trace and trace.traceback or '')
  return ',"failure":{"type":' .. quote(kind) .. ',"message":' .. quote(said:sub(1, 4000)) .. ',"frames":[' ..
    concat(frames, ',') .. '],"text":' .. quote(whole:sub(1, 4000)) .. '}'
end

-- Lines that run, and the end of tests that compute for too long. A hook belongs to one coroutine: each new one gets it too.
local lines, deadline = {}, nil
local function note(_, number)
  if deadline and clock() > deadline then
    deadline = nil
    error('MILLWRIGHT_TIMEOUT', 2)
  end
  if not number or not covers then return end
  local source = getinfo(2, 'S').source
  if source:sub(1, 1) ~= '@' then return end
  local of_file = lines[source]
  if not of_file then
    of_file = {}
    lines[source] = of_file
  end
  of_file[number] = true
end
if jit then jit.off() end
local mask = covers and 'l' or ''
debug.sethook(note, mask, 10000)
local create = coroutine.create
coroutine.create = function(run)
  local thread = create(run)
  debug.sethook(thread, note, mask, 10000)
  return thread
end

local function pass(ok, ...)
  if not ok then error((...), 0) end
  return ...
end
local resume = coroutine.resume
coroutine.wrap = function(run)
  local thread = coroutine.create(run)
  return function(...) return pass(resume(thread, ...)) end
end

local function flush_lines(head)
  if not covers then return end
  local parts = {}
  for source, numbers in pairs(lines) do
    local path = relative(source:sub(2))
    if path then
      local sorted = {}
      for number in pairs(numbers) do
        if number > 0 then sorted[#sorted + 1] = number end
      end
      sort(sorted)
      if #sorted > 0 then parts[#parts + 1] = quote(path) .. ':' .. quote(concat(sorted, ',')) end
    end
  end
  lines = {}
  if #parts > 0 then write('coverage', head, ',"lines":{', concat(parts, ','), '}') end
end

-- What changes busted and luassert in memory: their functions that are no longer those that were loaded, and what comes with the
-- language that they rest on. A project may do that itself: the host compares with a run without the patch.
local kept, tables_seen, changes_told = {}, {}, {}
local rawget, getmetatable, type, next = rawget, debug.getmetatable, type, next
local function keep(value, name, depth)
  if tables_seen[value] or depth > 6 then return end
  tables_seen[value] = true
  for key, inner in next, value do
    if type(key) == 'string' then
      if type(inner) == 'function' then kept[#kept + 1] = { value, name, key, inner } end
      if type(inner) == 'table' then keep(inner, name .. '.' .. key, depth + 1) end
    end
  end
  local meta = getmetatable(value)
  if type(meta) == 'table' then keep(meta, name .. ' (meta)', depth + 1) end
end
for name, module in next, package.loaded do
  if type(module) == 'table' and (name:match('^busted') or name:match('^luassert') or name == 'mediator' or name == 'say') then
    keep(module, name, 0)
  end
end
for _, name in ipairs({ 'string', 'table', 'math', 'coroutine', 'debug' }) do keep(_G[name], name, 6) end
for _, name in ipairs({ 'assert', 'error', 'getmetatable', 'ipairs', 'next', 'pairs', 'pcall', 'rawequal', 'rawget', 'rawset',
  'require', 'select', 'setmetatable', 'tonumber', 'tostring', 'type', 'unpack', 'xpcall' }) do
  if type(_G[name]) == 'function' then kept[#kept + 1] = { _G, '_G', name, _G[name] } end
end

local function look()
  local found = {}
  for _, place in ipairs(kept) do
    local value = rawget(place[1], place[3])
    if value ~= place[4] then
      local source = type(value) == 'function' and getinfo(value, 'S').source:gsub('^@', '') or type(value)
      local change = place[2] .. '.' .. place[3] .. ' is ' .. sub(relative(source) or source, 1, 200)
      if not changes_told[change] then
        changes_told[change] = true
        found[#found + 1] = quote(change)
      end
    end
  end
  if #found > 0 then write('framework-changed', ',"changes":[', concat(found, ','), ']') end
end

return function()
  local handler = {}
  local keys, seen, found, ended, counts = {}, {}, {}, {}, {}
  local failure, broken = nil, {}
  local around = {} -- the file and the groups that run now

  local function finish(entry, status, more, seconds)
    if ended[entry.key] then return end
    ended[entry.key] = true
    counts[status] = (counts[status] or 0) + 1
    write('test-ended', ',"test":', entry.key, ',"status":', quote(status),
      ',"durationMs":', format('%.3f', (seconds or 0) * 1000), more or '')
  end

  -- What busted publishes goes on to its own listeners where the second result is true.

  -- A test is registered when its group runs: those not asked for are not registered at all.
  local function register(name, _, trace)
    local target, names = place(around[#around], busted.parent)
    names[#names + 1] = tostring(name)
    local full = concat(names, ' > ')
    local id = target .. '\t' .. full
    seen[id] = (seen[id] or 0) + 1
    if seen[id] > 1 then full = full .. ' #' .. seen[id] end
    if wanted and not wanted[target] and not wanted[target .. '\t' .. full] then return nil, false end
    local entry = { target = target, key = key_of(target, full), path = id }
    if trace then keys[trace] = entry end
    found[#found + 1] = entry
    write('tests-found', ',"tests":[', entry.key, ']')
    return nil, true
  end

  -- The set-up of a group runs for its own tests only.
  local function register_group(name)
    local target, names = place(around[#around], busted.parent)
    names[#names + 1] = tostring(name)
    return nil, not wanted or wanted[target] or groups[target .. '\t' .. concat(names, ' > ')] or false
  end

  local function entry_of(element)
    local entry = element.trace and keys[element.trace]
    if entry then return entry end
    local target, names = place(element, busted.parent)
    return { target = target, key = key_of(target, concat(names, ' > ')), path = '' }
  end

  local function enter(element)
    if #around == 0 then flush_lines(',"test":null,"target":""') end
    around[#around + 1] = element
    return nil, true
  end

  local function leave()
    around[#around] = nil
    return nil, true
  end

  local function on_test_start(element)
    local entry = entry_of(element)
    failure = nil
    look()
    flush_lines(',"test":null,"target":' .. quote(entry.target))
    write('test-started', ',"test":', entry.key)
    deadline = limit and clock() + limit
    return nil, true
  end

  local function on_test_end(element, _, status)
    deadline = nil
    look()
    local entry = entry_of(element)
    flush_lines(',"test":' .. entry.key)
    local result = 'passed'
    if status == 'pending' then result = 'skipped'
    elseif status == 'failure' then result = 'failed'
    elseif status == 'error' then result = failure and failure.inside and 'failed' or 'errored' end
    local failing = result == 'failed' or result == 'errored'
    local said = failure and failure.text or describe('Error', 'the test failed and did not say why')
    finish(entry, result, failing and said or nil, element.duration)
    return nil, true
  end

  local function on_problem(kind, inside)
    return function(element, parent, message, trace)
      local text = describe(kind, message, trace)
      if element.descriptor == 'it' then
        failure = failure or { text = text, inside = inside }
      elseif element.descriptor:find('setup') or element.descriptor == 'before_each' then
        local target, names = place(parent or element, busted.parent)
        broken[#broken + 1] = { path = target .. '\t' .. concat(names, ' > '), text = text }
      else
        local target = place(element, busted.parent)
        flush_lines(',"test":null,"target":' .. quote(target))
        write('target-failed', ',"package":"","target":', quote(target), text)
      end
      return nil, true
    end
  end

  local function on_suite_end()
    look()
    for _, entry in ipairs(found) do
      for _, set_up in ipairs(broken) do
        if not ended[entry.key] and entry.path:sub(1, #set_up.path) == set_up.path then finish(entry, 'errored', set_up.text) end
      end
    end
    local parts = {}
    for status, count in pairs(counts) do parts[#parts + 1] = quote(status) .. ':' .. count end
    write('run-ended', ',"counts":{', concat(parts, ','), '}')
    return nil, true
  end

  function handler.subscribe()
    write('run-started', ',"framework":"busted"')
    busted.subscribe({ 'register', 'it' }, register, { priority = 1 })
    busted.subscribe({ 'register', 'pending' }, register, { priority = 1 })
    busted.subscribe({ 'register', 'describe' }, register_group, { priority = 1 })
    for _, descriptor in ipairs({ 'file', 'describe' }) do
      busted.subscribe({ descriptor, 'start' }, enter)
      busted.subscribe({ descriptor, 'end' }, leave)
    end
    busted.subscribe({ 'test', 'start' }, on_test_start)
    busted.subscribe({ 'test', 'end' }, on_test_end)
    busted.subscribe({ 'failure', 'it' }, on_problem('AssertionError', true))
    busted.subscribe({ 'error', 'it' }, on_problem('Error', true))
    for _, descriptor in ipairs({ 'file', 'describe', 'setup', 'lazy_setup', 'strict_setup', 'teardown', 'lazy_teardown', 'strict_teardown', 'before_each', 'after_each' }) do
      busted.subscribe({ 'error', descriptor }, on_problem('Error', false))
    end
    busted.subscribe({ 'suite', 'end' }, on_suite_end)
  end

  return handler
end
