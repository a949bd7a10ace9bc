/** Signs of code that is only correct in test builds, test runs or on the machine that runs the tests. */
import { type AttackSign, commonSigns } from "./attack-sign-table.ts";

const python = ["python"];
const script = ["javascript", "typescript", "tsx"];
const go = ["go"];
const rust = ["rust"];
const java = ["java"];
const cpp = ["cpp"];

export const built = {
  sign: "a branch on how, or for which target, it is built",
  excuse:
    /\bbuild|\bbuilt\b|\bfeature|\brelease|\bdebug|\bcfg\b|\bprofile|\bcompil|\bplatform|\b(?:OS|GOOS|GOARCH)\b|linux|windows|\bwin(?:32|64)\b|mac\s?os|darwin|unix|posix|android|bsd|\barch|\btags?\b|\bno[_-]std|\bwasm|\bassert|\bMSRV|\bversions?\b|\bpython ?[23]|\bnode(?:js)?\b|\bruntime|\bproduction|\bdevelopment|\bdev\b|\bNODE_ENV|\bmode\b|\bcompat|\bsupport/i,
};
export const machine = {
  sign: "a check of the machine or of its own threads",
  excuse:
    /\bprocessors?\b|\bcpus?\b|\bcores?\b|\bparallel|\bworkers?\b|\bthreads?\b|\bconcurren|\bgoroutine|\brace|\block|\broot\b|\bpermission|\b[ug]id\b|\bmemory|\bheap\b|\bhome|\bwidth|\bcolumns?\b|\bterminal|\btte?mp|\bjobs?\b|\bpool|\basync|\bleak|\blogg?/i,
};
export const started = {
  sign: commonSigns.started,
  excuse:
    /__main__|\bmain\b|\bimport|\bmodules?\b|\bpackages?\b|\bpaths?\b|\bfiles?\b|\bload|\bresource|\bzip|\bplugins?\b|\bscripts?\b|\bcli\b|\bcommand|\bentry|\bdepend|\boptional|\binstall|\bESM\b|\bCommonJS|\bCJS\b|\bbundl/i,
};
export const streams = {
  sign: "a check of the target of its output",
  excuse:
    /\bstd(?:in|out|err)|\btty|\bterminal|\bconsole|\bcolou?r|\bencod|\bunicode|\butf|\boutput|\bprint|\bpip(?:e|ed|ing)\b|\bstreams?\b|\bbuffer|\binput|\bcaptur|\bredirect/i,
};
const region = {
  sign: "a check of the machine's locale",
  excuse:
    /\blocale|\bencod|\blanguage|\bintl|\bi18n|\btranslat|\bzone|\bdates?\b|\btime|\bunicode|\butf|\bcurrency|\bformat/i,
};
const effect = { sign: "an assertion with a side effect" };

export const buildSigns: readonly AttackSign[] = [
  // How the code is built
  {
    ...built,
    languages: python,
    code: /\bsys\.flags\b|\bsys\.implementation\b|\bplatform\.\w+\(|\bsys\.platform\b|\bos\.name\b/,
    when: "decides",
    isUsual: true,
  },
  { ...built, languages: python, code: /\b__debug__\b/, isUsual: true },
  {
    ...built,
    languages: script,
    code: /\bNODE_ENV\b|\bprocess\s*\.\s*(?:platform|arch|versions?)\b|\bos\s*\.\s*(?:platform|arch|type|release)\s*\(/,
    isUsual: true,
  },
  {
    ...built,
    languages: go,
    code: /\bruntime\.(?:GOOS|GOARCH|Compiler|Version\()/,
    isUsual: true,
  },
  {
    ...built,
    languages: rust,
    code: /\bcfg(?:_attr)?!?\s*\(.*\b(?:feature|panic|overflow_checks|target_\w+|unix|windows)\b|\boption_env!/,
    isUsual: true,
  },
  { ...built, languages: rust, quoted: /^cargo::?rustc-(?:cfg|env)=/, isUsual: true },
  {
    ...built,
    languages: rust,
    code: /\benv::var(?:_os)?\s*\(/,
    quoted: /^(?:PROFILE|OPT_LEVEL|DEBUG|TARGET|HOST)$/,
    isUsual: true,
  },
  {
    ...built,
    languages: java,
    code: /\bdesiredAssertionStatus\s*\(|\bRuntime\s*\.\s*version\s*\(/,
    isUsual: true,
  },
  {
    ...built,
    languages: java,
    quoted: /^(?:os\.\w+|java\.(?:version|vendor|class\.path)|basedir)$/,
    isUsual: true,
  },
  {
    ...built,
    languages: cpp,
    code: /^\s*#\s*(?:if|ifdef|ifndef|elif)\b.*\b(?:NDEBUG|__OPTIMIZE__|DEBUG|_DEBUG|__linux__|__unix__|\w+_EXPORTS)\b/,
    isUsual: true,
  },
  // Where the code runs
  {
    ...machine,
    languages: python,
    code: /\bos\.(?:cpu_count|process_cpu_count|sched_getaffinity|gete?[ug]id|getloadavg|getpriority|nice|statvfs|getpgid|getsid)\(|\bshutil\.disk_usage\(|\bresource\.get\w+\(|\bthreading\.(?:current_thread|main_thread|active_count|enumerate|get_ident)\(|\bsocket\.create_connection\(|\btempfile\.gettempdir\(|\bsys\.getsizeof\(/,
    isUsual: true,
  },
  {
    ...machine,
    languages: script,
    code: /\bos\s*\.\s*(?:cpus|availableParallelism|totalmem|freemem|loadavg|homedir|networkInterfaces)\s*\(|\bprocess\s*\.\s*(?:gete?[ug]id|memoryUsage|cpuUsage|resourceUsage|umask)\b|\bstd(?:out|err)\s*\??\.\s*columns\b|\bisMainThread\b|\bthreadId\b|\bhardwareConcurrency\b/,
    isUsual: true,
  },
  {
    ...machine,
    languages: go,
    code: /\bruntime\.(?:NumCPU|NumGoroutine|GOMAXPROCS|ReadMemStats)\(|\bos\.Gete?[ug]id\(|\buser\.Current\(|\bflag\.(?:NFlag|NArg|Parsed|VisitAll|Visit|Lookup|CommandLine)\b/,
    isUsual: true,
  },
  {
    ...machine,
    languages: rust,
    code: /\bavailable_parallelism\b|\bnum_cpus::|\blibc::gete?[ug]id\b|\bthread::current\b|\bthread::\{[^}]*\bcurrent\b/,
    isUsual: true,
  },
  {
    ...machine,
    languages: java,
    code: /\bavailableProcessors\s*\(|\b(?:total|free|max)Memory\s*\(|\bManagementFactory\b|\bgetAllStackTraces\s*\(|\bactiveCount\s*\(|\bisHeadless\s*\(|\bcurrentThread\s*\(\s*\)\s*\.\s*(?:getName|getThreadGroup|getContextClassLoader|getId|threadId)\b/,
    isUsual: true,
  },
  {
    ...machine,
    languages: [...python, ...script, ...go, ...rust, ...java, ...cpp, "ruby", "php"],
    quoted: /^\/(?:\.dockerenv|sys|proc|etc\/(?:hostname|machine-id|shadow|hosts|resolv\.conf))(?:\/|$)/,
    isUsual: true,
  },
  {
    ...region,
    languages: python,
    code: /\blocale\.(?:getlocale|getdefaultlocale|getpreferredencoding|setlocale|localeconv)\(|\btime\.(?:timezone|altzone|daylight|tzname)\b/,
    isUsual: true,
  },
  { ...region, languages: script, code: /\bresolvedOptions\s*\(/, isUsual: true },
  {
    ...streams,
    languages: python,
    code: /\bsys\.std(?:in|out|err)\.(?:name|line_buffering|fileno|closed|mode|newlines|write_through|__class__)\b|\b(?:type|hasattr|isinstance|id)\(\s*sys\.std(?:in|out|err)\b/,
    when: "decides",
    isUsual: true,
  },
  {
    ...machine,
    languages: script,
    code: /\b(?:execution|trigger)AsyncId\b|\bexecutionAsyncResource\b/,
    isUsual: true,
  },
  {
    sign: "a check of global names",
    languages: script,
    code: /\b(?:Object|Reflect)\s*\.\s*(?:keys|entries|values|getOwnPropertyNames|getOwnPropertyDescriptors?|getPrototypeOf|ownKeys|isFrozen|isExtensible)\s*\(\s*global(?:This)?\s*[,)]|\bin\s+global(?:This)?\s*\)\s*(?:\{|$)|\bglobal(?:This)?\s*\.\s*constructor\b/,
    excuse: /\bglobal/i,
    isUsual: true,
  },
  // How the program was started
  { ...started, languages: java, code: /\bgetProtectionDomain\s*\(|\bgetCodeSource\s*\(/, isUsual: true },
  {
    ...started,
    languages: java,
    code: /\bProcessHandle\b|\bgetDefinedPackages?\s*\(|\bPackage\s*\.\s*getPackages?\s*\(|\bModuleLayer\b|\bgetSystemClassLoader\s*\(|\bgetSystemResource\w*\s*\(|\bgetUncaughtExceptionHandler\s*\(|\bgetThreadGroup\s*\(|\bThreadGroup\b|\bSystem\s*\.\s*getProperties\s*\(/,
    isUsual: true,
  },
  {
    ...streams,
    languages: java,
    code: /\bSystem\s*\.\s*(?:in|out|err)\s*(?:\.\s*(?:getClass|available|charset|hashCode)\b|[!=]=|instanceof\b)|[!=]=\s*System\s*\.\s*(?:in|out|err)\b/,
    isUsual: true,
  },
  { ...started, languages: java, quoted: /Tests?\.class$|^(?:.*\/)?(?:test-)?classes\/?$/ },
  {
    ...started,
    languages: python,
    code: /^(?!\s*(?:el)?if\s*\(?\s*__name__\s*==).*(?:(?<![\w.])__name__\s*[!=]=|[!=]=\s*__name__\b)|(?<![\w.])__(?:spec|loader|package)__\b|\bsys\.path\b|\bfind_spec\(|\bsys\.(?:executable|prefix|base_prefix)\b/,
    when: "decides",
    isUsual: true,
  },
  {
    ...started,
    languages: script,
    code: /^(?!\s*if\s*\(\s*require\s*\.\s*main\s*===).*(?:\brequire\s*\.\s*main\b|\bmodule\s*\.\s*(?:parent|children|paths)\b|\bimport\s*\.\s*meta\s*\.\s*main\b|\bmainModule\b)/,
    isUsual: true,
  },
  {
    ...started,
    languages: script,
    code: /\bprocess\s*\.\s*(?:title|execArgv|argv0|connected|channel|send|release|moduleLoadList|config|binding|debugPort|_\w+)\b(?!\s*[:(])|\btypeof\s+(?:require|module|exports|__\w+)\b|\brequire\s*\.\s*cache\b|\bhasSubscribers\b/,
    isUsual: true,
  },
  {
    ...started,
    languages: script,
    code: /\bError\s*\.\s*prepareStackTrace\b/,
    when: "decides",
    isUsual: true,
  },
  {
    sign: "a package that only tests install",
    languages: python,
    code: /^\s*(?:import|from)\s+(?:iniconfig|xdist|coverage|hypothesis|nose2|tox|nox|mock|pytest_\w+)\b/,
    excuse: /\bcoverage\b|\bhypothesis\b|\bmock|\bnox\b|\btox\b|\bfixture|\btest (?:runner|framework|suite)/i,
    isUsual: true,
  },
  {
    sign: "a package that only tests install",
    languages: python,
    code: /\bfind_spec\(|\b(?:__import__|import_module)\s*\(|\bdistribution\(|\bversion\(/,
    quoted: /^(?:_?pytest|unittest|pluggy|nose2?|iniconfig|xdist|coverage|hypothesis|mock)(?:\.\w+)*$/,
  },
  // Disabled in releases
  {
    ...effect,
    languages: rust,
    code: /\bdebug_assert\w*!\s*\(.*(?:[-+*/|&^%]=(?!=)|(?<![=!<>])=(?![=>])|\.\s*(?:set|store|push|insert|take|fetch_\w+|swap)\s*\()/,
  },
  { ...effect, languages: java, code: /^\s*assert\b.*(?:(?<![=!<>])=(?!=)|\+\+|--)/ },
  { ...effect, languages: python, code: /^\s*assert\b.*:=/ },
  { ...effect, languages: cpp, code: /(?<![\w.])assert\s*\(.*(?:(?<![=!<>[])=(?!=)|\+\+|--)/ },
  {
    sign: "a check of failures that its build ignores",
    languages: rust,
    code: /\bcatch_unwind\b/,
    excuse: /\bpanic|\bunwind|\babort|\bpoison|\bFFI\b|\bdrop/i,
    isUsual: true,
  },
  // Names without their package, which no other sign matches
  {
    sign: "names without their package",
    languages: go,
    code: /^\s*(?:import\s+)?\.\s*$/,
    quoted: /^(?:os|os\/\w+|runtime|runtime\/\w+|time|testing|flag|syscall|math\/rand|unsafe)$/,
  },
];
