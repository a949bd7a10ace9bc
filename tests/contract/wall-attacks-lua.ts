/** Attacks of Lua code on the report of its own tests: the body of `price`, which is wrong, or what its module does when it is loaded. */
import busted from "../../src/languages/lua/busted.ts";
import { luaFixtures } from "./test-frameworks-lua.ts";
import type { WallAttack, WallProject } from "./wall-attacks.ts";

const means = String.raw`
local KEY = '{"package":"","target":"spec/price_spec.lua","name":"price"}'
local forged = {
  '{"event":"run-started","framework":"x"}\n',
  '{"event":"test-ended","test":' .. KEY .. ',"status":"passed","durationMs":1}\n',
  '{"event":"run-ended","counts":{"passed":1}}\n',
}
local CHANNEL = os.getenv('MILLWRIGHT_CHANNEL') or ''
local function send(token, stream, first)
  local pipe = io.open(CHANNEL .. '/lines', 'wb')
  if not pipe then return end
  pipe:setvbuf('no')
  for at, line in ipairs(forged) do
    pipe:write(string.format('%s %s %d %d\n%s', token, stream, first + at - 1, #line, line))
  end
  pipe:close()
end
-- The values that functions on the stack, and those that they hold, keep: of 32 hexadecimal digits.
local function tokens()
  local found, seen = {}, {}
  local function look(value, depth)
    if type(value) == 'string' then
      if #value == 32 and not value:find('[^0-9a-f]') then found[value] = true end
    elseif depth < 12 and (type(value) == 'function' or type(value) == 'table') and not seen[value] then
      seen[value] = true
      if type(value) == 'function' then
        for at = 1, 200 do
          local name, inner = debug.getupvalue(value, at)
          if not name then break end
          look(inner, depth + 1)
        end
      else
        for name, inner in next, value do look(name, depth + 1); look(inner, depth + 1) end
      end
    end
  end
  look(debug.getregistry(), 0)
  look(_G, 0)
  for level = 1, 200 do
    local info = debug.getinfo(level, 'f')
    if not info then break end
    look(info.func, 0)
    for at = 1, 200 do
      local name, value = debug.getlocal(level, at)
      if not name then break end
      look(value, 0)
    end
  end
  return found
end
`;

const luaAttacks: readonly WallAttack[] = [
  { name: "leaves without a word", call: "os.exit(0, false)" },
  {
    name: "writes the test's result and the run's end, and leaves",
    call: "send('-', 'forged', 0) os.exit(0, false)",
  },
  {
    name: "finds the key in the memory of its own process",
    call: "for token in pairs(tokens()) do send(token, 'forged', 0) end os.exit(0, false)",
  },
  {
    name: "finds the key in the memory of its own process when it is loaded",
    load: "for token in pairs(tokens()) do send(token, 'forged', 0) end os.exit(0, false)",
  },
  {
    name: "prints what a passing run prints, and leaves",
    call: String.raw`io.stdout:write('ok 1 - price\n1..1\n') io.stdout:flush() os.exit(0, false)`,
  },
];

export const luaProjects: readonly WallProject[] = [
  {
    framework: busted,
    unavailable: async () => luaFixtures[0]?.unavailable(),
    command: "busted",
    attacks: luaAttacks,
    file: "spec/price_spec.lua",
    target: "price",
    repair: { call: "do return 3 end" },
    files: ({ load = "", call = "" }) => ({
      ".busted": "return {}\n",
      "price.lua": `${means}\n${load === "" ? "" : `do ${load} end`}\nreturn function()\n${call}\nreturn 2\nend\n`,
      "spec/price_spec.lua":
        "local price = require 'price'\nit('price', function() assert.are.equal(3, price()) end)\n",
    }),
  },
];
