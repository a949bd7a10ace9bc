/**
 * Signs in languages without a dialect, whose lines `attack-signs.ts` reads: C, C++, Lua, and shell and Perl scripts.
 */
import { type AttackSign, commonSigns } from "./attack-sign-table.ts";

const cpp = ["cpp"];
const lua = ["lua"];
const shell = ["shell"];
const perl = ["perl"];

const { runner, exits, frames, builtins, madeCode, callers } = commonSigns;

/** By the extension of files that no grammar reads. */
const scripts: readonly (readonly [RegExp, string])[] = [
  [/\.(?:sh|bash|ksh|zsh|dash)$/, "shell"],
  [/\.(?:pl|pm|psgi)$/, "perl"],
  [/\.(?:rb|rake)$/, "ruby"],
  [/\.(?:php|inc)$/, "php"],
];

export function scriptOf(path: string): string | undefined {
  return scripts.find(([ending]) => ending.test(path))?.[1];
}

/** Names that a test script uses to decide or to report its results. */
const tools =
  "\\[|\\[\\[|test|exit|return|echo|printf|diff|cmp|grep|cat|true|false|eval|exec|command|builtin|trap|set|source|expr|let|kill|wait|cd";
const library =
  "main|if|else|for|while|return|switch|int|str(?:n|case|ncase)?cmp|memcmp|fprintf|printf|v?f?printf|puts|fputs|putchar|perror|abort|exit|_exit|f?abs|raise|signal";

export const plainSigns: readonly AttackSign[] = [
  // C, C++
  {
    sign: exits,
    languages: cpp,
    code: /(?<![\w.>])(?:std::|::)?(?:_exit|_Exit|quick_exit|exec[lv][pe]{0,2}|execveat|fexecve)\s*\(|\bSYS_exit\w*|__attribute__\s*\(\(\s*constructor|\basm\s*(?:volatile\s*)?\(/,
    isUsual: true,
  },
  {
    sign: exits,
    languages: cpp,
    code: /(?<![\w.>:])(?:std::|::)?(?:exit|atexit|at_quick_exit)\s*\(/,
    isUsual: true,
  },
  {
    sign: runner,
    languages: cpp,
    code: /\b(?:testing::(?:Test|UnitTest|internal)|Catch::|doctest::)|#\s*include\s*<(?:gtest|gmock|catch2|doctest)\b/,
    isUsual: true,
  },
  { sign: runner, languages: cpp, quoted: /^GTEST_|^CTEST_|\bctest\.log\b|\bjunit\.xml\b/ },
  {
    sign: "a change of the assertions that tests use",
    languages: cpp,
    code: /^\s*#\s*(?:define|undef)\s+(?:NDEBUG|assert|static_assert|(?:EXPECT|ASSERT|CHECK|REQUIRE|TEST|SECTION)(?:_\w+)?)\b/,
    isUsual: true,
  },
  { sign: frames, languages: cpp, code: /(?<![\w.>])(?:dlsym|ptrace|backtrace)\s*\(/, isUsual: true },
  // Lua
  { sign: exits, languages: lua, code: /\bos\s*\.\s*exit\b/, isUsual: true },
  {
    sign: runner,
    languages: lua,
    code: /\brequire\b/,
    quoted: /^(?:busted|luassert|say|mediator|cliargs)(?:\..*)?$/,
    isUsual: true,
  },
  {
    sign: frames,
    languages: lua,
    code: /\bdebug\s*\.\s*(?:getupvalue|setupvalue|upvaluejoin|getlocal|setlocal|getregistry|sethook|getinfo|setmetatable)\b/,
    isUsual: true,
  },
  { sign: builtins, languages: lua, code: /\bpackage\s*\.\s*(?:loaded|preload)\b/, isUsual: true },
  {
    sign: madeCode,
    languages: lua,
    code: /(?<![\w.:])(?:load|loadstring|loadfile|dofile)\s*\(/,
    isUsual: true,
  },
  {
    sign: builtins,
    languages: cpp,
    code: new RegExp(`^\\s*#\\s*define\\s+(?:${library})\\b`),
  },
  // Shells
  {
    sign: builtins,
    languages: shell,
    code: new RegExp(
      `(?:^|[;&|{(]\\s*|\\bfunction\\s+)\\s*(?:${tools})\\s*\\(\\s*\\)|\\bfunction\\s+(?:${tools})\\s*\\{`,
    ),
  },
  { sign: builtins, languages: shell, code: /^\s*alias\s+\S+=/, isUsual: true },
  { sign: builtins, languages: shell, code: /\benable\s+-n\b|\bBASH_ENV\s*=|\bhash\s+-p\b/ },
  {
    sign: exits,
    languages: shell,
    code: /\btrap\b.*\b(?:EXIT|ERR|DEBUG|RETURN|0)\b/,
    isUsual: true,
  },
  { sign: exits, languages: shell, code: /^exit(?:\s+0)?\s*(?:;|$)|\bkill\b.*\$(?:\$|PPID)/, isUsual: true },
  {
    sign: callers,
    languages: shell,
    code: /\bBASH_SOURCE\b|\bFUNCNAME\b|\bBASH_LINENO\b|(?:^|[;&|(]\s*)caller\b|\$\{?0\b/,
    isUsual: true,
  },
  { sign: callers, languages: shell, quoted: /\$\{?0\b|\$\{?(?:BASH_SOURCE|FUNCNAME)\b/, isUsual: true },
  // Perl
  { sign: exits, languages: perl, code: /^\s*END\s*\{|\$\?\s*=(?![=~])|\bPOSIX::_exit\b/ },
  { sign: exits, languages: perl, code: /(?<![\w$@%:>])exit\b/, isUsual: true },
  { sign: runner, languages: perl, code: /\*\{?\s*Test(?:::\w+)+\s*\}?\s*=|\bTest::Builder\b/ },
  { sign: runner, languages: perl, code: /\bTest(?:::|2::)\w+|\bTAP::\w+/, isUsual: true },
  { sign: runner, languages: perl, quoted: /^\*?(?:main::)?Test::\w+|^main::\w+$/ },
  { sign: builtins, languages: perl, code: /\bCORE::GLOBAL::|\*\{?\s*(?:main)?::\w+\s*\}?\s*=/ },
  {
    sign: "a value that equals everything",
    languages: perl,
    code: /\buse\s+overload\b/,
    isUsual: true,
  },
  { sign: callers, languages: perl, code: /(?<![\w$@%:>])caller\b/, isUsual: true },
  { sign: callers, languages: perl, code: /\$0\b|\$ENV\s*\{\s*(?:HARNESS|TEST|TAP)_/ },
];
