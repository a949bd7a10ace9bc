/**
 * Signs of code that manipulates its judges, by language. Each row was checked against honest commits: `npm run
 * bench:attack-signs`.
 */

export interface AttackSign {
  /** The sign, as the object of "The file adds". */
  readonly sign: string;
  /** Names of dialects. */
  readonly languages: readonly string[];
  /** A line's code, with comments and strings blanked. */
  readonly code?: RegExp;
  /** A string that begins on the line. */
  readonly quoted?: RegExp;
  /** A string assembled from constant parts, which begins on the line. */
  readonly folded?: RegExp;
  /** `load`: only in code that runs when the file is loaded. `decides`: only in a condition or a comparison. */
  readonly when?: "load" | "decides";
  /** A statement that mentions this asks for it. */
  readonly excuse?: RegExp;
  /** Common enough to be accepted if the project already does it elsewhere. */
  readonly isUsual?: true;
}

const python = ["python"];
const script = ["javascript", "typescript", "tsx"];
const go = ["go"];
const rust = ["rust"];
const java = ["java"];
const all = [...python, ...script, ...go, ...rust, ...java, "cpp", "lua", "ruby", "php"];

/** Signs that several tables have. */
export const commonSigns = {
  runner: "the test runner",
  exits: "an exit of the process",
  signals: "a signal handler",
  frames: "an inspection of stack frames or of its own process",
  detection: "a check whether tests are running",
  builtins: "a change of the language's own functions or types",
  madeCode: "code that is generated at run time",
  callers: "an inspection of its callers",
  started: "a check of how it was started or found",
} as const;
const { runner, exits, signals, frames, detection, builtins, madeCode } = commonSigns;
const files = "code that writes files when it is loaded";

/** The beginnings of a language's rows. */
export function signsFor(languages: readonly string[]) {
  const row = (sign: string) => ({ sign, languages });
  return {
    ...{ runner: row(runner), exits: row(exits), signals: row(signals), frames: row(frames) },
    ...{ detection: row(detection), builtins: row(builtins), madeCode: row(madeCode) },
  };
}

export const attackSigns: readonly AttackSign[] = [
  // Python
  { sign: runner, languages: python, code: /\b(?:import|from)\s+(?:_pytest|pluggy)\b/, isUsual: true },
  { sign: runner, languages: python, code: /\b(?:import|from)\s+(?:pytest|unittest|nose)\b/, isUsual: true },
  { sign: runner, languages: python, code: /\b(?:unittest|pytest|_pytest|pluggy)(?:\.\w+)+\s*=(?!=)/ },
  {
    sign: exits,
    languages: python,
    code: /\bos\.(?:_exit|abort)\b|\bfrom\s+os\s+import\b.*\b(?:_exit|abort)\b/,
  },
  { sign: exits, languages: python, code: /\batexit\b/, isUsual: true },
  { sign: exits, languages: python, code: /\bos\.kill\(\s*os\.getpid\b/ },
  {
    sign: exits,
    languages: python,
    code: /\b(?:sys\.exit|exit|quit)\s*\(|\braise\s+SystemExit\b/,
    when: "load",
  },
  {
    sign: signals,
    languages: python,
    code: /\bsignal\.(?:signal|setitimer|alarm)\b|\bfaulthandler\./,
    isUsual: true,
  },
  { sign: frames, languages: python, code: /\bgc\.(?:get_objects|get_referrers|get_referents)\b/ },
  {
    sign: frames,
    languages: python,
    code: /\bsys\.(?:_getframe|_current_frames|settrace|setprofile)\b/,
    isUsual: true,
  },
  {
    sign: frames,
    languages: python,
    code: /\binspect\.(?:stack|currentframe|trace|getouterframes)\b/,
    isUsual: true,
  },
  { sign: frames, languages: python, code: /\bimport\s+ctypes\b|\bfrom\s+ctypes\b/, isUsual: true },
  {
    sign: frames,
    languages: python,
    code: /\btraceback\.(?:extract_stack|walk_stack|format_stack|print_stack)\b|\bfrom\s+traceback\s+import\b.*_stack\b|\.(?:f_back|tb_frame)\b|\.findCaller\(/,
    isUsual: true,
  },
  { sign: frames, languages: python, code: /\bimport\s+__main__\b|\bfrom\s+__main__\b/, isUsual: true },
  {
    sign: madeCode,
    languages: python,
    code: /(?<![\w.])(?:exec|eval)\s*\(|\brunpy\.run_|\bmarshal\.loads?\(|\bspec_from_(?:file_location|loader)\(|\bSource(?:less)?FileLoader\(/,
    isUsual: true,
  },
  { sign: detection, languages: python, code: /\bsys\.(?:orig_)?argv\b/, isUsual: true },
  { sign: detection, languages: python, quoted: /^PYTEST(?:_\w*)?$/ },
  {
    sign: detection,
    languages: python,
    code: /\bin\s+sys\.(?:modules|argv)\b|\bsys\.modules\b/,
    quoted: /^(?:_?pytest|unittest|nose)(?:\.\w+)*$/,
  },
  {
    sign: builtins,
    languages: python,
    code: /\b(?:builtins|__builtins__)(?:\.\w+|\[[^\]]*\])\s*=(?!=)|\bsetattr\(\s*builtins\b/,
  },
  { sign: files, languages: python, code: /\bopen\(/, quoted: /^[wax]b?\+?$/, when: "load" },
  {
    sign: files,
    languages: python,
    code: /\.write_(?:text|bytes)\(|\bshutil\.(?:copy\w*|move)\(|\bos\.(?:remove|rename|replace|unlink)\(/,
    when: "load",
  },
  // JavaScript, TypeScript
  {
    sign: runner,
    languages: script,
    code: /\bimport\b|\brequire\b|\bfrom\b/,
    quoted:
      /^(?:node:test(?:\/.*)?|jest(?:-[\w-]+)?|@jest\/.+|vitest(?:\/.+)?|@vitest\/.+|mocha(?:\/.+)?|jasmine(?:-core)?|ava|uvu(?:\/.+)?|tape?)$/,
    isUsual: true,
  },
  {
    sign: exits,
    languages: script,
    code: /\bprocess\s*\.\s*(?:on|once|addListener|prependListener|prependOnceListener)\s*\(/,
    quoted: /^(?:exit|beforeExit)$/,
    isUsual: true,
  },
  {
    sign: exits,
    languages: script,
    code: /\bprocess\s*\.\s*(?:reallyExit|abort|dlopen)\b|\bprocess\s*\.\s*kill\s*\(\s*process\s*\.\s*pid\b/,
  },
  { sign: exits, languages: script, code: /\bprocess\s*\.\s*exit(?:Code\s*=(?!=)|\s*\()/, isUsual: true },
  {
    sign: signals,
    languages: script,
    code: /\bprocess\s*\.\s*(?:on|once|addListener|prependListener)\s*\(/,
    quoted: /^(?:SIG\w+|uncaughtException|unhandledRejection)$/,
    isUsual: true,
  },
  {
    sign: frames,
    languages: script,
    code: /\bError\s*\.\s*prepareStackTrace\b|\bprocess\s*\.\s*binding\b/,
    isUsual: true,
  },
  {
    sign: frames,
    languages: script,
    code: /\brequire\s*\.\s*cache\b|\bModule\s*\.\s*(?:_load|prototype)\b/,
    isUsual: true,
  },
  {
    sign: detection,
    languages: script,
    code: /\b(?:JEST_WORKER_ID|VITEST(?:_\w+)?|NODE_TEST_CONTEXT|MOCHA_\w+)\b/,
  },
  {
    sign: detection,
    languages: script,
    quoted: /^(?:JEST_WORKER_ID|VITEST(?:_\w+)?|NODE_TEST_CONTEXT|MOCHA_\w+)$/,
  },
  {
    sign: detection,
    languages: script,
    code: /\btypeof\s+(?:jest|vi|describe|it|expect|beforeEach|afterEach)\b|\bglobal(?:This)?\s*\.\s*(?:jest|describe|it|expect)\b/,
  },
  {
    sign: builtins,
    languages: script,
    code: /\b(?:Object|Array|String|Number|Map|Set|Promise|JSON|Math|Date|Function|RegExp|assert|expect)\s*\.\s*(?:prototype\s*\.\s*)?\w+\s*=(?![=>])/,
    isUsual: true,
  },
  {
    sign: frames,
    languages: script,
    code: /\.\s*stack\s*\??\.\s*(?:includes|match|split|indexOf|search|startsWith)\b|\bcaptureStackTrace\b|\bError\s*\([^)]*\)\s*\)?\s*\.\s*stack\b|\{[^}]*\bstack\b[^}]*\}\s*=\s*(?:new\s+)?Error\b/,
    isUsual: true,
  },
  {
    sign: madeCode,
    languages: script,
    code: /(?<![\w.$])eval\s*\(|\bnew\s+Function\s*\(|\b(?:vm\s*\.\s*)?(?:runIn(?:This|New)?Context|compileFunction)\s*\(|\bvm\s*\.\s*Script\b|\._compile\s*\(/,
    isUsual: true,
  },
  { sign: madeCode, languages: script, code: /\bimport\s*\(/, quoted: /^data:/ },
  {
    sign: detection,
    languages: script,
    code: /\bprocess\s*\.\s*(?:argv0?|execArgv)\b|\bnpm_lifecycle_\w+/,
    isUsual: true,
  },
  { sign: detection, languages: script, code: /\bNODE_ENV\b/, quoted: /^test$/, isUsual: true },
  {
    sign: "the tests' assertion library",
    languages: script,
    code: /\bimport\b|\brequire\b|\bfrom\b/,
    quoted: /^(?:(?:node:)?assert(?:\/strict)?|chai(?:\/.*)?|expect(?:\.js)?|should|sinon|power-assert)$/,
    isUsual: true,
  },
  {
    sign: builtins,
    languages: script,
    code: /\b(?:Object\s*\.\s*(?:assign|definePropert(?:y|ies))|Reflect\s*\.\s*set)\s*\(\s*(?:Object|Array|String|Number|Map|Set|Promise|JSON|Math|Date|Function|RegExp|Error)\b|\bsyncBuiltinESMExports\b/,
    isUsual: true,
  },
  // Go
  { sign: runner, languages: go, quoted: /^testing(?:\/.*)?$/, isUsual: true },
  { sign: detection, languages: go, code: /\btesting\.(?:Testing|Short|Verbose|CoverMode)\(/ },
  { sign: detection, languages: go, quoted: /^-?-?test\.\w*$|^\.test(?:\.exe)?$/ },
  { sign: exits, languages: go, code: /\bsyscall\.Exit\b/ },
  {
    sign: exits,
    languages: go,
    code: /\b(?:syscall|unix)\.(?:Exit|Exec|Kill|Dup[23]?|RawSyscall\w*)\b/,
    isUsual: true,
  },
  { sign: frames, languages: go, code: /^\s*(?:import\b.*|_?\s*)$/, quoted: /^(?:unsafe|C)$/, isUsual: true },
  { sign: exits, languages: go, code: /\bos\.Exit\(/, isUsual: true },
  { sign: signals, languages: go, code: /\bsignal\.(?:Notify|NotifyContext|Ignore)\(/, isUsual: true },
  {
    sign: frames,
    languages: go,
    code: /\bruntime\.(?:Callers?|CallersFrames|Stack)\(|\bdebug\.(?:Stack|ReadBuildInfo)\(/,
    isUsual: true,
  },
  { sign: detection, languages: go, code: /\bos\.(?:Args\b|Executable\()/, isUsual: true },
  { sign: madeCode, languages: go, code: /\bplugin\.Open\(/, isUsual: true },
  // Rust
  {
    sign: detection,
    languages: rust,
    code: /\bcfg!\s*\(\s*(?:not\s*\(\s*)?test\b|#!?\[cfg\(not\(test\)\)\]/,
  },
  { sign: detection, languages: rust, code: /\bcfg(?:!\s*\(|\b.*)\bdebug_assertions\b/, isUsual: true },
  {
    sign: detection,
    languages: rust,
    code: /\benv::(?:args(?:_os)?|vars(?:_os)?|current_exe)\s*\(/,
    isUsual: true,
  },
  {
    sign: detection,
    languages: rust,
    code: /\benv::var(?:_os)?\s*\(/,
    quoted: /^CARGO(?:_\w+)?$/,
    isUsual: true,
  },
  { sign: detection, languages: rust, code: /\bthread::current\(\)\s*\.\s*name\(/, isUsual: true },
  {
    sign: exits,
    languages: rust,
    code: /\blibc::(?:_exit|exit|atexit|abort|kill|raise)\b|\basm!\s*\(|\.\s*exec\s*\(\s*\)/,
    isUsual: true,
  },
  { sign: exits, languages: rust, code: /#\[ctor\b|\blink_section\b/ },
  {
    sign: exits,
    languages: rust,
    code: /\bfn\s+(?:_exit|exit|quick_exit|atexit|signal|sigaction)\s*\(.*;\s*$/,
  },
  { sign: exits, languages: rust, code: /\bprocess::(?:exit|abort)\s*\(/, isUsual: true },
  {
    sign: signals,
    languages: rust,
    code: /\blibc::(?:signal|sigaction)\b|\bsignal_hook::|\bpanic::(?:set_hook|take_hook)\b/,
    isUsual: true,
  },
  // Java
  {
    sign: runner,
    languages: java,
    code: /^\s*import\s+(?:static\s+)?(?:org\.junit|junit\.|org\.testng|org\.apache\.maven\.surefire)/,
    isUsual: true,
  },
  {
    sign: exits,
    languages: java,
    code: /\bRuntime\b.*\.\s*halt\s*\(|\.\s*addShutdownHook\s*\(/,
    isUsual: true,
  },
  { sign: exits, languages: java, code: /\bSystem\s*\.\s*exit\s*\(/, isUsual: true },
  {
    sign: signals,
    languages: java,
    code: /\bsun\.misc\.(?:Signal|Unsafe)\b|\bsetDefaultUncaughtExceptionHandler\s*\(/,
    isUsual: true,
  },
  { sign: frames, languages: java, code: /\bStackWalker\b|\bgetStackTrace\s*\(\s*\)/, isUsual: true },
  {
    sign: detection,
    languages: java,
    quoted: /^(?:.*\/)?(?:surefire[./]|org[./]junit|junit\.|org[./]testng)/,
  },
  {
    sign: builtins,
    languages: java,
    code: /\bSystem\s*\.\s*set(?:Out|Err|SecurityManager)\s*\(/,
    isUsual: true,
  },
  {
    sign: runner,
    languages: java,
    quoted: /\bsurefire-reports\b|\bTEST-.*\.xml$|\btest-results\b|^:maven-surefire/,
  },
  { sign: runner, languages: java, code: /\bFileDescriptor\s*\.\s*(?:out|err)\b/, isUsual: true },
  // Everywhere
  { sign: "Millwright's own names", languages: all, code: /\bmillwright_\w/i },
  { sign: "Millwright's own names", languages: all, quoted: /\bmillwright_\w|\.millwright\b/i },
  { sign: frames, languages: all, quoted: /^\/proc\/(?:self|\d|%|\{|$)/, isUsual: true },
];
