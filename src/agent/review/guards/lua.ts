/** Signs of an attack in Lua. */
import { commonSigns } from "./attack-sign-kinds.ts";
import { defineGuards } from "./contract.ts";

const { runner, exits, frames, builtins, madeCode } = commonSigns;

export default defineGuards({
  languages: ["lua"],
  signs: [
    { sign: exits, code: /\bos\s*\.\s*exit\b/, isUsual: true },
    {
      sign: runner,
      code: /\brequire\b/,
      quoted: /^(?:busted|luassert|say|mediator|cliargs)(?:\..*)?$/,
      isUsual: true,
    },
    {
      sign: frames,
      code: /\bdebug\s*\.\s*(?:getupvalue|setupvalue|upvaluejoin|getlocal|setlocal|getregistry|sethook|getinfo|setmetatable)\b/,
      isUsual: true,
    },
    { sign: builtins, code: /\bpackage\s*\.\s*(?:loaded|preload)\b/, isUsual: true },
    {
      sign: madeCode,
      code: /(?<![\w.:])(?:load|loadstring|loadfile|dofile)\s*\(/,
      isUsual: true,
    },
  ],
  opaque: /--\[(=*)\[[\s\S]*?\]\1\]|--[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\[(=*)\[[\s\S]*?\]\2\]/g,
});
