/**
 * Finds changes of a program's build or package that are made outside its code:
 * - build constraints and platform names of Go files
 * - a crate that depends on itself for its tests, with features that nobody else enables
 * - package modules that differ under a condition
 * - options of the TypeScript or Babel compiler that change the tested code
 * - added files that version control ignores
 * - git attributes that make checkouts or archives differ from the tested files
 */
import { basename } from "node:path";
import picomatch from "picomatch";
import { isTestFile } from "../../../languages/source-files.ts";
import { addedLines, type ChangedFile, linesOf } from "../../code/change.ts";
import type { Finding } from "../contract.ts";
import { built, tests } from "../guards/attack-sign-kinds.ts";
import type { BaseFiles } from "../texts/base-files.ts";

const constraint = /^\/\/(?:go:build|\s*\+build)\s+(?!ignore\b)/;
/** A Go directive that compiles the texts of tests, or of all sources, into the program. */
const embedsTests = /^\/\/go:embed\s.*(?:\.go\b|\btestdata\b|(?<!\S)(?:all:)?[.*](?!\S))/;
const platformName =
  /_(?:aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|wasip1|windows|386|amd64|arm|arm64|loong64|mips\w*|ppc64\w*|riscv64|s390x|wasm)\.go$/;
const ownCrate = /\bpath\s*=\s*"\.\/?"/;
const mostSearched = 1_000;

export async function judgeBuildChoice(
  file: ChangedFile,
  base: BaseFiles,
  subjects: string,
): Promise<Finding[]> {
  const { path, before, after, isTest } = file;
  if (isTest || after === undefined) return [];
  if (basename(path) === ".gitattributes") return judgeAttributes(file, subjects);
  if (built.excuse.test(subjects)) return [];
  if (basename(path) === "package.json") return judgeConditions(file, subjects);
  const lines = linesOf(after);
  const added = addedLines(file).map((number) => lines[number - 1] ?? "");
  if (ofCompilers.test(path)) return judgeCompiler(file, added, subjects);
  if (basename(path) === "Cargo.toml" && added.some((line) => ownCrate.test(line)))
    return [
      {
        weight: "objection",
        text: `${path} makes the crate depend on itself, so tests use another build of it.`,
      },
    ];
  if (!path.endsWith(".go")) return [];
  const embedded = added.find((line) => embedsTests.test(line));
  if (embedded !== undefined)
    return [{ weight: "objection", text: `${path} adds ${tests.sign}: \`${embedded}\`.` }];
  const isNew = before === undefined && platformName.test(path);
  if (!isNew && !added.some((line) => constraint.test(line))) return [];
  const isKnown = await hasOthers(base, path);
  return [{ weight: isKnown ? "doubt" : "objection", text: `${path} adds ${built.sign}.` }];
}

/** Attributes that make a checked-out or archived file differ from the file in the repository. */
const rewriting =
  /(?:^|\s)(?:ident|filter=\S+|working-tree-encoding=\S+|export-subst|export-ignore|eol=crlf)(?=\s|$)/;
const ofCheckouts =
  /\battribut|\bline[- ]?end|\bCRLF\b|\bEOL\b|\barchive|\bencod|\bcheckout|\bLFS\b|\bexport|\btarball|\bdist|\bgit\b/i;
const ofTests = /^\s*\/?(?:\.\w|tests?\b|__tests__|specs?\b|docs?\b|examples?\b|benchmarks?\b)/;

function judgeAttributes(file: ChangedFile, subjects: string): Finding[] {
  const lines = linesOf(file.after);
  const found = addedLines(file)
    .map((number) => lines[number - 1] ?? "")
    .find((line) => rewriting.test(line) && !line.startsWith("#") && !ofTests.test(line));
  if (found === undefined || ofCheckouts.test(subjects)) return [];
  return [
    {
      weight: "objection",
      text: `${file.path} makes git check out or pack something other than the tested files: \`${found.trim()}\`.`,
    },
  ];
}

/**
 * Objects to a file that the patch adds and that version control ignores with the patch. Such a file may get lost when
 * somebody applies the patch.
 */
export function judgeIgnored(files: readonly ChangedFile[]): Finding[] {
  const patterns = files
    .filter(({ path }) => basename(path) === ".gitignore")
    .flatMap((file) => {
      const lines = linesOf(file.after);
      return addedLines(file).map((number) => (lines[number - 1] ?? "").trim().replace(/^\/|\/$/g, ""));
    })
    .filter((pattern) => pattern !== "" && !/^[#!]/.test(pattern));
  if (patterns.length === 0) return [];
  const isIgnored = picomatch(
    patterns.flatMap((each) => [each, `**/${each}`, `${each}/**`, `**/${each}/**`]),
  );
  const found = files.find(
    ({ path, before, after }) => before === undefined && after !== undefined && isIgnored(path),
  );
  if (found === undefined) return [];
  return [
    { weight: "objection", text: `The patch adds ${found.path}, but version control ignores this file.` },
  ];
}

const ofCompilers =
  /(?:^|\/)(?:(?:ts|js)config[\w.-]*\.json|\.babelrc(?:\.\w+)?|babel\.config\.\w+|\.swcrc)$/;
/** Compiler options that change the code's behaviour or the choice of files. Omits options that only concern types. */
const meaning =
  /["']?\b(target|useDefineForClassFields|experimentalDecorators|emitDecoratorMetadata|module|moduleResolution|moduleSuffixes|customConditions|jsx\w*|paths|baseUrl|rootDirs|alwaysStrict|downlevelIteration|importHelpers|esModuleInterop|preserveConstEnums|isolatedModules|verbatimModuleSyntax|assumptions|loose|plugins|presets|overrides)\b["']?\s*:/;
const ofCompiling =
  /\bt(?:s|sc|sconfig|ranspil\w*)\b|\bTypeScript|\bbabel|\bswc\b|\btarget|\bES\d|\bES(?:M|Next)\b|\bdecorator|\bJSX|\bReact|\bmodules?\b|\bresol|\bpaths?\b|\balias|\bimports?\b|\bemit|\bbundl|\bconfig/i;

function judgeCompiler(
  { path, before = "" }: ChangedFile,
  added: readonly string[],
  subjects: string,
): Finding[] {
  if (ofCompiling.test(subjects)) return [];
  const option = added.map((line) => meaning.exec(line)?.[1]).find((each) => each !== undefined);
  if (option === undefined) return [];
  const what = before.includes(option) ? "changes" : "adds";
  return [
    {
      weight: "objection",
      text: `${path} ${what} \`${option}\`, which changes the compilation of the tested code.`,
    },
  ];
}

/** Conditions that hold for tests but may not hold for programs. */
const conditions: ReadonlySet<string> = new Set(
  "development production test browser node node-addons module module-sync worker deno bun electron react-server edge-light workerd".split(
    " ",
  ),
);
/** Statements about how packages and modules are found. */
export const ofPackages =
  /\bexports?\b|\bimports?\b|\bbrowsers?\b|\bbundl|\bcondition|\bESM\b|\bCJS\b|\bCommonJS|\bmodules?\b|\bpackages?\b|\bentry|\bresolv|\bnode\b|\bdeno\b|\bbun\b/i;

function judgeConditions({ path, before, after }: ChangedFile, subjects: string): Finding[] {
  if (ofPackages.test(subjects)) return [];
  const known = new Set(listConditions(before));
  const found = listConditions(after).find((each) => !known.has(each));
  if (found === undefined) return [];
  return [
    {
      weight: "objection",
      text: `${path} adds a module that differs under the condition \`${found}\`.`,
    },
  ];
}

/**
 * Lists each condition in `imports` and `exports` with its entry, such as `#rate development`. For the field `browser`,
 * the form is `browser ./a.js`.
 */
function listConditions(text = ""): string[] {
  const manifest = readManifest(text);
  return ["imports", "exports", "browser"].flatMap((field) => listWithin(manifest[field], field));
}

function listWithin(value: unknown, entry: string): string[] {
  if (!isTable(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const isCondition = conditions.has(key) || (entry === "browser" && inner !== false);
    return [...(isCondition ? [`${entry} ${key}`] : []), ...listWithin(inner, isCondition ? entry : key)];
  });
}

function readManifest(text: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(text);
    return isTable(read) ? read : {};
  } catch {
    return {};
  }
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True if the project already has files for certain platforms or tags. */
async function hasOthers(base: BaseFiles, path: string): Promise<boolean> {
  const others = (await base.list()).filter(
    (each) => each.endsWith(".go") && each !== path && !isTestFile(each),
  );
  for (const other of others.slice(0, mostSearched)) {
    if (platformName.test(other)) return true;
    const text = await base.read(other);
    if (text?.split("\n", 40).some((line) => constraint.test(line)) === true) return true;
  }
  return false;
}
