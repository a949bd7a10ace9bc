/** Finds the files with which tests may compare: the tests' own files, and data that they or their helpers name. */
import { posix } from "node:path";
import { literally } from "../../base/literal-pattern.ts";
import type { TestKey } from "../../domain/test-outcome.ts";
import type { TestRegions } from "../../judging/test-regions.ts";
import type { Language } from "../../languages/contract.ts";
import { languages } from "../../languages/languages.generated.ts";
import { isTestFile, languageOf } from "../../languages/source-files.ts";
import { readSource } from "../code/change.ts";
import { bodiesOf, findTestFile, listTestBodies, type TestBody } from "../code/test-bodies.ts";
import { regionsOf } from "../measure/regions-of.ts";
import { blankLines } from "../review/texts/code-lines.ts";
import type { StrategyContext } from "../strategy.ts";
import type { Suite } from "../suite.ts";

interface Context extends Pick<StrategyContext, "workspace" | "frameworks"> {
  readonly suite: Pick<Suite, "command" | "outcomes">;
}

/** Lock files. Package managers write them whenever dependencies change. */
const locks: ReadonlySet<string> = new Set(
  languages.flatMap((language: Language) => Object.keys(language.lockFiles ?? {})),
);

interface AskedData {
  readonly tree: string;
  readonly tests: readonly TestKey[];
  /** True for runs whose changes excuse the same changes in the patch's run. Changed results also count there. */
  readonly own?: true | undefined;
}

/** Selects the paths of files that the tests may compare with. */
export async function findComparedData(
  context: Context,
  { tree, tests, own }: AskedData,
  paths: readonly string[],
): Promise<string[]> {
  const asked = paths.filter((path) => !locks.has(posix.basename(path)));
  if (asked.length === 0) return [];
  const regions = await regionsOf(context, context.suite);
  const texts = await readTexts(context, tree, tests);
  const candidates = asked.filter((path) => regions.isWhole(path) || languageOf(path) === undefined);
  const isNamed = (path: string): boolean =>
    regions.isWhole(path) || texts.some((file) => file === undefined || isNamedIn(file.text, path));
  const helpers = candidates.every(isNamed) ? [] : await readHelpers(context, tree, regions);
  const left = candidates.filter((path) => isNamed(path) || helpers.some((text) => isNamedIn(text, path)));
  if (own === true) return left;
  const changed = await readChanged(context, tree, left);
  const isResult = (path: string): boolean =>
    languageOf(path) === undefined &&
    !changed.some((text) => text.includes(posix.basename(path))) &&
    texts.some((file) => file !== undefined && isNamedIn(file.text, path)) &&
    texts.every(
      (file) => file !== undefined && (!isNamedIn(file.text, path) || isWrittenFirst(file, tests, path)),
    );
  return left.filter((path) => !isResult(path));
}

/** Reads the texts of test code that contains no test, because tests may compare through it. */
async function readHelpers(
  { workspace: { trees }, suite }: Context,
  tree: string,
  regions: Pick<TestRegions, "isWhole">,
): Promise<string[]> {
  const targets = new Set(suite.outcomes.map(({ key }) => key.target));
  const paths = (await trees.list(tree)).map(({ path }) => path);
  const helpers = paths.filter(
    (path) => languageOf(path) !== undefined && regions.isWhole(path) && !targets.has(path),
  );
  return Promise.all(
    helpers.slice(0, mostHelpers).map(async (path) => (await trees.read(tree, path))?.toString("utf8") ?? ""),
  );
}

/** Maximum number of helpers to read. */
const mostHelpers = 500;

/** Reads the texts of the patch's sources, because they may write the file themselves after the test. */
async function readChanged(
  { workspace: { trees, base } }: Context,
  tree: string,
  left: readonly string[],
): Promise<string[]> {
  if (left.length === 0) return [];
  const known = new Map((await trees.list(base)).map(({ path, blob }) => [path, blob]));
  const changed = (await trees.list(tree)).filter(
    ({ path, blob }) => known.get(path) !== blob && !isTestFile(path),
  );
  return Promise.all(changed.map(async ({ path }) => (await trees.read(tree, path))?.toString("utf8") ?? ""));
}

interface TestText {
  readonly text: string;
  /** The code without comments and the contents of strings, if the language has a dialect. */
  readonly code: readonly string[];
  readonly bodies: readonly TestBody[];
}

/** Reads the texts of the tests' files; undefined for a test whose file is unknown. */
export async function readTexts(
  { workspace: { trees } }: Context,
  tree: string,
  tests: readonly TestKey[],
): Promise<(TestText | undefined)[]> {
  const files = new Set(await Promise.all(tests.map((key) => findTestFile(trees, tree, key))));
  return Promise.all(
    [...files].map(async (path) => {
      const text = path === undefined ? undefined : (await trees.read(tree, path))?.toString("utf8");
      return path === undefined || text === undefined ? undefined : readText(path, text);
    }),
  );
}

export async function readText(path: string, text: string): Promise<TestText> {
  const source = await readSource(path, text);
  const code = source === undefined ? text.split("\n") : blankLines(source).map((line) => line.code);
  return { text, code, bodies: await listTestBodies(path, text) };
}

/** Tells whether a text names a path's file or folder, as a whole word. */
export function isNamedIn(text: string, path: string): boolean {
  const isWord = (name: string): boolean =>
    text.includes(name) &&
    new RegExp(`(?<![\\p{L}\\p{N}])${literally(name)}(?![\\p{L}\\p{N}])`, "u").test(text);
  return isWord(posix.basename(path)) || (path.includes("/") && isWord(posix.basename(posix.dirname(path))));
}

/** A call that writes a file: `save(…)`, `df.to_csv(…)`, `fs.writeFileSync(…)`, `open(…, "w")`. */
const writes =
  /(?<!\w)(?:(?:save|write|dump|export)\w*|to_\w+|(?:Write|Save|Export)[A-Z]\w*)\s*\(|\bopen\(.*["'][wx]b?["']/;
/** A call that may compare instead: `write_or_compare(…)`. */
const compares = /_or_|[a-z]Or[A-Z]|(?:[Cc]ompare|[Mm]atch|[Cc]heck|[Aa]ssert|[Ee]xpect|[Vv]erify)\w*\s*\(/;
/** Words of code that does not always run: a test may write its expected results only on demand. */
const branches =
  /\b(?:if|elif|else|unless|when|switch|match|case|for|while|try|catch|except|skip\w*|return|and|or|update\w*)\b|\?|&&|\|\|/i;

/**
 * True if a test names the file, if each such test writes the file first and without a condition, and if no other code
 * of the test file names the file or its folder. The file is then a result of the test, so its content in the
 * repository is irrelevant.
 */
export function isWrittenFirst(
  { text, code, bodies }: TestText,
  tests: readonly TestKey[],
  path: string,
): boolean {
  const name = posix.basename(path);
  const isOwn = (line: string | undefined): boolean => listNames(line ?? "", name).includes(name);
  const lines = text.split("\n");
  const rest = [...lines];
  const asked = new Set(tests.flatMap((key) => bodiesOf(bodies, key)));
  let isFound = false;
  for (const body of asked) {
    const own = lines.slice(body.startLine - 1, body.endLine);
    const first = own.find(isOwn);
    if (first === undefined) continue;
    isFound = true;
    const steps = code.slice(body.startLine - 1, body.endLine).join("\n");
    const isWritten = writes.test(first) && !compares.test(first) && !branches.test(steps);
    if (!isWritten) return false;
    for (let at = body.startLine - 1; at < body.endLine; at += 1) if (isOwn(rest[at])) rest[at] = "";
  }
  // Names of other files, also in the same folder, do not read this one.
  let other = rest
    .join("\n")
    .replaceAll(/(["'`])[\w./-]*\/[\w-]+\.\w+\1/g, (whole) => (isOwn(whole) ? whole : ""));
  for (const longer of listNames(other, name)) if (longer !== name) other = other.replaceAll(longer, "");
  return isFound && !isNamedIn(other, path);
}

/** Lists the names in a text that end with the name: also `layout.csv` for `out.csv`. */
function listNames(text: string, name: string): string[] {
  const pattern = new RegExp(`[\\p{L}\\p{N}_.-]*${literally(name)}(?![\\p{L}\\p{N}_])`, "gu");
  return [...text.matchAll(pattern)].map(([whole]) => whole);
}
