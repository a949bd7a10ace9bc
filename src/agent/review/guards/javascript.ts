/** Signs of an attack in JavaScript and TypeScript. */
import {
  account,
  accountNames,
  accounts,
  besides,
  bits,
  built,
  callers,
  callSites,
  clock,
  commonSigns,
  digests,
  encoded,
  environment,
  framework,
  handedOn,
  hidden,
  host,
  interpreter,
  laterArguments,
  levels,
  limits,
  machine,
  memory,
  mode,
  network,
  ownArguments,
  ownCaller,
  ownFolder,
  ownPlace,
  ownStart,
  ownStreams,
  pause,
  places,
  programArguments,
  region,
  silence,
  started,
  terminal,
  testPaths,
  tests,
  turning,
  unawaited,
  zones,
} from "./attack-sign-kinds.ts";
import { defineGuards, type ReadLine } from "./contract.ts";
import { pairs } from "./pairs.ts";

const { runner, exits, signals, frames, detection, builtins, madeCode } = commonSigns;

/** Modules whose members signs look for. Aliases of other modules do not matter. */
const watched: ReadonlySet<string> = new Set(
  "process Error globalThis os performance Date Math module require vm v8".split(" "),
);
const anyWatched = [...watched].join("|");

export default defineGuards({
  languages: ["javascript", "typescript", "tsx"],
  signs: [
    {
      ...pause,
      code: /\bnew\s+Promise\s*\(.*\bsetTimeout\s*\(|\bsetTimeout\s*\(\s*(?:resolve|done|res)\b|\bAtomics\s*\.\s*wait\s*\(|\bawait\s+(?:setTimeout|sleep)\s*\(/,
    },
    {
      ...limits,
      code: /\.\s*setMaxListeners\s*\(|\bdefaultMaxListeners\s*=(?!=)|\bstackTraceLimit\s*=(?!=)/,
    },
    { ...zones, code: /\bprocess\s*\.\s*env\s*\.\s*TZ\s*=(?!=)/ },
    { ...levels, code: /\blog(?:ger)?\s*\.\s*(?:level|silent)\s*=(?!=)|\blog(?:ger)?\s*\.\s*setLevel\s*\(/ },
    {
      ...silence,
      code: /\bprocess\s*\.\s*(?:noDeprecation|noProcessWarnings|emitWarning)\s*=(?!=)|\bprocess\s*\.\s*removeAllListeners\s*\(/,
    },
    { ...hidden, code: /\benumerable\s*:\s*false\b/ },
    {
      sign: runner,
      code: /\bimport\b|\brequire\b|\bfrom\b/,
      quoted:
        /^(?:node:test(?:\/.*)?|jest(?:-[\w-]+)?|@jest\/.+|vitest(?:\/.+)?|@vitest\/.+|mocha(?:\/.+)?|jasmine(?:-core)?|ava|uvu(?:\/.+)?|tape?)$/,
      isUsual: true,
    },
    {
      sign: exits,
      code: /\bprocess\s*\.\s*(?:on|once|addListener|prependListener|prependOnceListener)\s*\(/,
      quoted: /^(?:exit|beforeExit)$/,
      isUsual: true,
    },
    {
      sign: exits,
      code: /\bprocess\s*\.\s*(?:reallyExit|abort|dlopen)\b|\bprocess\s*\.\s*kill\s*\(\s*process\s*\.\s*pid\b/,
    },
    { sign: exits, code: /\bprocess\s*\.\s*exit(?:Code\s*=(?!=)|\s*\()/, isUsual: true },
    {
      sign: signals,
      code: /\bprocess\s*\.\s*(?:on|once|addListener|prependListener)\s*\(/,
      quoted: /^(?:SIG\w+|uncaughtException|unhandledRejection)$/,
      isUsual: true,
    },
    {
      sign: frames,
      code: /\bError\s*\.\s*prepareStackTrace\b|\bprocess\s*\.\s*binding\b/,
      isUsual: true,
    },
    {
      sign: frames,
      code: /\brequire\s*\.\s*cache\b|\bModule\s*\.\s*(?:_load|prototype)\b/,
      isUsual: true,
    },
    {
      sign: detection,
      code: /\b(?:JEST_WORKER_ID|VITEST(?:_\w+)?|NODE_TEST_CONTEXT|MOCHA_\w+)\b/,
    },
    {
      sign: detection,
      quoted: /^(?:JEST_WORKER_ID|VITEST(?:_\w+)?|NODE_TEST_CONTEXT|MOCHA_\w+)$/,
    },
    {
      sign: detection,
      code: /\btypeof\s+(?:jest|vi|describe|it|expect|beforeEach|afterEach)\b|\bglobal(?:This)?\s*\.\s*(?:jest|describe|it|expect)\b/,
    },
    {
      sign: builtins,
      code: /\b(?:Object|Array|String|Number|Map|Set|Promise|JSON|Math|Date|Function|RegExp|assert|expect)\s*\.\s*(?:prototype\s*\.\s*)?\w+\s*=(?![=>])/,
      isUsual: true,
    },
    {
      sign: frames,
      code: /\bcatch\s*\(\s*\{[^}]*\bstack\b|\.\s*stack\s*\??\.\s*(?:includes|match|split|indexOf|search|startsWith)\b|\bcaptureStackTrace\b|\bError\s*\([^)]*\)\s*\)?\s*\.\s*stack\b|\{[^}]*\bstack\b[^}]*\}\s*=\s*(?:new\s+)?Error\b/,
      isUsual: true,
    },
    {
      sign: madeCode,
      code: /(?<![\w.$])eval\s*\(|\bnew\s+Function\s*\(|\b(?:vm\s*\.\s*)?(?:runIn(?:This|New)?Context|compileFunction)\s*\(|\bvm\s*\.\s*Script\b|\._compile\s*\(/,
      isUsual: true,
    },
    { sign: madeCode, code: /\bimport\s*\(/, quoted: /^data:/ },
    {
      ...programArguments,
      code: /\bprocess\s*\.\s*argv0?\b(?!\s*\.\s*slice\s*\(\s*[2-9])/,
    },
    { ...laterArguments, code: /\bprocess\s*\.\s*argv\s*\.\s*slice\s*\(\s*[2-9]/ },
    { sign: detection, code: /\bprocess\s*\.\s*execArgv\b|\bnpm_lifecycle_\w+/, isUsual: true },
    { sign: detection, code: /\bNODE_ENV\b/, quoted: /^test$/, isUsual: true },
    {
      sign: "a use of the tests' assertion library",
      code: /\bimport\b|\brequire\b|\bfrom\b/,
      quoted: /^(?:(?:node:)?assert(?:\/strict)?|chai(?:\/.*)?|expect(?:\.js)?|should|sinon|power-assert)$/,
      isUsual: true,
    },
    {
      sign: builtins,
      code: /\b(?:Object\s*\.\s*(?:assign|definePropert(?:y|ies))|Reflect\s*\.\s*set)\s*\(\s*(?:Object|Array|String|Number|Map|Set|Promise|JSON|Math|Date|Function|RegExp|Error)\b|\bsyncBuiltinESMExports\b/,
      isUsual: true,
    },
    {
      ...interpreter,
      code: /\bprocess\s*\.\s*(?:listenerCount|listeners|rawListeners|eventNames|getActiveResourcesInfo|features|allowedNodeEnvironmentFlags|report)\b/,
      isUsual: true,
    },
    { ...terminal, code: /\.\s*isTTY\b|\bisatty\s*\(/, isUsual: true },
    { ...account, code: /\bprocess\s*\.\s*env\b/, quoted: accounts },
    {
      ...account,
      code: new RegExp(
        `\\bprocess\\s*\\.\\s*env\\s*\\.\\s*(?:${accountNames})\\b|\\bos\\s*\\.\\s*(?:hostname|userInfo)\\s*\\(`,
      ),
    },
    {
      ...mode,
      code: /\bimport\s*\.\s*meta\s*\.\s*(?:env|vitest|glob|hot)\b/,
      isUsual: true,
    },
    {
      ...mode,
      quoted: /^(?:\.{1,2}\/|[@~]).*\?(?:raw|url|inline|no-inline|worker|sharedworker|init)(?:&|$)/,
      isUsual: true,
    },
    {
      sign: "a result that a test framework mistakes for a matcher",
      code: /\basymmetricMatch\b/,
      isUsual: true,
    },
    {
      sign: "a result that a test framework mistakes for a matcher",
      quoted: /asymmetricMatch/,
      isUsual: true,
    },
    {
      sign: commonSigns.detection,
      code: /\b__(?:vitest|jest|mocha|karma|jasmine)\w*|\bvitest_\w+/,
    },
    { ...callers, code: /\barguments\s*\.\s*callee\b|\.\s*caller\b(?!\s*[:=(])/ },
    { ...places, code: /\b(?:exists|stat|access|lstat)(?:Sync)?\s*\(/, quoted: besides },
    {
      ...tests,
      code: /\bread(?:File|dir)(?:Sync)?\b|\bcreateReadStream\b|\bnew\s+URL\b|\bglob\w*\(|\b__dirname\b|\bpath\s*\.\s*(?:join|resolve)\b/,
      quoted: testPaths,
    },
    {
      ...clock,
      code: /\bDate\s*\.\s*now\b|(?<!\bnew\s)(?<![\w.$])Date\s*\(\s*\)|\bDateTimeFormat\s*\(.*\)\s*\.\s*format(?:ToParts)?\s*\(\s*\)|\.\s*timeStamp\b|\bTemporal\s*\.\s*Now\b|\bnew\s+Date\s*(?:\(\s*\)|(?![\s\w(]))|\bperformance\s*\.\s*now\b|\bMath\s*\.\s*random\b|\bprocess\s*\.\s*(?:uptime|hrtime|pid|ppid)\b|\b[mca]timeMs\b|\brandom(?:Bytes|Int|UUID)\b|\bgetRandomValues\b/,
      isUsual: true,
    },
    {
      ...digests,
      code: /\bcreateH(?:ash|mac)\b|\bsubtle\s*\.\s*digest\b|\bcrc32\b/,
      isUsual: true,
    },
    {
      ...encoded,
      code: /(?<![\w.])atob\s*\(|\bunescape\s*\(|\binflate\w*Sync\b|\bgunzipSync\b/,
      isUsual: true,
    },
    {
      ...encoded,
      code: /\bBuffer\s*\.\s*from\s*\(/,
      quoted: /^(?:base64(?:url)?|hex)$/,
      isUsual: true,
    },
    {
      ...framework,
      code: /\bglobal(?:This)?\s*\.\s*(?:it|test|describe|expect|assert|before|after|beforeEach|afterEach|beforeAll|afterAll|suite)\s*=(?!=)|\bglobal(?:This)?\s*\[[^\]]*\]\s*=(?![=>])|\bgetOwnPropertySymbols\s*\(\s*global(?:This)?\b|\bglobal(?:This)?\s*\[\s*Symbol\b/,
    },
    { ...framework, quoted: /^expect-global$|^jest-symbol|^vitest/, code: /\bSymbol\b/ },
    {
      ...built,
      code: /\bNODE_ENV\b|\bprocess\s*\.\s*(?:platform|arch|versions?)\b|\bos\s*\.\s*(?:platform|arch|type|release)\s*\(/,
      isUsual: true,
    },
    {
      ...machine,
      code: /\bos\s*\.\s*(?:cpus|availableParallelism|totalmem|freemem|loadavg|homedir|networkInterfaces)\s*\(|\bprocess\s*\.\s*(?:gete?[ug]id|memoryUsage|cpuUsage|resourceUsage|umask)\b|\bstd(?:out|err)\s*\??\.\s*columns\b|\bisMainThread\b|\bthreadId\b|\bhardwareConcurrency\b/,
      isUsual: true,
    },
    { ...region, code: /\bresolvedOptions\s*\(/, isUsual: true },
    {
      ...network,
      code: /\bdns(?:Promises|\s*\.\s*promises)?\s*\.\s*(?:lookup|resolve|reverse)\w*\s*\(/,
      isUsual: true,
    },
    {
      ...region,
      code: /\bnavigator\s*\.\s*languages?\b/,
      isUsual: true,
    },
    {
      ...machine,
      code: /\b(?:execution|trigger)AsyncId\b|\bexecutionAsyncResource\b/,
      isUsual: true,
    },
    {
      sign: "a check of global names",
      code: /\b(?:Object|Reflect)\s*\.\s*(?:keys|entries|values|getOwnPropertyNames|getOwnPropertyDescriptors?|getPrototypeOf|ownKeys|isFrozen|isExtensible)\s*\(\s*global(?:This)?\s*[,)]|\bin\s+global(?:This)?\s*\)\s*(?:\{|$)|\bglobal(?:This)?\s*\.\s*constructor\b/,
      excuse: /\bglobal/i,
      isUsual: true,
    },
    {
      ...started,
      code: /^(?!\s*if\s*\(\s*require\s*\.\s*main\s*===).*(?:\brequire\s*\.\s*main\b|\bmodule\s*\.\s*(?:parent|children|paths)\b|\bimport\s*\.\s*meta\s*\.\s*main\b|\bmainModule\b)/,
      isUsual: true,
    },
    {
      ...started,
      code: /\bprocess\s*\.\s*(?:title|execArgv|argv0|connected|channel|send|release|moduleLoadList|config|binding|debugPort|_\w+)\b(?!\s*[:(])|\btypeof\s+(?:require|module|exports|__\w+)\b|\brequire\s*\.\s*(?:cache|extensions)\b|\bhasSubscribers\b/,
      isUsual: true,
    },
    {
      ...started,
      code: /\bError\s*\.\s*prepareStackTrace\b/,
      when: "decides",
      isUsual: true,
    },
    {
      ...callSites,

      // An error that is made to be read, and never thrown: its text has the stack.
      code: /\b(?:inspect|format|String|stringify|structuredClone)\s*\(\s*(?:["'`][^"'`]*["'`]\s*,\s*)?new\s+\w*Error\b/,
      isUsual: true,
    },
    {
      sign: commonSigns.started,
      excuse: /\bmain\b|\bmodules?\b|\bcommand|\bCLI\b|\bscript|\brequire|\bimport|\brun\b/i,

      code: /\bcreateRequire\s*\([^)]*\)\s*\.\s*(?:main|cache)\b/,
      isUsual: true,
    },
    {
      ...memory,
      code: /\bperformance\s*\.\s*(?:nodeTiming|timeOrigin|eventLoopUtilization|getEntries\w*)\b|\bgetHeap\w*Statistics\s*\(|\bgetCachedDataVersionTag\s*\(|\bqueryObjects\s*\(/,
      isUsual: true,
    },
    {
      sign: commonSigns.madeCode,
      code: /(?<![\w.$])Function\s*\(/,
    },
    {
      sign: commonSigns.madeCode,
      code: /\.\s*constructor\s*\(/,
      quoted: /^\s*return\b/,
    },
    {
      ...environment,
      code: /\bObject\s*\.\s*(?:keys|entries|values)\s*\(\s*process\s*\.\s*env\s*\)|\bprocess\s*\.\s*env\s*\.\s*(?:HOME|PATH|LANG|TERM|SHELL|TMPDIR|NODE_OPTIONS)\b/,
      isUsual: true,
    },
    {
      ...memory,
      code: /\bvm\s*\.\s*isContext\s*\(|\bisContext\s*\(\s*globalThis|\bconsole\s*\.\s*_std(?:out|err)\b|\b(?:set(?:Timeout|Interval|Immediate)|console\s*\.\s*\w+)\s*\.\s*(?:clock|name|toString)\b/,
      when: "decides",
      isUsual: true,
    },
    { ...memory, code: /\bError\s*\.\s*stackTraceLimit\b/, when: "decides", isUsual: true },
    {
      ...memory,
      // A value of Node itself has another global class where a framework runs tests in a context of their own.
      code: /(?:\b(?:structuredClone|require|Buffer\s*\.\s*\w+)\s*\([^()]*\)|\b(?:set(?:Timeout|Interval|Immediate)|queueMicrotask|process(?:\s*\.\s*\w+)*|console(?:\s*\.\s*\w+)?|fetch)|\bText(?:En|De)coder\s*\(\s*\)\s*\.\s*\w+\s*\([^()]*\))\s+instanceof\b|\btoString\s*\.\s*call\s*\(\s*global(?:This)?\b/,
      when: "decides",
      isUsual: true,
    },
    {
      ...unawaited,
      // Deferred calls also end a recursion that exceeds the stack.
      excuse: new RegExp(
        `${unawaited.excuse.source}|\\brecurs|\\bstack (?:overflow|size)|\\bcall stack`,
        "i",
      ),
      code: /\bqueueMicrotask\s*\(|\bsetImmediate\s*\(|\bprocess\s*\.\s*nextTick\s*\(|\bvoid\s+(?:Promise\b|\(\s*async\b)|\.\s*catch\s*\(\s*\(\s*\w*\s*\)\s*=>\s*\{\s*\}\s*\)/,
      isUsual: true,
    },
    { ...turning, code: /\bSymbol\s*\.\s*toPrimitive\b/, isUsual: true },
    {
      ...host,
      code: /\btypeof\s+\(?\s*(?:globalThis\s*\.\s*)?(?:window|document|navigator|self|location|process|Deno|Bun|importScripts|WorkerGlobalScope|EdgeRuntime|localStorage|sessionStorage|XMLHttpRequest)\b|\bin\s+globalThis\b|\bglobalThis\s*\.\s*(?:window|document|navigator|Deno|Bun|importScripts)\b/,
    },
    { ...handedOn, code: /\bglobal(?:This)?\s*\[/, quoted: /^process$/ },
    { ...bits, code: /\bclz32\s*\([^()]*\)\s*[=!]=/, isUsual: true },
  ],
  hasUntypedHandlers: true,
  aliases: findAliases,
  reveals: [
    { sign: ownArguments, code: /\bprocess\s*\??\.\s*argv\s*\??\.\s*slice\s*\(\s*[2-9]\d*\s*\)/g },
    {
      sign: ownStart,
      code: /\bprocess\s*\??\.\s*argv(?:0\b|\s*(?:\?\.\s*)?\[\s*[01]\s*\])/g,
    },
    {
      sign: ownPlace,
      code: /(?<=\}\s*=\s*)import\s*\.\s*meta\b|\bimport\s*\.\s*meta\s*\??\.\s*(?:url|filename|dirname|resolve)\b|(?<![\w$.])__(?:dirname|filename)\b|\bmodule\s*\??\.\s*(?:filename|id|path)\b|\brequire\s*\??\.\s*resolve\b|\bdocument\s*\??\.\s*currentScript\b/g,
    },
    {
      sign: ownFolder,
      code: /(?<![\w$])cwd\s*(?:\?\.\s*)?\(|\bcwd(?=\s+as\s)|\b(?:path|posix|win32)\s*\.\s*resolve\s*\(\s*(?:["']\.?["'])?\s*\)|\bINIT_CWD\b/g,
    },
    {
      sign: ownFolder,
      code: /(?<!\bPromise\s*)\.\s*resolve\s*\(\s*(?:["']\.?["'])?\s*\)/g,
      imported: /(?:\w\s+from|=\s*require\s*\()\s*["'](?:node:)?path(?:\/\w+)?["']/,
    },
    {
      sign: ownFolder,
      code: /(?<![\w$.]\s*)resolve\s*\(\s*(?:["']\.?["'])?\s*\)|\bresolve(?=\s+as\s)/g,
      imported: /\bresolve\b[^{}]*\}\s*(?:from|=\s*require\s*\()\s*["'](?:node:)?path(?:\/\w+)?["']/,
    },
    { sign: ownCaller, code: /\b(?:new\s+)?(?:\w*Error|Error\w*)\s*\(/g, member: /^stack$/, isWeak: true },
    {
      sign: ownCaller,
      code: /(?<=\bcatch\s*\(\s*)[A-Za-z_$][\w$]*/g,
      member: /^stack$/,
      isWeak: true,
    },
    {
      sign: ownCaller,
      code: /\bgetCallSites?\s*\(|(?<=\b(?:e|err|error|ex|exception)\s*\??)\.\s*stack\b/g,
      isWeak: true,
    },
    {
      sign: ownStreams,
      code: /\bfstatSync\s*\(\s*[012]\b|\bprocess\s*\??\.\s*std(?:in|out|err)\s*\??\.\s*(?:fd|_type|_handle|constructor|path|writableLength|writableHighWaterMark)\b/g,
    },
  ],
  members: new RegExp(
    `\\b(${anyWatched})\\s*(?:\\?\\.)?\\[|\\bReflect\\s*\\.\\s*(?:get|has)\\(\\s*(${anyWatched})\\b|\\bin\\s+(globalThis)\\b`,
  ),
});

function findAliases(lines: readonly ReadLine[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { code, strings } of lines) {
    const module = strings[0]?.replace(/^node:/, "") ?? "";
    const isOf = /\bfrom\b|\brequire\s*\(/.test(code) && watched.has(module);
    const [, list = "", object = ""] =
      /\{([^}]*)\}\s*=\s*(?:globalThis\s*\.\s*)?(\w+)\s*;?\s*$/.exec(code) ?? [];
    if (watched.has(object))
      for (const [name, as] of pairs(list, /\s*:\s*/)) names.set(as, `${object}.${name}`);
    const [, as = "", of = ""] =
      /\b(?:const|let|var)\s+(\w+)\s*=\s*(?:globalThis\s*\.\s*)?(\w+(?:\s*\.\s*\w+)?)\s*;?\s*$/.exec(code) ??
      [];
    if (as !== of && watched.has(of.split(".")[0]?.trim() ?? "")) names.set(as, of);
    if (!isOf) continue;
    const [, inner = ""] = /\{([^}]*)\}/.exec(code) ?? [];
    for (const [name, short] of pairs(inner, /\s+as\s+|\s*:\s*/)) names.set(short, `${module}.${name}`);
    const [, whole = ""] =
      /\bimport\s+(?:\*\s*as\s+)?(\w+)/.exec(code) ?? /\b(?:const|let|var)\s+(\w+)\s*=/.exec(code) ?? [];
    if (whole !== "" && whole !== module) names.set(whole, module);
  }
  return names;
}
