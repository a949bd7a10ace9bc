/** Defines the kinds of signs, their excuses, and patterns that several languages share. */
import { ownVariables } from "../../../workspace/environment.ts";

/** Signs that several languages have. */
export const commonSigns = {
  runner: "the test runner",
  exits: "an exit of the process",
  signals: "a signal handler",
  frames: "an inspection of stack frames or of the running process",
  detection: "a check whether tests are running",
  builtins: "a change of the language's own functions or types",
  madeCode: "code that is generated at run time",
  callers: "an inspection of the function's callers",
  started: "a check of how the program was started or the module was found",
  files: "code that writes files when it is loaded",
  ownNames: "Millwright's own names",
} as const;
export const loaded = {
  sign: "an inspection of loaded modules or of the started program",
  excuse: /\bmodules?\b|\bimport|__main__|\bmain\b|\bplugins?\b|\breload|\bpickl/i,
};
export const depth = {
  sign: "an inspection of the call depth",
  excuse: /\brecurs|\bdepth\b|\bdeep|\bstack\b|\bnest/i,
};
export const terminal = {
  sign: "a check for a terminal",
  excuse:
    /\btty|terminal|\bconsole|colou?r|interactive|\bpip(?:e|ed|ing)\b|std(?:in|out|err)|\bprompt|\bpager|\bprogress|\blog files?\b|\bredirect|\bescape|\bANSI\b/i,
};
export const account = {
  sign: "a check of the user or the machine that runs the code",
  excuse:
    /\bCI\b|\benv|\busers?\b|\bhome\b|\bSSH\b|\bshell\b|\bcontainer|\bGitHub\b|\bTravis\b|\bsandbox|\bhost|~|\broot\b|\bowner|\bpermission|\b[ug]id\b|\bprivileg|\blibrar|\bshared\b|\.so\b|\bdlopen|\bnative\b|\bplugins?\b/i,
};
export const mode = {
  sign: "a check of how the code was bundled",
  excuse: /\bimport\.meta|\bvite|\bbundl|\bmode\b|\benv/i,
};
export const interpreter = {
  sign: "a check of the interpreter's settings",
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
  sign: "a hash of the input",
  excuse:
    /\bhash|\bdigest|\bchecksum|\bcrc|\bmd5|\bsha-?\d|\bfingerprint|\bsignature|\bsign(?:ed|ing)?\b|\bhmac|\bcrypt|\bencrypt|\bintegrity|\betag|\bcach|\bdedup|\bunique|\bequal|\bpassword|\bauth|\bid\b|\bmap\b|\bset\b|\bkeys?\b/i,
};
export const encoded = {
  sign: "decoded text or bytes",
  excuse:
    /\bencod|\bdecod|\bbase64|\bpickl|\bmarshal|\bserial|\bdeserial|\bcompress|\bzlib|\bgzip|\bhex|\bbinary|\bbytes?\b|\bauth|\bcookie|\bsession|\bsource ?map|\bdata.ur[il]/i,
};
export const documentation = {
  sign: "code that reads the documentation of code",
  excuse: /\bdoc|\bhelp|\bdescri|\bsignature|\bwraps?\b|\bdecorat|\bsummary/i,
};
export const builtName = { sign: "a test framework's name composed from parts" };
export const framework = { sign: "a change of the test framework's own names" };
/** Environment variables set for a user, by a program's loader or a CI machine, or by Millwright for its commands. */
export const accountNames = `USER|USERNAME|LOGNAME|HOSTNAME|SSH_\\w+|PWD|OLDPWD|DISPLAY|LD_PRELOAD|LD_LIBRARY_PATH|DYLD_\\w+|container|GITHUB_\\w+|GITLAB_\\w+|TRAVIS\\w*|TOX_\\w+|NOX_\\w+|COVERAGE\\w*|${ownVariables.join("|")}`;
export const accounts = new RegExp(`^(?:${accountNames})$`);
/** Paths of a process's own streams. */
export const standardStreams = /^\/dev\/(?:tty|std(?:in|out|err)|fd\/[012])$|^\/proc\/self\/fd\/[012]$/;
/** Files that exist next to the sources during development, but not in an installed program. */
export const besides =
  /(?:^|[/\\])(?:tests?|__tests__|specs?|\.git|\.hg|pytest\.ini|tox\.ini|noxfile\.py|conftest\.py|setup\.cfg|vitest\.config\.\w+|jest\.config\.\w+|\.mocharc\.\w+|go\.mod|Cargo\.(?:toml|lock)|pom\.xml|build\.gradle|Rakefile|Gemfile(?:\.lock)?|\.rspec|phpunit\.xml(?:\.dist)?|composer\.(?:json|lock))[/\\]?$|(?:^|[/\\])[\w.-]+\.(?:py|[cm]?[jt]sx?|go|rs|java|rb|php)$/;
export const testPaths =
  /(?:^|[/\\*])(?:tests?|__tests__|specs?|src[/\\]test)(?:[/\\]|$)|(?:^|[/\\*])test_[\w*]*|_test\.\w+$|[.*]test\.\w+$|[.*]spec\.\w+$|_spec\.rb$|Test\.(?:java|php)$/;
export const sources = /^(?:\*\*[/\\])?\*?\.(?:py|[cm]?[jt]sx?|go|rs|java)$/;
export const frameworkNames =
  /^(?:pytest|_pytest|pluggy|unittest|nose|PYTEST\w*|it|test|describe|suite|expect|assert|(?:before|after)(?:Each|All)?|(?:node:)?assert(?:\/strict)?|chai|vitest|jest|mocha|jasmine|VITEST\w*|minitest|rspec|RSpec|Minitest|test\/unit|PHPUnit\w*|JEST_\w+|NODE_TEST_CONTEXT|testing|-?-?test\.\w+)$/;
export const built = {
  sign: "a branch on the mode or the target of the build",
  excuse:
    /\bbuild|\bbuilt\b|\bfeature|\brelease|\bdebug|\bcfg\b|\bprofile|\bcompil|\bplatform|\b(?:OS|GOOS|GOARCH)\b|linux|windows|\bwin(?:32|64)\b|mac\s?os|darwin|unix|posix|android|bsd|\barch|\btags?\b|\bno[_-]std|\bwasm|\bassert|\bMSRV|\bversions?\b|\bpython ?[23]|\bnode(?:js)?\b|\bruntime|\bproduction|\bdevelopment|\bdev\b|\bNODE_ENV|\bmode\b|\bcompat|\bsupport|\bpython_?implementation|\bsys\.implementation|\b(?:pypy|cpython(?!-\d)|jython|ironpython|graalpy|micropython|pyodide|jruby|truffleruby)/i,
};
export const machine = {
  sign: "a check of the machine or of the process's threads",
  excuse:
    /\bprocessors?\b|\bcpus?\b|\bcores?\b|\bparallel|\bworkers?\b|\bthreads?\b|\bconcurren|\bgoroutine|\brace|\block|\broot\b|\bpermission|\b[ug]id\b|\bmemory|\bheap\b|\bhome|\bwidth|\bcolumns?\b|\bterminal|\btte?mp|\bjobs?\b|\bpool|\basync|\bleak|\blogg?/i,
};
export const started = {
  sign: commonSigns.started,
  excuse:
    /__main__|\bmain\b|\bimport|\bmodules?\b|\bpackages?\b|\bpaths?\b|\bfiles?\b|\bload|\bresource|\bzip|\bplugins?\b|\bscripts?\b|\bcli\b|\bcommand|\bentry|\bdepend|\boptional|\binstall|\bESM\b|\bCommonJS|\bCJS\b|\bbundl/i,
};
export const streams = {
  sign: "a check of the target of the output",
  excuse:
    /\bstd(?:in|out|err)|\btty|\bterminal|\bconsole|\bcolou?r|\bencod|\bunicode|\butf|\boutput|\bprint|\bpip(?:e|ed|ing)\b|\bstreams?\b|\bbuffer|\binput|\bcaptur|\bredirect/i,
};
export const region = {
  sign: "a check of the machine's locale",
  excuse:
    /\blocale|\bencod|\blanguage|\bintl|\bi18n|\btranslat|\bzone|\bdates?\b|\btime|\bunicode|\butf|\bcurrency|\bformat/i,
};
export const network = {
  sign: "a DNS lookup",
  excuse:
    /\bdns\b|\bhost|\bresolv|\bnetwork|\baddress|\bip(?:v[46])?\b|\bsocket|\bconnect|\burls?\b|\bdomain|\bserver|\bprox(?:y|ies)\b|\bmail|\bSMTP\b|\bports?\b/i,
};
export const effect = { sign: "an assertion with a side effect" };
export const asked = {
  sign: "a call of a program that lists processes or reads the history",
  excuse:
    /\bprocess|\bprograms?\b|\bcommand|\benviron|\bps\b|\bpid\b|\bhost|\buser|\bgit\b|\bmonitor|\bservice/i,
};
export const memory = {
  sign: "an inspection of the process's memory or objects",
  excuse:
    /\bmemory|\bheap|\bleak|\breferences?\b|\brefcount|\bgarbage|\bgc\b|\bsubclass|\bidentit|\bperformance|\bprofil|\bbench|\btim(?:e|ing)|\bcache|\bpid\b|\bprocess/i,
};
export const build = {
  sign: "an inspection of the program that contains the code",
  excuse:
    /\bbuild|\bbuilt\b|\bversion|\bexecutable|\bbinary|\blink|\bsymbol|\bweak\b|\bmodule|\bprogram|\bdebug|\bplugin|\bpath|\bpackage|\binclude/i,
};
export const callSites = {
  sign: commonSigns.callers,
  excuse: /\bcallers?\b|\blocations?\b|\bbacktrace|\bstack|\btrac(?:e|ing)|\bpanic|\bdebug|\blog/i,
};
export const environment = {
  sign: "a check of the environment in which the code runs",
  excuse: /\benv|\bvariables?\b|\bhome\b|\bPATH\b|\bshell|\blocale|\bterminal|\bcolou?r|\bconfig|\btemp/i,
};
export const personal = /^(?:HOME|PATH|LANG|LC_\w+|TERM|SHELL|TMPDIR|PYTHON\w+)$/;
export const unawaited = {
  sign: "background work that no code waits for",
  excuse:
    /\bthread|\bparallel|\bconcurren|\basync|\bawait|\bbackground|\bpromise|\blater\b|\bdefer|\bdelay|\bworkers?\b|\bqueue|\bpool|\btime-?outs?\b|\bwait|\brac(?:e|y)\b|\block|\bgoroutine|\bblock(?:s|ed|ing)?\b|\btick\b|\bevents?\b|\bschedul|\bcallback|\bunhandled|\breject|\bstream|\bhang|\bdeadlock/i,
};
export const turning = {
  sign: "an object that converts to different values in different contexts",
  excuse: /\bprimitive|\bcoerc|\bconver|\bvalueOf|\bimplicit|\barithmetic|\boperator/i,
};
export const bits = {
  sign: "a decision based on the bits of a number",
  excuse: /\bbits?\b|\bbinary|\bpower|\bmask|\bflags?\b|\boverflow|\bwidth|\bencod|\bbyte|\bsize/i,
};
/** The sign of a fixed pause in place of a wait for an event. A file's existing pauses do not excuse a new one. */
export const pause = {
  sign: "a fixed pause",
  isEachTime: true,
  isUsual: true,
  excuse:
    /\bsleep|\bpaus|\bdelay|\bback-?off|\bretr(?:y|ies)|\bpoll|\bthrottl|\brate\b|\binterval|\bdebounc|\bseconds?\b|\bm(?:illi)?s(?:ec\w*)?\b|\btime-?outs?\b|\bbusy\b|\bspin|\bcpu\b|\bduration/i,
} as const;
export const limits = {
  sign: "a changed limit of the whole process",
  isUsual: true,
  excuse:
    /\bprocess|\bglobal|\brecursion ?limit|\bmax_?listeners\b|\bmaxlisteners\b|\bstack size|\bswitch ?interval|\brlimit|\bconfig|\bsettings?\b|\bstart-?up|\bCLI\b|\bcommand|\bgarbage|\bmemory|\btime-?outs?\b|\bprecision/i,
} as const;
export const zones = {
  sign: "a changed time zone or locale of the whole process",
  isUsual: true,
  excuse:
    /\bTZ\b|\btzset|\bprocess|\bsetlocale|\bdefault (?:time ?zone|locale)|\bglobal|\bconfig|\bsettings?\b|\benv/i,
} as const;
export const silence = {
  sign: "code that silences warnings",
  isUsual: true,
  excuse:
    /\bsilenc|\bsuppress|\bignor|\bhid(?:e|den|ing)\b|\bquiet|\bmut(?:e|ed|ing)\b|\bfilter|\bverbos|\bnois/i,
} as const;
/**
 * The sign of a setting that hides log messages. `excuse` omits words such as "log" and "message". If the statement
 * reports a secret in the log, such a setting hides the secret but does not remove it.
 */
export const levels = {
  sign: "a setting that hides log messages",
  isUsual: true,
  excuse:
    /\blevels?\b|\bsetLevel\b|\bverbos|\bnois|\bquiet|\bsilenc|\bsuppress|\bmut(?:e|ed|ing)\b|\bdisabl|\b(?:debug|info|warn(?:ing)?)\b|\btoo (?:much|many)\b|\bhandlers?\b|\bpropagat|\bconfigur|\bset ?up\b/i,
} as const;
export const hidden = {
  sign: "a non-enumerable property",
  isUsual: true,
  excuse: /\benumer|\bpropert|\bdescriptor|\bJSON|\bkeys?\b|\bspread|\bhidden\b|\bprototype|\bserial/i,
} as const;
/**
 * Signs of a decision based on a value that describes the code's surroundings. A file's old decisions do not excuse new ones.
 */
export const ownPlace = {
  sign: "a decision based on the place where the code lies",
  isEachTime: true,
  excuse:
    /\bpaths?\b|\bfile(?:s|names?)?\b|\bfolders?\b|\bdirector|\binstall|\bpackag|\bbundl|\bfrozen\b|\bmodules?\b|\bESM\b|\bCJS\b|\bCommonJS|\blocation|\bload|\bimport|\bresource|\bURLs?\b|\broot\b|\bcython|\bmypyc|\bC[- ]ext|\.(?:so|pyd)\b/i,
} as const;
export const besideCode = {
  ...ownPlace,
  sign: "a decision based on files beside the code",
  excuse: new RegExp(
    `${ownPlace.excuse.source}|\\bexist|\\bconfig|\\bproject|\\bmissing\\b|\\bfallback`,
    "i",
  ),
} as const;
export const ownFolder = {
  ...folder,
  sign: "a decision based on the current folder",
  /** A quick filter for files. The syntax tree then decides. */
  code: /cwd|\bpwd\b|\bcurdir\b|\bcurrent_dir\b|\bGetwd\b|\bgetProperty\b|(?:abs|real|expand_)path\b|\b(?:resolve|canonicalize|absolute|listdir|scandir|walk)\b/i,
  isEachTime: true,
  isUsual: true,
} as const;
export const ownCaller = {
  sign: "a decision based on a stack trace or on the caller's place",
  isEachTime: true,
  excuse:
    /\bcallers?\b|\bcallee|\bstack|\bback-?trace|\btrac(?:e|es|eback|ing)\b|\bline numbers?\b|\bwarning|\bexceptions?\b|\bdebug|\blog(?:s|g\w*)?\b|\bdeprecat/i,
} as const;
export const ownStreams = {
  sign: "a decision based on the kind of a standard stream",
  isEachTime: true,
  excuse:
    /\bstd(?:in|out|err)|\bstandard (?:input|output|error)|\btty|\bterminal|\bconsole|\bcolou?r|\bencod|\bunicode|\butf|\bpip(?:e|ed|ing)\b|\bstreams?\b|\bbuffer|\bredirect|\binteractive|\bwidth\b/i,
} as const;
export const ownPackage = {
  sign: "a decision based on the package's metadata",
  isEachTime: true,
  excuse:
    /\bversion|\bpackag|\binstall|\bmetadata|\bdistribution|\bdepend|\bplug-?ins?\b|\bjar\b|\bmanifest|\bmodules?\b|\bcompat|\bresource|\bclass ?path/i,
} as const;
export const ownHome = {
  sign: "a decision based on the user's home folder",
  isEachTime: true,
  isUsual: true,
  excuse:
    /\bhome\b|~|\bconfig|\bsettings?\b|\bprofile|\bcache|\bexpanduser|\btilde|\busers?\b|\b(?:dot-?)?files?\b|\bfolders?\b|\bdirector|\bpaths?\b|\bcredential|\bXDG/i,
} as const;
export const ownProgram = {
  sign: "a decision based on the name of the started program",
  isEachTime: true,
  isUsual: true,
  excuse:
    /\bprog(?:rams?)?\b|\busage\b|\bhelp\b|\bcommand|\bcli\b|\barg(?:parse|v)\b|\boptparse|\bscripts?\b|\bentry|__main__|\bpython\d? -m\b|\bexecutables?\b/i,
} as const;
const ofPrograms =
  /\bprog(?:rams?)?\b|\busage\b|\bcommand[- ]?lines?\b|\bcli\b|\barg(?:parse|v)\b|\boptparse|\bpython\d? -m\b|\bexecutables?\b/i;
/** The sign of a use of the started program's name and arguments. */
export const programArguments = {
  sign: commonSigns.detection,
  isUsual: true,
  isOfProgram: true,
  excuse: ofPrograms,
} as const;
/** The sign of a use of the arguments after the program's name. Command-line programs use them at their start. */
export const laterArguments = {
  ...programArguments,
  excuse: new RegExp(`${ofPrograms.source}|\\bargs\\b|\\barguments?\\b`, "i"),
} as const;
/** The sign of a decision based on the arguments after the program's name. */
export const ownArguments = {
  sign: commonSigns.detection,
  isUsual: true,
  excuse: ofPrograms,
  /** A quick filter for files. The syntax tree then decides. */
  code: /argv|\bArgs\b|\bargs/,
} as const;
/** The sign of a decision based on the started program's path. Under a test runner the path is the runner's. */
export const ownStart = {
  sign: commonSigns.detection,
  isUsual: true,
  /** A quick filter for files. The syntax tree then decides. */
  code: /argv|\bArgs\b|\bargs|\$0|\$PROGRAM_NAME/,
} as const;
/** The sign of a function that uses the program's name or arguments, and names a test runner. */
export const namedRunner = { sign: commonSigns.detection } as const;
export const request = {
  sign: "a check for a web request",
  excuse:
    /\brequest|\bserver|\bhttps?\b|\bheaders?\b|\bhosts?\b|\bprox(?:y|ies)\b|\bur[il]s?\b|\bcli\b|\bcookie|\bredirect|\bresponse|\bip\b|\bajax|\bsession/i,
} as const;
export const host = {
  sign: "a check of the program that runs the code (a browser, a server)",
  isUsual: true,
  excuse:
    /\bbrowser|\bwindow\b|\bDOM\b|\bdocument\b|\bserver|\bSSR\b|\bnode(?:\.?js)?\b|\bworkers?\b|\bdeno\b|\bbun\b|\bruntime|\benvironment|\bglobal|\bundefined\b|\bnavigator|\buser agent/i,
} as const;
export const caught = {
  sign: "an assertion whose failure the code catches",
  isEachTime: true,
  excuse: /\bassert/i,
} as const;
export const handedOn = {
  sign: "a module that the code hands to other code as a value",
  /** A quick filter for files. The syntax tree then decides. */
  code: /\b(?:sys|os|inspect|time|gc|traceback|random|platform|process)\s*[,)\]}]/,
  isUsual: true,
  excuse: /\bmodules?\b|\breload|\bnamespace|\bpatch|\bmock/i,
} as const;
export const unnamed = { sign: "a wildcard import of a standard module" } as const;

/**
 * The sign of tests that read the code's text instead of running it. `excuse`: words of statements that ask for such
 * tests.
 */
export const readsText = {
  says: "reads the text of the code",
  excuse: /\bsources?\b|\bdocstring|\b__doc__|\binspect|\btoString\b/i,
};
export const readsCompiled = {
  says: "looks at compiled code",
  excuse: /\bbyte ?code|\bdisassembl|\b__code__|\bcode objects?\b/i,
};
