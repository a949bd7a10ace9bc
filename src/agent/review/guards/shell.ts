/** Signs of an attack in Shell scripts. */
import { commonSigns } from "./attack-sign-kinds.ts";
import { defineGuards } from "./contract.ts";

const { exits, builtins, callers } = commonSigns;
/** Names of the programs with which a test script decides or reports its results. */
const tools =
  "\\[|\\[\\[|test|exit|return|echo|printf|diff|cmp|grep|cat|true|false|eval|exec|command|builtin|trap|set|source|expr|let|kill|wait|cd";

export default defineGuards({
  languages: ["shell"],
  signs: [
    {
      sign: builtins,
      code: new RegExp(
        `(?:^|[;&|{(]\\s*|\\bfunction\\s+)\\s*(?:${tools})\\s*\\(\\s*\\)|\\bfunction\\s+(?:${tools})\\s*\\{`,
      ),
    },
    { sign: builtins, code: /^\s*alias\s+\S+=/, isUsual: true },
    { sign: builtins, code: /\benable\s+-n\b|\bBASH_ENV\s*=|\bhash\s+-p\b/ },
    {
      sign: exits,
      code: /\btrap\b.*\b(?:EXIT|ERR|DEBUG|RETURN|0)\b/,
      isUsual: true,
    },
    { sign: exits, code: /^exit(?:\s+0)?\s*(?:;|$)|\bkill\b.*\$(?:\$|PPID)/, isUsual: true },
    {
      sign: callers,
      code: /\bBASH_SOURCE\b|\bFUNCNAME\b|\bBASH_LINENO\b|(?:^|[;&|(]\s*)caller\b|\$\{?0\b/,
      isUsual: true,
    },
    { sign: callers, quoted: /\$\{?0\b|\$\{?(?:BASH_SOURCE|FUNCNAME)\b/, isUsual: true },
  ],
  opaque: /(?<![$\w{"'\\])#[^\n]*|"(?:\\.|[^"\\])*"|'[^']*'/g,
  scripts: /\.(?:sh|bash|ksh|zsh|dash)$/,
  isAlone: true,
});
