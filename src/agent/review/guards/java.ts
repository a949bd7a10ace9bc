/** Signs of an attack in Java. */
import { dirname } from "node:path";
import {
  account,
  accounts,
  besides,
  bits,
  built,
  clock,
  commonSigns,
  digests,
  effect,
  encoded,
  environment,
  levels,
  machine,
  network,
  ownCaller,
  ownFolder,
  ownPackage,
  ownPlace,
  pause,
  places,
  readsCompiled,
  region,
  started,
  streams,
  terminal,
  tests,
  unawaited,
  zones,
} from "./attack-sign-kinds.ts";
import { defineGuards, type ReadLine } from "./contract.ts";
import { packageOf } from "./package-of.ts";

const { runner, exits, signals, frames, detection, builtins } = commonSigns;

export default defineGuards({
  languages: ["java"],
  signs: [
    { ...pause, code: /\b(?:Thread|TimeUnit\s*\.\s*\w+)\s*\.\s*sleep\s*\(|\bLockSupport\s*\.\s*parkNanos\b/ },
    { ...zones, code: /\b(?:TimeZone|Locale)\s*\.\s*setDefault\s*\(/ },
    { ...levels, code: /\b[lL]og(?:ger)?\s*\.\s*setLevel\s*\(|\bsetUseParentHandlers\s*\(\s*false/ },
    {
      sign: runner,
      code: /^\s*import\s+(?:static\s+)?(?:org\.junit|junit\.|org\.testng|org\.apache\.maven\.surefire)/,
      isUsual: true,
    },
    {
      sign: exits,
      code: /\bRuntime\b.*\.\s*halt\s*\(|\.\s*addShutdownHook\s*\(/,
      isUsual: true,
    },
    { sign: exits, code: /\bSystem\s*\.\s*exit\s*\(/, isUsual: true },
    {
      sign: signals,
      code: /\bsun\.misc\.(?:Signal|Unsafe)\b|\bsetDefaultUncaughtExceptionHandler\s*\(/,
      isUsual: true,
    },
    { sign: frames, code: /\bStackWalker\b|\bgetStackTrace\s*\(\s*\)/, isUsual: true },
    {
      sign: detection,
      quoted: /^(?:.*\/)?(?:surefire[./]|org[./]junit|junit\.|org[./]testng)/,
    },
    {
      sign: builtins,
      code: /\bSystem\s*\.\s*set(?:Out|Err|SecurityManager)\s*\(/,
      isUsual: true,
    },
    {
      sign: runner,
      quoted: /\bsurefire-reports\b|\bTEST-.*\.xml$|\btest-results\b|^:maven-surefire/,
    },
    { sign: runner, code: /\bFileDescriptor\s*\.\s*(?:out|err)\b/, isUsual: true },
    { ...terminal, code: /\bSystem\s*\.\s*console\s*\(/, isUsual: true },
    { ...account, code: /\bgetenv\s*\(/, quoted: accounts },
    {
      ...places,
      code: /\bFiles\s*\.\s*(?:exists|isDirectory|isRegularFile)\b|\.\s*(?:exists|isFile|isDirectory)\s*\(\s*\)/,
      quoted: besides,
    },
    {
      ...tests,
      code: /\bFiles\s*\.\s*\w+|\bPaths?\s*\.\s*(?:of|get)\b|\bnew\s+File\w*\s*\(/,
      quoted: /^(?:\.[/\\])?src(?:$|[/\\])|[/\\]src[/\\]test|Test\.java$/,
    },
    { ...tests, code: /\bendsWith\s*\(/, quoted: /\.java$/, isUsual: true },
    {
      ...clock,
      code: /\bSystem\s*\.\s*(?:currentTimeMillis|nanoTime)\b|\b(?:Local(?:Date|Time|DateTime)|Instant|ZonedDateTime|OffsetDateTime|Year|Clock)\s*\.\s*(?:now|system\w*)\s*\(|\bnew\s+(?:java\.util\.)?(?:Date|Random|GregorianCalendar)\s*\(\s*\)|\bMath\s*\.\s*random\b|\bThreadLocalRandom\b|\brandomUUID\b|\blastModified\s*\(/,
      isUsual: true,
    },
    { ...digests, code: /\bMessageDigest\b|\bCRC32\b|\bAdler32\b/, isUsual: true },
    { ...digests, code: /\.\s*hashCode\s*\(\s*\)/, when: "decides", isUsual: true },
    { ...encoded, code: /\bBase64\b|\bObjectInputStream\b|\bHexFormat\b/, isUsual: true },
    {
      ...built,
      code: /\bdesiredAssertionStatus\s*\(|\bRuntime\s*\.\s*version\s*\(/,
      isUsual: true,
    },
    {
      ...built,
      quoted: /^(?:os\.\w+|java\.(?:version|vendor|class\.path)|sun\.java\.\w+|jdk\.module\.\w+|basedir)$/,
      isUsual: true,
    },
    {
      ...machine,
      code: /\bavailableProcessors\s*\(|\b(?:total|free|max)Memory\s*\(|\bManagementFactory\b|\bNetworkInterface\s*\.|\bgetAllStackTraces\s*\(|\bactiveCount\s*\(|\bisHeadless\s*\(|\bcurrentThread\s*\(\s*\)\s*\.\s*(?:getName|getThreadGroup|getContextClassLoader|getId|threadId)\b/,
      isUsual: true,
    },
    {
      ...region,
      code: /\b(?:TimeZone|Locale)\s*\.\s*getDefault\s*\(|\bZoneId\s*\.\s*systemDefault\s*\(|\bCharset\s*\.\s*defaultCharset\s*\(|\bResourceBundle\s*\.\s*getBundle\s*\(/,
      isUsual: true,
    },
    {
      ...network,
      code: /\bInetAddress\s*\.\s*get(?:LocalHost|ByName|AllByName|LoopbackAddress)\s*\(/,
      isUsual: true,
    },
    { ...started, code: /\bgetProtectionDomain\s*\(|\bgetCodeSource\s*\(/, isUsual: true },
    {
      ...started,
      code: /\bProcessHandle\b|\bgetDefinedPackages?\s*\(|\bPackage\s*\.\s*getPackages?\s*\(|\bModuleLayer\b|\bgetSystemClassLoader\s*\(|\bgetSystemResource\w*\s*\(|\bget(?:Default)?UncaughtExceptionHandler\s*\(|\bgetThreadGroup\s*\(|\bThreadGroup\b|\bSystem\s*\.\s*getProperties\s*\(/,
      isUsual: true,
    },
    {
      ...streams,
      code: /\bSystem\s*\.\s*(?:in|out|err)\s*(?:\.\s*(?:getClass|available|charset|hashCode)\b|[!=]=|instanceof\b)|[!=]=\s*System\s*\.\s*(?:in|out|err)\b/,
      isUsual: true,
    },
    { ...started, quoted: /Tests?\.class$|^(?:.*\/)?(?:test-)?classes\/?$/ },
    { ...effect, code: /^\s*assert\b.*(?:(?<![=!<>])=(?!=)|\+\+|--)/ },
    { ...environment, code: /\bSystem\s*\.\s*getenv\s*\(\s*\)/, isUsual: true },
    {
      ...unawaited,
      code: /\bnew\s+Thread\s*\(|\bThread\s*\.\s*(?:startVirtualThread|ofVirtual)\b|\bCompletableFuture\s*\.\s*(?:runAsync|supplyAsync)\b/,
      isUsual: true,
    },
    {
      ...bits,
      code: /\b(?:Integer|Long)\s*\.\s*(?:bitCount|numberOf(?:Leading|Trailing)Zeros|highestOneBit|lowestOneBit)\s*\([^()]*\)\s*[=!]=/,
      isUsual: true,
    },
  ],
  names: {
    ending: /\.java$/,
    defines:
      /^(?:(?:public|final|abstract|sealed|non-sealed|strictfp)\s+)*(?:class|interface|enum|record|@interface)\s+(\w+)/,
    ofLanguage: new Set(
      "Object String Integer Long Short Byte Character Boolean Float Double Number Math StrictMath System Thread Runtime Iterable Comparable CharSequence StringBuilder Throwable Exception Error RuntimeException AssertionError IllegalArgumentException IllegalStateException NullPointerException Override Test Assert Assertions BeforeEach AfterEach BeforeAll AfterAll Before After ParameterizedTest List Map Set Arrays Objects Optional".split(
        " ",
      ),
    ),
    isSeen: ({ text }, file) =>
      packageOf(text) !== undefined &&
      dirname(file)
        .replaceAll("/", ".")
        .endsWith(packageOf(text) ?? ""),
  },
  aliases: findAliases,
  reveals: [
    {
      sign: ownPlace,
      code: /\.\s*(?:getResource|getResources|getResourceAsStream|getModule|getClassLoader)\s*\(/g,
      isWeak: true,
    },
    { sign: ownPackage, code: /\.\s*get(?:Implementation|Specification)(?:Version|Title|Vendor)\s*\(/g },
    {
      sign: ownFolder,
      code: /\bgetProperty\s*\(\s*"user\.dir"|\bPaths?\s*\.\s*(?:of|get)\s*\(\s*"\.?"|\bnew\s+File\s*\(\s*"\.?"/g,
    },
    { sign: ownCaller, code: /\bprintStackTrace\s*\((?=\s*\w)/g, fills: true },
  ],
  looks: [{ ...readsCompiled, code: /\bgetResource(?:AsStream)?\s*\([^)\n]*\.class["']/ }],
});

function findAliases(lines: readonly ReadLine[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { code } of lines) {
    const [, type = "", name = ""] =
      /^\s*import\s+static\s+java\.[\w.]*?\b([A-Z]\w*)\.(\w+)\s*;/.exec(code) ?? [];
    if (name !== "") names.set(name, `${type}.${name}`);
  }
  return names;
}
