/** Signs of an attack in C and C++. */
import {
  account,
  accounts,
  build,
  built,
  clock,
  commonSigns,
  effect,
  environment,
  machine,
  pause,
  personal,
  standardStreams,
  terminal,
  unawaited,
} from "./attack-sign-kinds.ts";
import { defineGuards } from "./contract.ts";

const { runner, exits, frames, detection, builtins } = commonSigns;
const library =
  "main|if|else|for|while|return|switch|int|str(?:n|case|ncase)?cmp|memcmp|fprintf|printf|v?f?printf|puts|fputs|putchar|perror|abort|exit|_exit|f?abs|raise|signal";
/** Functions with which a test decides its result. A definition in the code replaces them in the test's program. */
const defined =
  "str(?:n|case|ncase)?cmp|strstr|strlen|memcmp|fprintf|printf|vf?printf|puts|fputs|perror|abort|exit|_exit|f?abs|raise|signal|write|__assert\\w*|__wrap_\\w+|__stack_chk_fail";

/** A C++ overload, recognised by a parameter such as `const Matrix&`. Its symbol differs, so it replaces nothing. */
const overload =
  "(?:f?abs|exit|abort|raise|signal|write|f?printf|f?puts)\\s*\\([^;{)]*\\b(?!(?:const|char|void|short|int|long|unsigned|float|double|bool|\\w+_t)\\b)[A-Za-z_]\\w*(?:<[^(){};]*>)?\\s*&";

export default defineGuards({
  languages: ["cpp"],
  signs: [
    { ...pause, code: /(?<![\w.>])(?:std::this_thread::)?(?:sleep|usleep|nanosleep|sleep_for)\s*\(/ },
    {
      sign: exits,
      code: /(?<![\w.>])(?:std::|::)?(?:_exit|_Exit|quick_exit|exec[lv][pe]{0,2}|execveat|fexecve)\s*\(|\bSYS_exit\w*|__attribute__\s*\(\(\s*constructor|\basm\s*(?:volatile\s*)?\(/,
      isUsual: true,
    },
    {
      sign: exits,
      code: /(?<![\w.>:])(?:std::|::)?(?:exit|atexit|at_quick_exit)\s*\(/,
      isUsual: true,
    },
    {
      sign: runner,
      code: /\b(?:testing::(?:Test|UnitTest|internal)|Catch::|doctest::)|#\s*include\s*<(?:gtest|gmock|catch2|doctest)\b/,
      isUsual: true,
    },
    { sign: runner, quoted: /^GTEST_|^CTEST_|\bctest\.log\b|\bjunit\.xml\b/ },
    {
      sign: "a change of the assertions that tests use",
      code: /^\s*#\s*(?:define|undef)\s+(?:NDEBUG|assert|static_assert|(?:EXPECT|ASSERT|CHECK|REQUIRE|TEST|SECTION)(?:_\w+)?)\b/,
      isUsual: true,
    },
    { sign: frames, code: /(?<![\w.>])(?:dlsym|ptrace|backtrace)\s*\(/, isUsual: true },
    {
      sign: builtins,
      code: new RegExp(`^\\s*#\\s*define\\s+(?:${library})\\b`),
    },
    {
      sign: "a definition of a function of the C library",
      code: new RegExp(
        `^(?!static\\b)(?:(?!return\\b|else\\b)[A-Za-z_][\\w\\s*]*[\\s*])?(?:(?<=^extern\\b.*)|(?!${overload}))(?:${defined})\\s*\\([^;]*(?:\\{.*)?$`,
      ),
      isUsual: true,
    },
    {
      ...built,
      code: /^\s*#\s*(?:if|ifdef|ifndef|elif)\b.*\b(?:NDEBUG|__OPTIMIZE__|DEBUG|_DEBUG|__linux__|__unix__|\w+_EXPORTS|__(?:OPTIMIZE_SIZE|NO_INLINE|PIC|pic|PIE|pie|SSP\w*|SANITIZE_\w+)__)\b/,
      isUsual: true,
    },
    {
      sign: detection,
      // Names from headers that a test's file includes before the code.
      code: /^\s*#\s*(?:if|ifdef|ifndef|elif)\b.*\b(?:assert|_(?:ASSERT|STRING|STDIO|STDLIB|MATH|ERRNO|TIME|SIGNAL|SETJMP|UNISTD)_H|(?:GTEST|GMOCK|CATCH|DOCTEST|BOOST_TEST|CPPUTEST|CMOCKA|MUNIT)_\w+)\b/,
      isUsual: true,
    },
    { ...effect, code: /(?<![\w.])assert\s*\(.*(?:(?<![=!<>[])=(?!=)|\+\+|--)/ },
    {
      ...build,
      code: /__attribute__\s*\(\(\s*_*weak_*\s*\)\)|#\s*pragma\s+weak\b|\bprogram_invocation_(?:short_)?name\b|__(?:TIME|DATE|TIMESTAMP|BASE_FILE|INCLUDE_LEVEL|COUNTER)__|\b__builtin_(?:return|frame)_address\b|\b(?:dladdr|dl_iterate_phdr|getauxval|getprogname)\s*\(/,
      isUsual: true,
    },
    { ...build, code: /\b__has_include\s*\(/, quoted: /tests?\b|_test|^\.\.\//i },
    {
      ...terminal,
      code: /(?<![\w.>])(?:::)?(?:_?isatty|ttyname(?:_r)?|tcgetattr|ctermid|fstat\s*\(\s*(?:[012]\b|STD\w+_FILENO|fileno\s*\(\s*std))(?:\s*\(|\b)/,
      isUsual: true,
    },
    {
      ...terminal,
      code: /(?<![\w.>])(?:open|fopen|l?stat|readlink|access)\s*\(/,
      quoted: standardStreams,
      isUsual: true,
    },
    {
      ...account,
      code: /(?<![\w.>])(?:::)?(?:gete?[ug]id|getres[ug]id|getlogin(?:_r)?|getpwuid(?:_r)?|cuserid|gethost(?:name|id)|uname)\s*\(/,
      isUsual: true,
    },
    { ...account, code: /(?<![\w.>])(?:std::|::)?(?:secure_)?getenv\s*\(/, quoted: accounts },
    {
      ...environment,
      code: /(?<![\w.>])(?:std::|::)?(?:secure_)?getenv\s*\(/,
      quoted: personal,
      isUsual: true,
    },
    { ...environment, code: /(?<![\w.>])(?:extern\s+char\s*\*\*\s*)?environ\b(?!\s*\()/, isUsual: true },
    {
      ...machine,
      code: /(?<![\w.>])(?:::)?(?:sysconf\s*\(\s*_SC_(?:NPROC|AVPHYS|PHYS|HOST)|(?:sysinfo|getloadavg|get_nprocs(?:_conf)?|sched_getaffinity|getrusage|getifaddrs|if_nameindex)\s*\()|\bhardware_concurrency\s*\(/,
      isUsual: true,
    },
    {
      ...clock,
      code: /(?<![\w.>:])(?:std::|::)?(?:time\s*\(\s*(?:\([^()]*\)\s*)?(?:NULL|nullptr|0|&[^()]*)\s*\)|(?:f?times?)\s*\(\s*&|(?:clock|rand|random|[dlm]rand48|getpp?id|getpgrp|gettid)\s*\(\s*\)|(?:clock_gettime|gettimeofday|timespec_get|getsid|getpgid|arc4random\w*|getrandom|getentropy|__rdtscp?)\s*\()|\b(?:system|steady|high_resolution|utc)_clock\b|\brandom_device\b/,
      isUsual: true,
    },
    {
      ...unawaited,
      code: /\.\s*detach\s*\(\s*\)|\bpthread_(?:create|detach)\b/,
      isUsual: true,
    },
  ],
  opaque: /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'/g,
});
