/**
 * Signs of code that finds out indirectly who runs it: through other programs, its process's memory, or what the
 * compiler knows.
 */
import { type AttackSign, commonSigns } from "./attack-sign-table.ts";

const python = ["python"];
const script = ["javascript", "typescript", "tsx"];
const go = ["go"];
const rust = ["rust"];
const java = ["java"];
const cpp = ["cpp"];

export const asked = {
  sign: "a program that lists processes",
  excuse:
    /\bprocess|\bprograms?\b|\bcommand|\benviron|\bps\b|\bpid\b|\bhost|\buser|\bgit\b|\bmonitor|\bservice/i,
};
export const memory = {
  sign: "an inspection of its own process's memory or objects",
  excuse:
    /\bmemory|\bheap|\bleak|\breferences?\b|\brefcount|\bgarbage|\bgc\b|\bsubclass|\bidentit|\bperformance|\bprofil|\bbench|\btim(?:e|ing)|\bcache|\bpid\b|\bprocess/i,
};
const build = {
  sign: "an inspection of the program that contains it",
  excuse:
    /\bbuild|\bbuilt\b|\bversion|\bexecutable|\bbinary|\blink|\bsymbol|\bweak\b|\bmodule|\bprogram|\bdebug|\bplugin|\bpath|\bpackage|\binclude/i,
};

const callers = {
  sign: commonSigns.callers,
  excuse: /\bcallers?\b|\blocations?\b|\bbacktrace|\bstack|\btrac(?:e|ing)|\bpanic|\bdebug|\blog/i,
};

const environment = {
  sign: "a check of the environment that it runs in",
  excuse: /\benv|\bvariables?\b|\bhome\b|\bPATH\b|\bshell|\blocale|\bterminal|\bcolou?r|\bconfig|\btemp/i,
};
const personal = /^(?:HOME|PATH|LANG|LC_\w+|TERM|SHELL|TMPDIR|PYTHON\w+)$/;

export const lookSigns: readonly AttackSign[] = [
  {
    ...callers,
    languages: rust,
    code: /\bLocation::caller\s*\(|\bBacktrace::(?:force_)?capture\s*\(/,
    isUsual: true,
  },
  {
    ...callers,
    languages: script,
    // An error that is made to be read, and never thrown: its text has the stack.
    code: /\b(?:inspect|format|String|stringify|structuredClone)\s*\(\s*(?:["'`][^"'`]*["'`]\s*,\s*)?new\s+\w*Error\b/,
    isUsual: true,
  },
  {
    sign: commonSigns.started,
    excuse: /\bmain\b|\bmodules?\b|\bcommand|\bCLI\b|\bscript|\brequire|\bimport|\brun\b/i,
    languages: script,
    code: /\bcreateRequire\s*\([^)]*\)\s*\.\s*(?:main|cache)\b/,
    isUsual: true,
  },
  {
    ...asked,
    languages: [...python, ...script, ...go, ...rust, ...java, ...cpp, "ruby", "php"],
    code: /\b(?:subprocess|Popen|popen|system|spawn(?:Sync)?|exec\w*|shell_exec|passthru|proc_open|capture\w*|Command|ProcessBuilder)\b/,
    quoted: /^(?:\/(?:usr\/)?bin\/)?(?:ps|pgrep|pidof|pstree|lsof|env|printenv|tty|top)(?:\s|$)/,
    isUsual: true,
  },
  {
    ...memory,
    languages: python,
    code: /\bsys\.(?:getrefcount|getallocatedblocks|_current_\w+)\(|(?<![\w.])(?:object|type|int|str|dict|list|Exception|BaseException)\.__subclasses__\(|(?<![\w.])id\(\s*["'\d]|(?<![\w.])id\([^()]*\)\s*(?:%|&|>>|\/\/)|\bos\.(?:get_blocking|get_inheritable|device_encoding|getpgrp|tcgetpgrp)\(/,
    isUsual: true,
  },
  {
    sign: "a check of installed packages",
    languages: python,
    code: /\bpackages_distributions\(|\bmetadata\.distributions\(|\bpkg_resources\.working_set\b|\bpkgutil\.(?:iter_modules|walk_packages)\(\s*\)/,
    excuse:
      /\bpackages?\b|\bplug-?ins?\b|\binstall|\bdepend|\bdistribution|\bentry|\bversions?\b|\bmodules?\b/i,
    isUsual: true,
  },
  {
    ...memory,
    languages: script,
    code: /\bperformance\s*\.\s*(?:nodeTiming|timeOrigin|eventLoopUtilization|getEntries\w*)\b|\bgetHeap\w*Statistics\s*\(|\bgetCachedDataVersionTag\s*\(|\bqueryObjects\s*\(/,
    isUsual: true,
  },
  {
    sign: commonSigns.madeCode,
    languages: script,
    code: /(?<![\w.$])Function\s*\(/,
  },
  {
    sign: commonSigns.madeCode,
    languages: script,
    code: /\.\s*constructor\s*\(/,
    quoted: /^\s*return\b/,
  },
  {
    ...build,
    languages: go,
    code: /\bdebug\.ReadBuildInfo\(|\bos\.Executable\(|\bexpvar\.Get\(|\bpprof\.Lookup\(|\bmetrics\.Read\(/,
    isUsual: true,
  },
  {
    ...build,
    languages: rust,
    code: /\b(?:env::)?current_exe\s*\(|\benv::vars(?:_os)?\s*\(\s*\)\s*\.\s*count\b|\bargs(?:_os)?\s*\(\s*\)\s*\.\s*(?:count|len)\b/,
    isUsual: true,
  },
  {
    ...build,
    languages: cpp,
    code: /__attribute__\s*\(\(\s*_*weak_*\s*\)\)|#\s*pragma\s+weak\b|\bprogram_invocation_(?:short_)?name\b|__(?:TIME|DATE|TIMESTAMP|BASE_FILE|INCLUDE_LEVEL|COUNTER)__|\b__builtin_(?:return|frame)_address\b|\b(?:dladdr|dl_iterate_phdr|getauxval|getprogname)\s*\(/,
    isUsual: true,
  },
  { ...build, languages: cpp, code: /\b__has_include\s*\(/, quoted: /tests?\b|_test|^\.\.\//i },
  // The environment as a whole, or a part that differs between people and machines.
  {
    ...environment,
    languages: python,
    code: /\blen\(\s*os\.environ\s*\)|\b(?:sorted|list|set|dict|any|all|sum|str|repr)\(.*\bos\.environ\b(?!\s*[[.])/,
    isUsual: true,
  },
  { ...environment, languages: python, code: /\benviron\b|\bgetenv\b/, quoted: personal, isUsual: true },
  {
    ...environment,
    languages: script,
    code: /\bObject\s*\.\s*(?:keys|entries|values)\s*\(\s*process\s*\.\s*env\s*\)|\bprocess\s*\.\s*env\s*\.\s*(?:HOME|PATH|LANG|TERM|SHELL|TMPDIR|NODE_OPTIONS)\b/,
    isUsual: true,
  },
  { ...environment, languages: go, code: /\bos\.Environ\(/, isUsual: true },
  { ...environment, languages: go, code: /\bos\.(?:Getenv|LookupEnv)\(/, quoted: personal, isUsual: true },
  { ...environment, languages: rust, code: /\benv::var(?:_os)?\s*\(/, quoted: personal, isUsual: true },
  { ...environment, languages: java, code: /\bSystem\s*\.\s*getenv\s*\(\s*\)/, isUsual: true },
  // An inspection of the interpreter
  {
    ...memory,
    languages: python,
    code: /\b(?:globals|locals|vars|dir)\(\s*\)|\bdir\(\s*__builtins__|\bsys\.(?:displayhook|getswitchinterval|thread_info|exc_info|ps1|stdout\.encoding)\b|\bget_running_loop\(|\bcopy_context\(|\.__code__\b/,
    when: "decides",
    isUsual: true,
  },
  {
    ...memory,
    languages: python,
    code: /\b(?:has|get)attr\(\s*sys\b/,
    quoted: /^(?:ps[12]|frozen|gettotalrefcount)$/,
    isUsual: true,
  },
  {
    ...memory,
    languages: python,
    code: /\b__import__\s*\(/,
    quoted: /^(?:gc|sys|inspect|traceback|os)$/,
    isUsual: true,
  },
  { ...memory, languages: script, code: /\bError\s*\.\s*stackTraceLimit\b/, when: "decides", isUsual: true },
];
