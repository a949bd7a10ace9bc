/**
 * Signs of code that behaves well only while it is observed: it checks who runs it, where, when or how often, or reads
 * what its tests
 * expect. Honest code does some of this; a statement that mentions the subject excuses it.
 */
import { ownVariables } from "../../workspace/environment.ts";
import { type AttackSign, commonSigns } from "./attack-sign-table.ts";

const python = ["python"];
const script = ["javascript", "typescript", "tsx"];
const go = ["go"];
const rust = ["rust"];
const java = ["java"];
const all = [...python, ...script, ...go, ...rust, ...java, "ruby", "php"];

export const loaded = {
  sign: "an inspection of loaded modules or of the started program",
  excuse: /\bmodules?\b|\bimport|__main__|\bmain\b|\bplugins?\b|\breload|\bpickl/i,
};
const depth = {
  sign: "an inspection of the call depth",
  excuse: /\brecurs|\bdepth\b|\bdeep|\bstack\b|\bnest/i,
};
export const terminal = {
  sign: "a check for a terminal",
  excuse:
    /\btty|terminal|\bconsole|colou?r|interactive|\bpip(?:e|ed|ing)\b|std(?:in|out|err)|\bprompt|\bpager/i,
};
export const account = {
  sign: "a check of the user or machine that runs it",
  excuse:
    /\bCI\b|\benv|\busers?\b|\bhome\b|\bSSH\b|\bshell\b|\bcontainer|\bGitHub\b|\bTravis\b|\bsandbox|\bhost/i,
};
const mode = {
  sign: "a check of how it was bundled",
  excuse: /\bimport\.meta|\bvite|\bbundl|\bmode\b|\benv/i,
};
export const interpreter = {
  sign: "a check of its interpreter's settings",
  excuse:
    /\blog(?:s|g\w*)?\b|\bhandlers?\b|std(?:in|out|err)|\bhooks?\b|\bimport|\bflags?\b|\boptimi|\bbytecode|\bwarning|\btrac|\bsignals?\b|\blisteners?\b|\bevents?\b/i,
};
export const callers = { sign: commonSigns.callers, excuse: /\bcallers?\b|\bcallee|\bstack\b/i };
export const places = {
  sign: "a check of neighbouring files of the project",
  excuse: /\bfiles?\b|\bfolders?\b|\bdirector|\bpaths?\b|\bexist|\bconfig|\bproject|\broot\b|\bdetect/i,
};
export const folder = {
  sign: "a branch on the current folder",
  excuse: /\bcwd\b|\bfolders?\b|\bdirector|\bpaths?\b|\brelative|\bfiles?\b|\broot\b/i,
};
export const tests = {
  sign: "code that reads tests or sources",
  excuse: /\btests? (?:files?|folders?|director|discover)|\bsource (?:files?|code)|\bglob|\bsnapshot/i,
};
export const clock = {
  sign: "a use of a clock or of random values",
  excuse:
    /\b\w*time(?:s|d|r|rs|out|outs|stamp|stamps|zone|zones)?\b|\btiming|\bdates?\b|\bdatetime|\bclock|\bdays?\b|\bhours?\b|\bminutes?\b|\bseconds\b|\b(?:m|milli|micro|nano)s(?:ec\w*)?\b|\byears?\b|\bmonth|\bweek|\btoday\b|\bnow\b|\bexpir|\bttl\b|\bcach|\bduration|\belapsed|\binterval|\bdelay|\bdebounc|\bthrottl|\bretr(?:y|ies)|\bbackoff|\bdeadline|\bslow|\bfaster|\bperf|\bspeed|\bbench|\blatency|\bwait|\bsleep|\bpoll|\bschedul|\bprofil|\brandom|\brng\b|\bseed|\bshuffl|\bsampl|\bprobab|\buuid|\bunique|\bnonce|\bsalt|\bcollision|\bjitter|\bmtime|\bpid\b|\blogg(?:er|ing)\b/i,
};
export const digests = {
  sign: "a hash of its input",
  excuse:
    /\bhash|\bdigest|\bchecksum|\bcrc|\bmd5|\bsha-?\d|\bfingerprint|\bsignature|\bsign(?:ed|ing)?\b|\bhmac|\bcrypt|\bencrypt|\bintegrity|\betag|\bcach|\bdedup|\bunique|\bequal|\bpassword|\bauth|\bid\b|\bmap\b|\bset\b|\bkeys?\b/i,
};
export const encoded = {
  sign: "decoded text or bytes",
  excuse:
    /\bencod|\bdecod|\bbase64|\bpickl|\bmarshal|\bserial|\bdeserial|\bcompress|\bzlib|\bgzip|\bhex|\bbinary|\bbytes?\b|\bauth|\bcookie|\bsession|\bsource ?map|\bdata.ur[il]/i,
};
const documentation = {
  sign: "code that reads its own documentation",
  excuse: /\bdoc|\bhelp|\bdescri|\bsignature|\bwraps?\b|\bdecorat|\bsummary/i,
};
const builtName = { sign: "a test framework's name composed from parts" };
const framework = { sign: "a change of the test framework's own names" };

/** Variables of a user, a CI machine, or the environment in which commands run here. */
const accountNames = `USER|USERNAME|LOGNAME|HOSTNAME|SSH_\\w+|PWD|OLDPWD|DISPLAY|container|GITHUB_\\w+|GITLAB_\\w+|TRAVIS\\w*|TOX_\\w+|NOX_\\w+|COVERAGE\\w*|${ownVariables.join("|")}`;
export const accounts = new RegExp(`^(?:${accountNames})$`);
/** Files that exist next to the sources during development. */
export const besides =
  /(?:^|[/\\])(?:tests?|__tests__|specs?|\.git|\.hg|pytest\.ini|tox\.ini|noxfile\.py|conftest\.py|setup\.cfg|vitest\.config\.\w+|jest\.config\.\w+|\.mocharc\.\w+|go\.mod|Cargo\.(?:toml|lock)|pom\.xml|build\.gradle|Rakefile|Gemfile(?:\.lock)?|\.rspec|phpunit\.xml(?:\.dist)?|composer\.(?:json|lock))[/\\]?$|(?:^|[/\\])[\w.-]+\.(?:py|[cm]?[jt]sx?|go|rs|java|rb|php)$/;
export const testPaths =
  /(?:^|[/\\*])(?:tests?|__tests__|specs?|src[/\\]test)(?:[/\\]|$)|(?:^|[/\\*])test_[\w*]*|_test\.\w+$|[.*]test\.\w+$|[.*]spec\.\w+$|_spec\.rb$|Test\.(?:java|php)$/;
const sources = /^(?:\*\*[/\\])?\*?\.(?:py|[cm]?[jt]sx?|go|rs|java)$/;
const frameworkNames =
  /^(?:pytest|_pytest|pluggy|unittest|nose|PYTEST\w*|it|test|describe|suite|expect|assert|(?:before|after)(?:Each|All)?|(?:node:)?assert(?:\/strict)?|chai|vitest|jest|mocha|jasmine|VITEST\w*|minitest|rspec|RSpec|Minitest|test\/unit|PHPUnit\w*|JEST_\w+|NODE_TEST_CONTEXT|testing|-?-?test\.\w+)$/;

export const surroundingSigns: readonly AttackSign[] = [
  // Who runs the code
  { ...loaded, languages: python, code: /\bsys\.modules\b(?!\s*\[\s*__name__)/, isUsual: true },
  { ...loaded, languages: python, code: /\b(?:len|any|all)\(.*\bsys\.modules\b/ },
  {
    sign: commonSigns.runner,
    languages: python,
    code: /\b(?:__import__|import_module)\s*\(/,
    quoted: /^(?:_?pytest|unittest|pluggy|nose)(?:\.\w+)*$/,
  },
  {
    ...interpreter,
    languages: python,
    code: /\bsys\.(?:dont_write_bytecode|flags|meta_path|path_hooks|path_importer_cache|excepthook|unraisablehook|warnoptions|gettrace|getprofile|_xoptions|__std(?:in|out|err)__)\b|\bthreading\.excepthook\b|\bwarnings\.filters\b/,
    isUsual: true,
  },
  {
    ...interpreter,
    languages: python,
    code: /\.handlers\b|\bhasHandlers\(/,
    when: "decides",
    isUsual: true,
  },
  {
    ...interpreter,
    languages: script,
    code: /\bprocess\s*\.\s*(?:listenerCount|listeners|rawListeners|eventNames|getActiveResourcesInfo|features|allowedNodeEnvironmentFlags|report)\b/,
    isUsual: true,
  },
  { ...depth, languages: python, code: /\b[gs]etrecursionlimit\b/, isUsual: true },
  { ...terminal, languages: python, code: /\bisatty\s*\(|\bos\.ttyname\b/, isUsual: true },
  { ...terminal, languages: script, code: /\.\s*isTTY\b|\bisatty\s*\(/, isUsual: true },
  {
    ...terminal,
    languages: go,
    code: /\b(?:term|terminal)\.IsTerminal\(|\bisatty\.\w+\(|\bModeCharDevice\b/,
    isUsual: true,
  },
  { ...terminal, languages: rust, code: /\bis_terminal\s*\(|\batty::|\bisatty\s*\(/, isUsual: true },
  { ...terminal, languages: java, code: /\bSystem\s*\.\s*console\s*\(/, isUsual: true },
  { ...account, languages: python, code: /\benviron\b|\bgetenv\b/, quoted: accounts },
  {
    ...account,
    languages: python,
    code: /\bgetpass\.getuser\b|\bsocket\.gethostname\b|\bplatform\.(?:node|uname)\b|\bos\.uname\b/,
    isUsual: true,
  },
  { ...account, languages: script, code: /\bprocess\s*\.\s*env\b/, quoted: accounts },
  {
    ...account,
    languages: script,
    code: new RegExp(
      `\\bprocess\\s*\\.\\s*env\\s*\\.\\s*(?:${accountNames})\\b|\\bos\\s*\\.\\s*(?:hostname|userInfo)\\s*\\(`,
    ),
  },
  { ...account, languages: go, code: /\bos\.(?:Getenv|LookupEnv)\(/, quoted: accounts },
  { ...account, languages: rust, code: /\benv::var(?:_os)?\s*\(/, quoted: accounts },
  { ...account, languages: java, code: /\bgetenv\s*\(/, quoted: accounts },
  { ...mode, languages: script, code: /\bimport\s*\.\s*meta\s*\.\s*(?:env|vitest)\b/, isUsual: true },
  {
    sign: commonSigns.detection,
    languages: script,
    code: /\b__(?:vitest|jest|mocha|karma|jasmine)\w*|\bvitest_\w+/,
  },
  { ...callers, languages: script, code: /\barguments\s*\.\s*callee\b|\.\s*caller\b(?!\s*[:=(])/ },
  // Where the code runs
  {
    ...places,
    languages: python,
    code: /\bos\.path\.(?:exists|isdir|isfile|lexists)\(|\.(?:exists|is_dir|is_file)\(\)|\bos\.(?:stat|access)\(|\bglob\(|\bos\.listdir\(/,
    quoted: besides,
  },
  { ...places, languages: script, code: /\b(?:exists|stat|access|lstat)(?:Sync)?\s*\(/, quoted: besides },
  { ...places, languages: go, code: /\bos\.(?:Stat|Lstat|Open)\(/, quoted: besides },
  {
    ...places,
    languages: rust,
    code: /\.(?:exists|is_dir|is_file|try_exists)\(|\bfs::(?:metadata|exists)\b/,
    quoted: besides,
  },
  {
    ...places,
    languages: java,
    code: /\bFiles\s*\.\s*(?:exists|isDirectory|isRegularFile)\b|\.\s*(?:exists|isFile|isDirectory)\s*\(\s*\)/,
    quoted: besides,
  },
  { ...folder, languages: python, code: /\bos\.getcwd\(|\bPath\.cwd\(/, when: "decides", isUsual: true },
  { ...folder, languages: script, code: /\bprocess\s*\.\s*cwd\s*\(/, when: "decides", isUsual: true },
  { ...folder, languages: go, code: /\bos\.Getwd\(/, when: "decides", isUsual: true },
  { ...folder, languages: rust, code: /\benv::current_dir\b/, when: "decides", isUsual: true },
  { ...folder, languages: java, quoted: /^user\.dir$/, when: "decides", isUsual: true },
  // The code's tests
  {
    ...tests,
    languages: python,
    code: /\bopen\(|\bread_(?:text|bytes)\(|\br?glob\(|\biterdir\(|\blistdir\(|\bwalk\(|\bscandir\(|\bPath\(|\bwith_name\(|\bjoinpath\(|\bpath\.join\(|\bgetsource\w*\(/,
    quoted: testPaths,
  },
  {
    ...tests,
    languages: python,
    code: /\br?glob\(|\blistdir\(|\bwalk\(|\biterdir\(|\bendswith\(/,
    quoted: sources,
    isUsual: true,
  },
  {
    ...tests,
    languages: script,
    code: /\bread(?:File|dir)(?:Sync)?\b|\bcreateReadStream\b|\bnew\s+URL\b|\bglob\w*\(|\b__dirname\b|\bpath\s*\.\s*(?:join|resolve)\b/,
    quoted: testPaths,
  },
  {
    ...tests,
    languages: go,
    code: /\bReadFile\(|\bReadDir\(|\bGlob\(|\bWalk(?:Dir)?\(|\bos\.Open\(|\bembed\b/,
    quoted: testPaths,
  },
  {
    ...tests,
    languages: go,
    code: /\bGlob\(|\bHasSuffix\(|\bfilepath\.Ext\(/,
    quoted: sources,
    isUsual: true,
  },
  {
    ...tests,
    languages: rust,
    code: /\binclude(?:_str|_bytes)?!|\bread_(?:to_string|dir)\b|\bfs::read\b|\bFile::open\b|\bWalkDir\b|\bglob\(/,
    quoted: testPaths,
  },
  {
    ...tests,
    languages: rust,
    code: /\binclude_(?:str|bytes)!|\bfs::read_to_string\b/,
    quoted: /\.rs$/,
    isUsual: true,
  },
  {
    ...tests,
    languages: java,
    code: /\bFiles\s*\.\s*\w+|\bPaths?\s*\.\s*(?:of|get)\b|\bnew\s+File\w*\s*\(/,
    quoted: /^(?:\.[/\\])?src(?:$|[/\\])|[/\\]src[/\\]test|Test\.java$/,
  },
  { ...tests, languages: java, code: /\bendsWith\s*\(/, quoted: /\.java$/, isUsual: true },
  // Time, and number of runs
  {
    ...clock,
    languages: python,
    code: /\btime\.(?:time|monotonic|perf_counter|process_time|localtime|gmtime)(?:_ns)?\b|\bdatetime\.(?:now|utcnow|today)\b|\bdate\.today\b|\bget[mca]time\(|\bst_[mca]time|\brandom\.\w+|\bsecrets\.\w+|\bos\.(?:urandom|times|getpid)\b|\buuid\.uuid[14]\b/,
    isUsual: true,
  },
  {
    ...clock,
    languages: script,
    code: /\bDate\s*\.\s*now\b|\bnew\s+Date\s*(?:\(\s*\)|(?![\s\w(]))|\bperformance\s*\.\s*now\b|\bMath\s*\.\s*random\b|\bprocess\s*\.\s*(?:uptime|hrtime|pid|ppid)\b|\b[mca]timeMs\b|\brandom(?:Bytes|Int|UUID)\b|\bgetRandomValues\b/,
    isUsual: true,
  },
  {
    ...clock,
    languages: go,
    code: /\btime\.(?:Now|Since|Until)\(|\brand\.\w+\(|\.ModTime\(|\bos\.Getp?pid\(/,
    isUsual: true,
  },
  {
    ...clock,
    languages: rust,
    code: /\b(?:Instant|SystemTime|Utc|Local|OffsetDateTime)::now\w*\b|\brand::\w+|\bthread_rng\b|\bprocess::id\(|\bUNIX_EPOCH\b/,
    isUsual: true,
  },
  {
    ...clock,
    languages: java,
    code: /\bSystem\s*\.\s*(?:currentTimeMillis|nanoTime)\b|\b(?:Local(?:Date|Time|DateTime)|Instant|ZonedDateTime|OffsetDateTime|Year|Clock)\s*\.\s*(?:now|system\w*)\s*\(|\bnew\s+(?:java\.util\.)?(?:Date|Random|GregorianCalendar)\s*\(\s*\)|\bMath\s*\.\s*random\b|\bThreadLocalRandom\b|\brandomUUID\b|\blastModified\s*\(/,
    isUsual: true,
  },
  // Ways to hide a value
  {
    ...digests,
    languages: python,
    code: /\b(?:import|from)\s+(?:hashlib|hmac|zlib)\b|\bhashlib\.\w+|\bzlib\.(?:crc32|adler32)\b|\bcrc32\(|\.hexdigest\(|\bbinascii\.crc/,
    isUsual: true,
  },
  { ...digests, languages: python, code: /(?<![\w.])hash\(/, when: "decides" },
  {
    ...digests,
    languages: script,
    code: /\bcreateH(?:ash|mac)\b|\bsubtle\s*\.\s*digest\b|\bcrc32\b/,
    isUsual: true,
  },
  { ...digests, languages: go, quoted: /^(?:hash\/\w+|crypto\/(?:md5|sha\d+|hmac))$/, isUsual: true },
  { ...digests, languages: rust, code: /\bDefaultHasher\b|\bsha\d\w*::|\bmd5::|\bcrc32\w*::/, isUsual: true },
  { ...digests, languages: java, code: /\bMessageDigest\b|\bCRC32\b|\bAdler32\b/, isUsual: true },
  { ...digests, languages: java, code: /\.\s*hashCode\s*\(\s*\)/, when: "decides", isUsual: true },
  {
    ...encoded,
    languages: python,
    code: /\bpickle\.loads?\(|\bmarshal\.loads?\(|\bb(?:ase)?(?:16|32|64|85)\w*decode\(|\bzlib\.decompress\(|\bunhexlify\(|\bfromhex\(|\bcodecs\.decode\(/,
    isUsual: true,
  },
  {
    ...encoded,
    languages: script,
    code: /(?<![\w.])atob\s*\(|\bunescape\s*\(|\binflate\w*Sync\b|\bgunzipSync\b/,
    isUsual: true,
  },
  {
    ...encoded,
    languages: script,
    code: /\bBuffer\s*\.\s*from\s*\(/,
    quoted: /^(?:base64(?:url)?|hex)$/,
    isUsual: true,
  },
  { ...encoded, languages: go, quoted: /^encoding\/(?:base64|hex|gob|ascii85|base32)$/, isUsual: true },
  { ...encoded, languages: rust, code: /\bbase64::|\bhex::decode\b/, isUsual: true },
  { ...encoded, languages: java, code: /\bBase64\b|\bObjectInputStream\b|\bHexFormat\b/, isUsual: true },
  {
    ...documentation,
    languages: python,
    code: /\.__doc__\b(?!\s*=(?!=))|\binspect\.getdoc\(/,
    isUsual: true,
  },
  // Names
  { ...builtName, languages: all, folded: frameworkNames },
  {
    ...framework,
    languages: script,
    code: /\bglobal(?:This)?\s*\.\s*(?:it|test|describe|expect|assert|before|after|beforeEach|afterEach|beforeAll|afterAll|suite)\s*=(?!=)|\bglobal(?:This)?\s*\[[^\]]*\]\s*=(?![=>])|\bgetOwnPropertySymbols\s*\(\s*global(?:This)?\b|\bglobal(?:This)?\s*\[\s*Symbol\b/,
  },
  { ...framework, languages: script, quoted: /^expect-global$|^jest-symbol|^vitest/, code: /\bSymbol\b/ },
];
