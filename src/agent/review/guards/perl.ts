/** Signs of an attack in Perl scripts. */
import { commonSigns } from "./attack-sign-kinds.ts";
import { defineGuards } from "./contract.ts";

const { runner, exits, builtins, callers } = commonSigns;

export default defineGuards({
  languages: ["perl"],
  signs: [
    { sign: exits, code: /^\s*END\s*\{|\$\?\s*=(?![=~])|\bPOSIX::_exit\b/ },
    { sign: exits, code: /(?<![\w$@%:>])exit\b/, isUsual: true },
    { sign: runner, code: /\*\{?\s*Test(?:::\w+)+\s*\}?\s*=|\bTest::Builder\b/ },
    { sign: runner, code: /\bTest(?:::|2::)\w+|\bTAP::\w+/, isUsual: true },
    { sign: runner, quoted: /^\*?(?:main::)?Test::\w+|^main::\w+$/ },
    { sign: builtins, code: /\bCORE::GLOBAL::|\*\{?\s*(?:main)?::\w+\s*\}?\s*=/ },
    {
      sign: "an overload of operators",
      code: /\buse\s+overload\b/,
      isUsual: true,
    },
    { sign: callers, code: /(?<![\w$@%:>])caller\b/, isUsual: true },
    { sign: callers, code: /\$0\b|\$ENV\s*\{\s*(?:HARNESS|TEST|TAP)_/ },
  ],
  opaque: /(?<![$\w{])#[^\n]*|^=\w[\s\S]*?^=cut\b[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/gm,
  scripts: /\.(?:pl|pm|psgi)$/,
  isAlone: true,
});
