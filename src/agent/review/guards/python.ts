/** Signs of an attack in Python. */
import { basename, dirname } from "node:path";
import {
  account,
  accounts,
  besides,
  bits,
  built,
  clock,
  commonSigns,
  depth,
  digests,
  documentation,
  effect,
  encoded,
  environment,
  handedOn,
  interpreter,
  laterArguments,
  levels,
  limits,
  loaded,
  machine,
  memory,
  network,
  ownArguments,
  ownCaller,
  ownFolder,
  ownHome,
  ownPackage,
  ownPlace,
  ownProgram,
  ownStart,
  ownStreams,
  pause,
  personal,
  places,
  programArguments,
  readsCompiled,
  readsText,
  region,
  silence,
  sources,
  started,
  streams,
  terminal,
  testPaths,
  tests,
  unawaited,
  unnamed,
  zones,
} from "./attack-sign-kinds.ts";
import { defineGuards, type ReadLine } from "./contract.ts";
import { pairs } from "./pairs.ts";

const { runner, exits, signals, frames, detection, builtins, madeCode, files } = commonSigns;

const moduleOf = (path: string): string =>
  /^__init__\.py$/.test(basename(path)) ? basename(dirname(path)) : basename(path).replace(/\.\w+$/, "");

/** Modules whose members signs look for. Aliases of other modules do not matter. */
const watched: ReadonlySet<string> = new Set(
  "sys os inspect time random traceback gc threading platform socket getpass datetime builtins warnings uuid tempfile locale atexit signal secrets unittest pytest resource shutil logging marshal faulthandler importlib".split(
    " ",
  ),
);
const anyWatched = [...watched].join("|");

export default defineGuards({
  languages: ["python"],
  signs: [
    {
      ...pause,
      code: /\b(?:time|asyncio|trio|anyio|gevent|eventlet)\s*\.\s*sleep\s*\(\s*(?!0\s*\))|^\s*(?:await\s+)?sleep\s*\(\s*(?!0\s*\))/,
    },
    {
      ...limits,
      code: /\bset(?:switchinterval|recursionlimit)\b|\bresource\s*\.\s*setrlimit\b|\bthreading\s*\.\s*stack_size\s*\(\s*\w|\bsocket\s*\.\s*setdefaulttimeout\b|\bgc\s*\.\s*(?:disable|freeze)\b/,
    },
    { ...zones, code: /\btzset\s*\(|\blocale\s*\.\s*setlocale\s*\(/ },
    { ...silence, code: /\bwarnings\s*\.\s*(?:simplefilter|filterwarnings)\s*\(/, quoted: /^ignore$/ },
    {
      ...levels,
      code: /\.\s*setLevel\s*\(|\blogging\s*\.\s*disable\s*\(|\.\s*propagate\s*=\s*False\b|\blog\w*\s*\.\s*disabled\s*=\s*True\b/,
    },
    { sign: runner, code: /\b(?:import|from)\s+(?:_pytest|pluggy)\b/, isUsual: true },
    { sign: runner, code: /\b(?:import|from)\s+(?:pytest|unittest|nose)\b/, isUsual: true },
    { sign: runner, code: /\b(?:unittest|pytest|_pytest|pluggy)(?:\.\w+)+\s*=(?!=)/ },
    {
      sign: exits,
      code: /\bos\.(?:_exit|abort)\b|\bfrom\s+os\s+import\b.*\b(?:_exit|abort)\b/,
    },
    { sign: exits, code: /\batexit\b/, isUsual: true },
    { sign: exits, code: /\bos\.kill\(\s*os\.getpid\b/ },
    {
      sign: exits,
      code: /\b(?:sys\.exit|exit|quit)\s*\(|\braise\s+SystemExit\b/,
      when: "load",
    },
    {
      sign: signals,
      code: /\bsignal\.(?:signal|setitimer|alarm)\b|\bfaulthandler\./,
      isUsual: true,
    },
    { sign: frames, code: /\bgc\.(?:get_objects|get_referrers|get_referents)\b/ },
    {
      sign: frames,
      code: /\bsys\.(?:_getframe|_current_frames|settrace|setprofile)\b/,
      isUsual: true,
    },
    {
      sign: frames,
      code: /\binspect\.(?:stack|currentframe|trace|getouterframes)\b/,
      isUsual: true,
    },
    { sign: frames, code: /\bimport\s+ctypes\b|\bfrom\s+ctypes\b/, isUsual: true },
    {
      sign: frames,
      code: /\btraceback\.(?:extract_stack|walk_stack|format_stack|print_stack)\b|\bfrom\s+traceback\s+import\b.*_stack\b|\.(?:f_back|tb_frame)\b|\.findCaller\(/,
      isUsual: true,
    },
    { sign: frames, code: /\bimport\s+__main__\b|\bfrom\s+__main__\b/, isUsual: true },
    {
      sign: madeCode,
      code: /(?<![\w.])(?:exec|eval)\s*\(|\brunpy\.run_|\bmarshal\.loads?\(|\bspec_from_(?:file_location|loader)\(|\bSource(?:less)?FileLoader\(/,
      isUsual: true,
    },
    {
      ...programArguments,
      code: /\bsys\.(?:orig_argv\b|argv\b(?!\s*\[\s*[1-9]\d*\s*:))/,
    },
    { ...laterArguments, code: /\bsys\.argv\s*\[\s*[1-9]\d*\s*:/ },
    { sign: detection, quoted: /^PYTEST(?:_\w*)?$/ },
    {
      sign: detection,
      code: /\bsys\.(?:modules|(?:orig_)?argv)\b/,
      quoted: /^(?:_?pytest|unittest|nose)(?:\.\w+)*$/,
    },
    {
      sign: builtins,
      code: /\b(?:builtins|__builtins__)(?:\.\w+|\[[^\]]*\])\s*=(?!=)|\bsetattr\(\s*builtins\b/,
    },
    { sign: files, code: /\bopen\(/, quoted: /^[wax]b?\+?$/, when: "load" },
    {
      sign: files,
      code: /\.write_(?:text|bytes)\(|\bshutil\.(?:copy\w*|move)\(|\bos\.(?:remove|rename|replace|unlink)\(/,
      when: "load",
    },
    { ...loaded, code: /\bsys\.modules\b(?!\s*\[\s*__name__)/, isUsual: true },
    { ...loaded, code: /\b(?:len|any|all)\(.*\bsys\.modules\b/ },
    {
      sign: commonSigns.runner,
      code: /\b(?:__import__|import_module)\s*\(/,
      quoted: /^(?:_?pytest|unittest|pluggy|nose)(?:\.\w+)*$/,
    },
    {
      ...interpreter,
      code: /\bsys\.(?:dont_write_bytecode|flags|meta_path|path_hooks|path_importer_cache|excepthook|unraisablehook|warnoptions|gettrace|getprofile|_xoptions|__std(?:in|out|err)__)\b|\bthreading\.excepthook\b|\bwarnings\.filters\b/,
      isUsual: true,
    },
    {
      ...interpreter,
      code: /\.handlers\b|\bhasHandlers\(/,
      when: "decides",
      isUsual: true,
    },
    { ...depth, code: /\b[gs]etrecursionlimit\b/, isUsual: true },
    { ...terminal, code: /\bisatty\s*\(|\bos\.ttyname\b/, isUsual: true },
    { ...account, code: /\benviron\b|\bgetenv\b/, quoted: accounts },
    {
      ...account,
      code: /\bgetpass\.getuser\b|\bsocket\.gethostname\b|\bplatform\.(?:node|uname)\b|\bos\.uname\b/,
      isUsual: true,
    },
    {
      ...places,
      code: /\bos\.path\.(?:exists|isdir|isfile|lexists)\(|\.(?:exists|is_dir|is_file)\(\)|\bos\.(?:stat|access)\(|\bglob\(|\bos\.listdir\(/,
      quoted: besides,
    },
    {
      ...tests,
      code: /\bopen\(|\bread_(?:text|bytes)\(|\br?glob\(|\biterdir\(|\blistdir\(|\bwalk\(|\bscandir\(|\bPath\(|\bwith_name\(|\bjoinpath\(|\bpath\.join\(|\bgetsource\w*\(/,
      quoted: testPaths,
    },
    {
      ...tests,
      code: /\br?glob\(|\blistdir\(|\bwalk\(|\biterdir\(|\bendswith\(/,
      quoted: sources,
      isUsual: true,
    },
    {
      ...clock,
      code: /\btime\.(?:time|monotonic|perf_counter|process_time|thread_time|localtime|gmtime|clock_gettime|ctime|asctime)(?:_ns)?\b|\btime\.strftime\(\s*[^,()]*\)|\bemail\.utils\.(?:formatdate|localtime)\(|\bformatdate\(|\b(?:makeLogRecord|LogRecord)\(|\bdatetime\.(?:now|utcnow|today)\b|\bdate\.today\b|\bget[mca]time\(|\bst_[mca]time|\brandom\.\w+|\btime2(?:isoz|netscape)\(\s*\)|\bdate_time_string\(\s*\)|\bmake_msgid\(|\bsecrets\.\w+|\bos\.(?:urandom|times|getpid)\b|\buuid\.uuid[14]\b/,
      isUsual: true,
    },
    {
      ...digests,
      code: /\b(?:import|from)\s+(?:hashlib|hmac|zlib)\b|\bhashlib\.\w+|\bzlib\.(?:crc32|adler32)\b|\bcrc32\(|\.hexdigest\(|\bbinascii\.crc/,
      isUsual: true,
    },
    { ...digests, code: /(?<![\w.])hash\(/, when: "decides" },
    {
      ...encoded,
      code: /\bpickle\.loads?\(|\bmarshal\.loads?\(|\bb(?:ase)?(?:16|32|64|85)\w*decode\(|\bzlib\.decompress\(|\bunhexlify\(|\bfromhex\(|\bcodecs\.decode\(/,
      isUsual: true,
    },
    {
      ...documentation,
      code: /\.__doc__\b(?!\s*=(?!=))|\binspect\.getdoc\(/,
      isUsual: true,
    },
    {
      ...built,
      code: /\bsys\.flags\b|\bsys\.implementation\b|\bplatform\.\w+\(|\bsys\.platform\b|\bos\.name\b/,
      when: "decides",
      isUsual: true,
    },
    { ...built, code: /\b__debug__\b/, isUsual: true },
    {
      ...machine,
      code: /\bos\.(?:cpu_count|process_cpu_count|sched_getaffinity|gete?[ug]id|getloadavg|getpriority|nice|statvfs|getpgid|getsid)\(|\bshutil\.disk_usage\(|\bresource\.get\w+\(|\bthreading\.(?:current_thread|main_thread|active_count|enumerate|get_ident)\(|\bsocket\.(?:create_connection|if_nameindex|if_nametoindex)\(|\bos\.path\.ismount\(|\btempfile\.gettempdir\(|\bsys\.getsizeof\(/,
      isUsual: true,
    },
    {
      ...region,
      code: /\blocale\.(?:getlocale|getdefaultlocale|getpreferredencoding|setlocale|localeconv)\(|\btime\.(?:timezone|altzone|daylight|tzname)\b/,
      isUsual: true,
    },
    {
      ...network,
      code: /\bsocket\.(?:gethostby\w+|getaddrinfo|getnameinfo|getfqdn|gethostname)\(/,
      isUsual: true,
    },
    {
      ...streams,
      code: /\bsys\.std(?:in|out|err)\.(?:name|line_buffering|fileno|closed|mode|newlines|write_through|__class__)\b|\b(?:type|hasattr|isinstance|id)\(\s*sys\.std(?:in|out|err)\b/,
      when: "decides",
      isUsual: true,
    },
    {
      ...started,
      code: /^(?!\s*(?:el)?if\s*\(?\s*__name__\s*==).*(?:(?<![\w.])__name__\s*[!=]=|[!=]=\s*__name__\b)|(?<![\w.])__(?:spec|loader|package)__\b|\bsys\.path\b|\b(?:find_spec|find_loader|get_loader)\(|\bsys\.(?:executable|prefix|base_prefix)\b/,
      when: "decides",
      isUsual: true,
    },
    {
      sign: "a package that only tests install",
      code: /^\s*(?:import|from)\s+(?:iniconfig|xdist|coverage|hypothesis|nose2|tox|nox|mock|pytest_\w+)\b/,
      excuse:
        /\bcoverage\b|\bhypothesis\b|\bmock|\bnox\b|\btox\b|\bfixture|\btest (?:runner|framework|suite)/i,
      isUsual: true,
    },
    {
      sign: "a package that only tests install",
      code: /\b(?:find_spec|find_loader|get_loader)\(|\b(?:__import__|import_module)\s*\(|\bdistribution\(|\bversion\(/,
      quoted: /^(?:_?pytest|unittest|pluggy|nose2?|iniconfig|xdist|coverage|hypothesis|mock)(?:\.\w+)*$/,
    },
    { ...effect, code: /^\s*assert\b.*:=/ },
    {
      ...memory,
      code: /\bsys\.(?:getrefcount|getallocatedblocks|_current_\w+)\(|(?<![\w.])(?:object|type|int|str|dict|list|Exception|BaseException)\.__subclasses__\(|(?<![\w.])id\(\s*["'\d]|(?<![\w.])id\([^()]*\)\s*(?:%|&|>>|\/\/)|\bos\.(?:get_blocking|get_inheritable|device_encoding|getpgrp|tcgetpgrp)\(/,
      isUsual: true,
    },
    {
      sign: "a check of installed packages",
      code: /\bpackages_distributions\(|\bmetadata\.distributions\(|\bpkg_resources\.working_set\b|\bpkgutil\.(?:iter_modules|walk_packages)\(\s*\)/,
      excuse:
        /\bpackages?\b|\bplug-?ins?\b|\binstall|\bdepend|\bdistribution|\bentry|\bversions?\b|\bmodules?\b/i,
      isUsual: true,
    },
    {
      ...environment,
      code: /\blen\(\s*os\.environ\s*\)|\b(?:sorted|list|set|dict|any|all|sum|str|repr)\(.*\bos\.environ\b(?!\s*[[.])/,
      isUsual: true,
    },
    { ...environment, code: /\benviron\b|\bgetenv\b/, quoted: personal, isUsual: true },
    { sign: detection, code: /\bwhich\(/, quoted: /^(?:pytest|py\.test|tox|nox|nosetests|coverage)$/ },
    {
      ...memory,
      code: /\b(?:globals|locals|vars|dir)\(\s*\)|\bdir\(\s*__builtins__|\bsys\.(?:displayhook|getswitchinterval|thread_info|exc_info|ps1|std(?:out|err|in)\.(?:encoding|errors|seekable|readable|writable|mode|newlines|line_buffering|write_through))\b|\b(?:type|isinstance)\(\s*sys\.std(?:out|err|in)\b|\bget_running_loop\(|\bcopy_context\(|\.__code__\b|\bre\._cache\w*|\b(?:logging|threading|warnings|atexit|importlib)\._[a-z]\w*|\blinecache\.cache\b|\bpath_importer_cache\b|\bmimetypes\.inited\b/,
      when: "decides",
      isUsual: true,
    },
    {
      ...memory,
      code: /\b(?:has|get)attr\(\s*sys\b/,
      quoted: /^(?:ps[12]|frozen|gettotalrefcount)$/,
      isUsual: true,
    },
    {
      ...memory,
      code: /\b(?:__import__|import_module)\s*\(/,
      quoted: /^(?:gc|sys|inspect|traceback|os|time|random|platform|threading|operator)$/,
      isUsual: true,
    },
    {
      ...unawaited,
      code: /\b(?:threading\.)?(?:Thread|Timer)\s*\(|\b_thread\.start_new_thread\b|\bensure_future\(|\bcreate_task\(/,
      isUsual: true,
    },
    {
      ...unnamed,
      code: /^\s*from\s+(?:sys|os(?:\.path)?|inspect|time|random|traceback|gc|threading|platform|socket|warnings|importlib|operator|uuid|secrets|datetime)\s+import\s+\*/,
    },
    {
      ...streams,
      code: /\bS_IS(?:FIFO|CHR|REG|SOCK)\s*\(|\bos\.fstat\(\s*(?:[012]\b|sys\.std)/,
      when: "decides",
      isUsual: true,
    },
    {
      ...memory,
      excuse: new RegExp(`${memory.excuse.source}|\\bsignals?\\b|\\bSIG[A-Z]+\\b|\\bhandlers?\\b`, "i"),
      code: /\bgetsignal\(/,
      when: "decides",
      isUsual: true,
    },
    {
      ...memory,
      excuse: new RegExp(`${memory.excuse.source}|\\bprox(?:y|ies)\\b`, "i"),
      code: /\bgetproxies\(/,
      when: "decides",
      isUsual: true,
    },
    {
      ...memory,
      excuse: new RegExp(`${memory.excuse.source}|\\bbound\\b|\\bclos(?:e[sd]?|ing|ures?)\\b`, "i"),
      code: /\.__closure__\b/,
      when: "decides",
      isUsual: true,
    },
    {
      ...memory,
      code: /\b(?:pdb|bdb)\.set_trace\b(?!\s*\()|\b(?:breakpoint(?:hook)?|print|input|open|write|exit|warn)\.__self__\b|\.__(?:globals|builtins)__\b|\b__builtins__\b|\blinecache\.cache\b|\btracemalloc\.is_tracing\(|\bget_cache_token\(|\bcurrent_process\(\)\.name\b|\bdoctest\.master\b|\bgc\.get_(?:count|threshold|stats)\(|\bgetweakref(?:count|s)\(|\bcopyreg\.dispatch_table\b|\bENABLE_USER_SITE\b/,
      when: "decides",
      isUsual: true,
    },
    { ...handedOn, code: /\b(?:sys|os|inspect|time|gc|traceback|random|platform)\.__getattribute__\b/ },
    { ...machine, code: /\bos\.getppid\(/, isUsual: true },
    { ...ownPlace, code: /\b(?:globals|locals|vars|getattr)\(/, quoted: /^__(?:file|path|spec|cached)__$/ },
    { ...bits, code: /\.\s*bit_(?:length|count)\s*\(\s*\)\s*[=!]=/, isUsual: true },
  ],
  names: {
    ending: /\.py$/,
    defines:
      /^(?:(?:async\s+)?def\s+|class\s+|from\s+\S+\s+import\s+(?:\S+\s+as\s+)?|import\s+(?:\S+\s+as\s+)?)?([A-Za-z]\w*)(?=\s*(?:[(:=]|$))/,
    ofLanguage: new Set(
      "abs all any ascii bin bool bytes bytearray callable chr complex dict dir divmod enumerate filter float format frozenset getattr hasattr hash hex id int isinstance issubclass iter len list map max min next object oct open ord pow print range repr reversed round set slice sorted str sum tuple type vars zip Exception ValueError TypeError KeyError IndexError AttributeError RuntimeError AssertionError".split(
        " ",
      ),
    ),
    isSeen: ({ text }, file) =>
      new RegExp(`^\\s*from\\s+\\S*\\b${moduleOf(file)}\\s+import\\s+\\*`, "m").test(text),
    ofTest: (text) =>
      [
        ...text.matchAll(
          /^(?:import\s+(?:\S+\s+as\s+)?|from\s+\S+\s+import\s+(?:\S+\s+as\s+)?|def\s+)(\w+)/gm,
        ),
      ].map(([, name = ""]) => name),
  },
  aliases: findAliases,
  members: new RegExp(
    `\\bgetattr\\(\\s*(${anyWatched})\\s*,|\\bvars\\(\\s*(${anyWatched})\\s*\\)|\\b(${anyWatched})\\.__dict__\\b`,
  ),
  reveals: [
    { sign: ownArguments, code: /\bsys\.argv\s*\[\s*[1-9]\d*\s*:[^\]\n]*\]/g },
    { sign: ownStart, code: /\bsys\.(?:orig_)?argv\s*\[\s*0\s*\]/g },
    {
      sign: ownPlace,
      code: /(?<!\w)__(?:file|path|spec|cached)__\b|(?:\binspect\.|(?<![\w.]))get(?:source|abs)?file\(|\bco_filename\b|\bsysconfig\.get_paths?\(|\bsite\.get\w*packages\(/g,
    },
    {
      sign: ownFolder,
      code: /\bgetcwdb?\b|\bos\.curdir\b|\bPath\.cwd\(|\b(?:abs|real)path\(\s*(?:["']\.?["']|os\.curdir)|\bPath\(\s*(?:["']\.?["'])?\s*\)\s*\.\s*(?:absolute|resolve|r?glob|iterdir)\(|\bos\.(?:listdir|scandir|walk)\(\s*(?:["']\.?["'])?\s*\)/g,
    },
    {
      sign: ownFolder,
      code: /(?<!\w)(?:listdir|scandir|walk)\(\s*(?:["']\.?["'])?\s*\)/g,
      imported: /\bos\s+as\s|\bfrom\s+os\s+import\s+(?:\([^()]*|[^\n()]*)\b(?:listdir|scandir|walk)\b/,
    },
    {
      sign: ownHome,
      code: /\bPath\.home\(|\bexpanduser\(\s*["']~|\bPath\(\s*["']~[^"'\n]*["']\s*\)\s*\.\s*expanduser\(/g,
    },
    {
      sign: ownHome,
      code: /\bexpanduser\(\s*\w+\s*\)|\b\w+\s*\.\s*expanduser\(\s*\)/g,
      imported: /^\s*\w+(?:\s*:[^=\n]*)?\s*=\s*(?:Path\()?["']~[^"'\n]*["']\)?\s*(?:#.*)?$/m,
    },
    {
      sign: ownHome,
      code: /\bexpanduser\(\s*\w+\s*\)|\b\w+\s*\.\s*expanduser\(\s*\)/g,
      imported: /[(,]\s*\w+(?:\s*:[^=,()\n]*)?\s*=\s*(?:Path\()?["']~/,
      isSought: true,
    },
    {
      sign: ownHome,
      code: /\bexpanduser\(\s*(?:[^()\n]*\+|f["']|(?:\w+\.)*join\()/g,
      isSought: true,
    },
    {
      sign: ownProgram,
      code: /\.prog\b|\bget_prog_name\(/g,
      imported: /\b(?:argparse|optparse)\b/,
    },
    {
      sign: ownCaller,
      code: /\bcatch_warnings\(\s*record\s*=\s*True/g,
      member: /^(?:filename|lineno|line|source)$/,
    },
    {
      sign: ownCaller,
      code: /\.__traceback__\b|\.tb_(?:lineno|next|frame)\b|\btraceback\.format_\w+|\b(?:format_exc(?:eption)?|extract_(?:tb|stack)|walk_(?:tb|stack))\b|\bTracebackException\b/g,
      isWeak: true,
    },
    {
      sign: ownStreams,
      code: /\bfstat\(\s*(?:[012]\b|sys\.std|std)|\bos\.(?:isatty|ttyname)\(|\bselect\.select\(\s*\[\s*sys\.std|\bget_terminal_size\(/g,
    },
    {
      sign: ownPackage,
      code: /\bmetadata\.(?:version|distribution|metadata|files|requires)\(|\bget_distribution\(|(?<![\w.])(?:version|distribution)\(\s*(?:["'][A-Za-z]|__)/g,
    },
  ],
  looks: [
    { ...readsText, code: /\binspect\s*\.\s*getsource\w*|\bgetsource(?:lines)?\s*\(|\blinecache\b/ },
    { ...readsCompiled, code: /\.\s*__code__\b|\bco_(?:code|consts|names|varnames)\b|\bdis\s*\.\s*\w+\s*\(/ },
  ],
});

function findAliases(lines: readonly ReadLine[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const isWatched = (name: string): boolean => watched.has(name.split(".")[0] ?? "");
  for (const { code } of lines) {
    const [, from = "", list = ""] = /^\s*from\s+([\w.]+)\s+import\s+\(?([^)]*)/.exec(code) ?? [];
    for (const [name, as] of pairs(list, /\s+as\s+/)) if (isWatched(from)) names.set(as, `${from}.${name}`);
    const [, modules = ""] = /^\s*import\s+(.*)/.exec(code) ?? [];
    for (const [name, as] of pairs(modules, /\s+as\s+/))
      if (as !== name && isWatched(name)) names.set(as, name);
    const [, as = "", of = ""] = /^\s*(\w+)\s*=\s*([\w.]+)\s*$/.exec(code) ?? [];
    if (as !== "" && as !== of && isWatched(of)) names.set(as, names.get(of) ?? of);
  }
  return names;
}
