/** Signs of an attack in Go. */
import { dirname } from "node:path";
import {
  account,
  accounts,
  besides,
  bits,
  build,
  built,
  clock,
  commonSigns,
  digests,
  encoded,
  environment,
  laterArguments,
  levels,
  limits,
  machine,
  network,
  ownArguments,
  ownCaller,
  ownFolder,
  ownPlace,
  ownStart,
  ownStreams,
  pause,
  personal,
  places,
  programArguments,
  region,
  sources,
  standardStreams,
  terminal,
  testPaths,
  tests,
  unawaited,
  zones,
} from "./attack-sign-kinds.ts";
import { defineGuards, type ReadLine } from "./contract.ts";
import { packageOf } from "./package-of.ts";

const { runner, exits, signals, frames, detection, madeCode } = commonSigns;

export default defineGuards({
  languages: ["go"],
  signs: [
    { ...pause, code: /\btime\s*\.\s*Sleep\s*\(|<-\s*time\s*\.\s*After\s*\(/ },
    {
      ...limits,
      code: /\bdebug\s*\.\s*Set(?:MaxStack|GCPercent|MaxThreads|MemoryLimit)\s*\(|\bruntime\s*\.\s*GOMAXPROCS\s*\(\s*[1-9]/,
    },
    { ...zones, code: /\btime\s*\.\s*Local\s*=(?!=)/ },
    {
      ...levels,
      code: /\blog\s*\.\s*SetOutput\s*\(\s*io\s*\.\s*Discard\b|\bslog\s*\.\s*SetLogLoggerLevel\s*\(|\blog\w*\s*\.\s*SetLevel\s*\(/,
    },
    { sign: runner, quoted: /^testing(?:\/.*)?$/, isUsual: true },
    { sign: detection, code: /\btesting\.(?:Testing|Short|Verbose|CoverMode)\(/ },
    { sign: detection, quoted: /^-?-?test\.\w*$|^\.test(?:\.exe)?$/ },
    { sign: exits, code: /\bsyscall\.Exit\b/ },
    {
      sign: exits,
      code: /\b(?:syscall|unix)\.(?:Exit|Exec|Kill|Dup[23]?|RawSyscall\w*)\b/,
      isUsual: true,
    },
    { sign: frames, code: /^\s*(?:import\b.*|_?\s*)$/, quoted: /^(?:unsafe|C)$/, isUsual: true },
    { sign: exits, code: /\bos\.Exit\(/, isUsual: true },
    { sign: signals, code: /\bsignal\.(?:Notify|NotifyContext|Ignore)\(/, isUsual: true },
    {
      sign: frames,
      code: /\bruntime\.(?:Callers?|CallersFrames|Stack)\(|\bdebug\.(?:Stack|ReadBuildInfo)\(/,
      isUsual: true,
    },
    { ...programArguments, code: /\bos\.Args\b(?!\s*\[\s*[1-9]\d*\s*:)/ },
    { ...laterArguments, code: /\bos\.Args\s*\[\s*[1-9]\d*\s*:/ },
    { sign: detection, code: /\bos\.Executable\(/, isUsual: true },
    { sign: madeCode, code: /\bplugin\.Open\(/, isUsual: true },
    {
      ...terminal,
      code: /\b(?:term|terminal)\.IsTerminal\(|\bisatty\.\w+\(|\bModeCharDevice\b/,
      isUsual: true,
    },
    {
      ...terminal,
      code: /\bos\.Std(?:in|out|err)\.Stat\(|\bos\.Std(?:in|out|err)\.(?:Seek|SyscallConn)\(|\b(?:syscall|unix)\.(?:Fstat|IoctlGet\w+)\(\s*(?:[012]\b|int\(os\.Std)/,
      isUsual: true,
    },
    { ...terminal, code: /\bos\.(?:Stat|Lstat|Open|Readlink)\(/, quoted: standardStreams, isUsual: true },
    { ...account, code: /\bos\.(?:Getenv|LookupEnv)\(/, quoted: accounts },
    { ...places, code: /\bos\.(?:Stat|Lstat|Open)\(/, quoted: besides },
    {
      ...tests,
      code: /\bReadFile\(|\bReadDir\(|\bGlob\(|\bWalk(?:Dir)?\(|\bos\.Open\(|\bembed\b/,
      quoted: testPaths,
    },
    {
      ...tests,
      code: /\bGlob\(|\bHasSuffix\(|\bfilepath\.Ext\(/,
      quoted: sources,
      isUsual: true,
    },
    {
      ...clock,
      code: /\btime\.(?:Now|Since|Until)\(|\b(?:syscall|unix)\.(?:Gettimeofday|Time|Sysinfo|ClockGettime)\(|\brand\.\w+\(|\.ModTime\(|\bos\.Getp?pid\(/,
      isUsual: true,
    },
    { ...digests, quoted: /^(?:hash\/\w+|crypto\/(?:md5|sha\d+|hmac))$/, isUsual: true },
    { ...encoded, quoted: /^encoding\/(?:base64|hex|gob|ascii85|base32)$/, isUsual: true },
    {
      ...built,
      code: /\bruntime\.(?:GOOS|GOARCH|Compiler|Version\()/,
      isUsual: true,
    },
    {
      ...machine,
      code: /\bruntime\.(?:NumCPU|NumGoroutine|GOMAXPROCS|ReadMemStats)\(|\bos\.Gete?[ug]id\(|\bnet\.Interface(?:s|Addrs|ByName|ByIndex)\(|\buser\.Current\(|\bflag\.(?:NFlag|NArg|Parsed|VisitAll|Visit|Lookup|CommandLine)\b/,
      isUsual: true,
    },
    {
      ...region,
      code: /\btime\.Local\b(?!\s*=[^=])/,
      isUsual: true,
    },
    {
      ...network,
      code: /\bnet\.Lookup\w+\(|\bos\.Hostname\(/,
      isUsual: true,
    },
    {
      sign: "a dot import of a standard package",
      code: /^\s*(?:import\s+)?\.\s*$/,
      quoted: /^(?:os|os\/\w+|runtime|runtime\/\w+|time|testing|flag|syscall|math\/rand|unsafe)$/,
    },
    {
      ...build,
      code: /\bdebug\.ReadBuildInfo\(|\bos\.Executable\(|\bexpvar\.Get\(|\bpprof\.Lookup\(|\bmetrics\.Read\(/,
      isUsual: true,
    },
    { ...environment, code: /\bos\.Environ\(/, isUsual: true },
    { ...environment, code: /\bos\.(?:Getenv|LookupEnv)\(/, quoted: personal, isUsual: true },
    { ...unawaited, code: /^\s*go\s+[\w.]+\s*[({]/, isUsual: true },
    {
      ...bits,
      code: /\bbits\.(?:Len|OnesCount|LeadingZeros|TrailingZeros)\w*\([^()]*\)\s*[=!]=/,
      isUsual: true,
    },
  ],
  definition: { opens: /\{/, name: /^func\s*\([^)]*\)\s*(\w+)/, noise: /[\s;}]/g },
  droppedErrors: /^\s*_\s*(?:,\s*_\s*)?=\s*\S.*\(|,\s*_\s*:?=\s*\S.*\(/,
  names: {
    ending: /\.go$/,
    defines: /^(?:func|var|const|type)\s+([A-Za-z_]\w*)/,
    ofLanguage: new Set(
      "nil true false iota error string bool int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 byte rune float32 float64 any comparable append cap clear close complex copy delete imag len make max min new panic print println real recover".split(
        " ",
      ),
    ),
    isSeen: ({ path, text }, file) =>
      dirname(path) === dirname(file) && !/_test$/.test(packageOf(text) ?? ""),
  },
  aliases: findAliases,
  reveals: [
    { sign: ownArguments, code: /\bos\.Args\s*\[\s*[1-9]\d*\s*:[^\]\n]*\]/g },
    { sign: ownStart, code: /\bos\.Args\s*\[\s*0\s*\]/g },
    { sign: ownPlace, code: /\.(?:FuncForPC|Caller|GOROOT)\(|\.FileLine\(|\.PkgPath\(\)/g },
    {
      sign: ownFolder,
      code: /\bos\.Getwd\(|\bfilepath\.(?:Abs|EvalSymlinks)\(\s*["`]|\bfilepath\.(?:Glob|Walk|WalkDir)\(\s*["`](?!\/)|\bos\.(?:ReadDir|DirFS)\(\s*["`](?!\/)/g,
    },
    { sign: ownCaller, code: /\bL(?:short|long)file\b|\bAddSource\b/g, fills: true },
    { sign: ownStreams, code: /\bos\.Std(?:in|out|err)\.(?:Stat|Fd|Name)\(|\bModeNamedPipe\b/g },
    // `in := os.Stdin`, or `os.Stdin` as an argument, and later `in.Stat()`.
    {
      sign: ownStreams,
      code: /\bos\.Std(?:in|out|err)\b(?!\.)/g,
      member: /^(?:Stat|Fd|Name|Seek|SyscallConn)$/,
    },
  ],
});

function findAliases(lines: readonly ReadLine[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { code, strings } of lines) {
    const [, as = ""] = /^\s*(?:import\s+)?([A-Za-z]\w*)\s*$/.exec(code) ?? [];
    const [path] = strings;
    const name = path?.split("/").at(-1) ?? "";
    if (as !== "" && as !== "import" && as !== name && /^[\w/]+$/.test(path ?? "")) names.set(as, name);
  }
  return names;
}
