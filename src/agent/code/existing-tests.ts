/** Shows the repository's tests for given places, as examples of a test's form and of behaviour that must stay. */
import { countOf } from "../../base/count.ts";
import { withoutOutputs } from "../../graph/retrieval/statement-parts.ts";
import { isTestFile } from "../../languages/source-files.ts";
import { codeNamesIn, namesIn, testsOfPlaces } from "../../tools/tests-of-places.ts";
import type { ActionContext } from "../action.ts";
import { wordsOf } from "../state/statement-signature.ts";
import type { Place, TaskState } from "../state/task-state.ts";
import { testFilesOf } from "./built-tests.ts";
import { partsOf } from "./called-places.ts";
import { runFiles } from "./collected-tests.ts";
import type { Span } from "./diff-spans.ts";
import { definitionsOf } from "./likely-places.ts";
import { findRareNames } from "./rare-names.ts";
import type { Definition } from "./skeleton.ts";
import { isBesideTests, putLast, sortByWords } from "./tests-by-words.ts";
import { innermostAround } from "./whole-definitions.ts";

/** Limits: queried places, examined answers, lines of a test and of the text above it, and tests shown only by name. */
const most = { places: 4, asked: 24, lines: 40, head: 24, named: 3 };

type TestContext = Pick<ActionContext, "task" | "view" | "suite" | "workspace" | "frameworks">;

interface ExistingTest extends Place {
  /** True if the test mentions a name of the places or the statement, or shares words with them. */
  readonly isOfPlace: boolean;
}

/**
 * Finds tests on the laid tree; tests that mention the places come first. Outside the places' own files, includes only
 * tests that the command runs, if that is known.
 */
async function findExistingTests(
  context: TestContext,
  places: readonly Span[],
): Promise<readonly ExistingTest[]> {
  const { task, view } = context;
  const graph = await view.context.graph();
  const near = places.filter(({ file }) => graph.file(file) !== undefined).slice(0, most.places);
  if (near.length === 0) return [];
  const words = namesIn(task.statement);
  const asked = near.map(({ file, startLine }) => ({ path: file, line: startLine, words }));
  const isRun = await filesRun(context);
  const own = new Set([...words, ...(await namesAt(view, near))]);
  const answered = testsOfPlaces(await view.context.searcher(), asked, most.asked);
  const found: (ExistingTest & { readonly text: string })[] = [];
  for (const { path, startLine, endLine, names, qualified } of answered) {
    if (!isRun(path)) continue;
    if (!isOneTest(await definitionsOf(view, path), startLine)) continue;
    const said = names.filter((name) => own.has(name));
    const why = said.length === 0 ? qualified : `${qualified}, which names ${said.slice(0, 3).join(", ")}`;
    const lines = (await linesOf(context, path)).slice(startLine - 1, endLine);
    const text = [qualified, ...lines].join("\n");
    found.push({ file: path, startLine, endLine, why, isOfPlace: said.length > 0, text });
  }
  const stated = await findStated(context, isRun);
  const isNamed = stated.length > 0 || found.some(({ isOfPlace }) => isOfPlace);
  const beside = isNamed ? [] : await findBeside(context, near, partsOf([...own].join(" ")));
  const isStated = ({ file, startLine }: Place): boolean =>
    stated.some((each) => each.file === file && each.startLine === startLine);
  const byFile =
    isNamed || beside.some(({ isOfPlace }) => isOfPlace) ? found : ofMirrored(found, task.statement);
  const others = byFile.filter((each) => !isStated(each));
  const all = [
    ...stated,
    ...beside,
    ...sortByWords(others, ({ text }) => text, withoutOutputs(task.statement)),
  ];
  const ranked = [...all.filter(({ isOfPlace }) => isOfPlace), ...all.filter(({ isOfPlace }) => !isOfPlace)];
  const last = putLast(ranked, ({ file }) => file);
  const isIdle = ({ file }: Place): boolean => passesNowhere(context.suite, file);
  return [...last.filter((each) => !isIdle(each)), ...last.filter(isIdle)].slice(0, most.named + 1);
}

/** Minimum number of words that a test shares with the statement if it names nothing at the place. */
const leastShared = 2;

/**
 * Accepts tests of the mirrored test file that share words with the statement, for places that no test names. Such
 * tests may use the code through a fixture (`pytester`) or run it as a program.
 */
function ofMirrored<T extends ExistingTest & { readonly text: string }>(
  found: readonly T[],
  statement: string,
): readonly T[] {
  const stated = new Set(wordsOf(statement));
  return found.map((each) => {
    const shared = wordsOf(each.text).filter((word) => stated.has(word)).length;
    return shared < leastShared
      ? each
      : { ...each, isOfPlace: true, why: `${each.why}, in the tests of the place's file` };
  });
}

/**
 * True if the file's tests ran on the base and none passes. They lack some requirement here, so they are poor examples.
 */
function passesNowhere({ outcomes }: Pick<ActionContext["suite"], "outcomes">, file: string): boolean {
  const own = outcomes.filter(({ key }) => key.target === file);
  return own.length > 0 && own.every(({ status }) => status !== "passed");
}

/** Maximum number of test files searched for names. */
const mostSearched = 1_000;

/** Finds tests that contain a rare code name of the statement. Tests with the most such names come first. */
async function findStated(
  context: TestContext,
  isRun: (path: string) => boolean,
): Promise<readonly ExistingTest[]> {
  const { statement } = context.task;
  const { trees, base } = context.workspace;
  if (codeNamesIn(statement).length === 0) return [];
  const paths = (await trees.list(base)).map(({ path }) => path);
  const files = paths.filter((path) => isTestFile(path) && isRun(path)).slice(0, mostSearched);
  const linesIn = new Map(
    await Promise.all(files.map(async (file) => [file, await linesOf(context, file)] as const)),
  );
  const rare = findRareNames(
    statement,
    new Map([...linesIn].map(([file, lines]) => [file, lines.join("\n")])),
  );
  const found: (ExistingTest & { readonly said: number })[] = [];
  for (const [file, lines] of linesIn) {
    if (!rare.some(({ counts }) => counts.has(file))) continue;
    const definitions = await definitionsOf(context.view, file);
    for (const { name, startLine, endLine } of definitions) {
      if (!isOneTest(definitions, startLine)) continue;
      const own = [name, ...lines.slice(startLine - 1, endLine)];
      const said = rare.filter(({ pattern }) => own.some((text) => pattern.test(text)));
      if (said.length === 0) continue;
      const named = said.slice(0, 3).map((each) => each.name);
      const why = `${name}, which names ${named.join(", ")}`;
      found.push({ file, startLine, endLine, why, isOfPlace: true, said: said.length });
    }
  }
  return found.toSorted((one, other) => other.said - one.said);
}

/**
 * Returns a function that is true for files that the command builds and runs. If these files are unknown, it is true
 * for all files that the build does not omit.
 */
async function filesRun(context: TestContext): Promise<(path: string) => boolean> {
  const { suite, workspace } = context;
  const present = (await workspace.trees.list(workspace.base)).map(({ path }) => path);
  const run = new Set(runFiles(suite, present));
  const { left } = await testFilesOf(context, workspace.base);
  return (path) => !left.has(path) && (run.size === 0 || run.has(path));
}

/** Names of the definitions around the places. */
async function namesAt(view: TestContext["view"], places: readonly Span[]): Promise<string[]> {
  const names: string[] = [];
  for (const { file, startLine, endLine } of places)
    for (const each of await definitionsOf(view, file))
      if (each.startLine <= endLine && startLine <= each.endLine && !ofAnyClass.test(each.name))
        names.push(each.name);
  return names;
}

/** Names that every class may have. Tests of other classes use them too. */
const ofAnyClass = /^(?:__\w+__|constructor)$/;

/** Finds tests inside the places' own files. Tests with similar names come first. */
async function findBeside(
  { view }: TestContext,
  places: readonly Span[],
  words: readonly string[],
): Promise<ExistingTest[]> {
  const found: (ExistingTest & { readonly shared: number })[] = [];
  for (const file of new Set(places.map((place) => place.file))) {
    const definitions = await definitionsOf(view, file);
    for (const { name, startLine, endLine } of definitions) {
      if (!isOneTest(definitions, startLine)) continue;
      const shared = partsOf(name).filter((word) => words.includes(word)).length;
      found.push({ file, startLine, endLine, why: name, isOfPlace: shared > 0, shared });
    }
  }
  return found.toSorted((one, other) => other.shared - one.shared);
}

/** False for helpers, benchmarks and groups of tests. */
function isOneTest(definitions: readonly Definition[], startLine: number): boolean {
  const isTest = ({ kind, isTest: is }: Definition): boolean => is === true || kind === "test";
  const own = definitions.find((each) => each.startLine === startLine && isTest(each));
  return (
    own !== undefined &&
    !definitions.some(
      (each) => each !== own && isTest(each) && each.startLine > startLine && each.endLine <= own.endLine,
    )
  );
}

/** Shows the first test that mentions the places, and names the others; "" if there are none. */
export async function renderExistingTests(context: TestContext, places: readonly Span[]): Promise<string> {
  const found = await findExistingTests(context, places);
  const [first, ...others] = found.filter(({ isOfPlace }) => isOfPlace);
  if (first === undefined) return "";
  const tell = ({ file, startLine, endLine, why }: Place): string =>
    `${file}:${startLine}-${endLine} (${why})`;
  const named = others.map(tell);
  const shown = numbered(await linesOf(context, first.file), first).join("\n");
  return [`${tell(first)}\n${shown}`, ...(named.length === 0 ? [] : [`Also ${named.join("; ")}.`])].join(
    "\n\n",
  );
}

/**
 * Shows a test that the run found or ranked as likely, or else a test of the places in `codePlaces`. If there are no
 * such places, uses the likely places. "" if there is no test.
 */
export async function exampleOf(
  context: TestContext & Pick<ActionContext, "likely">,
  { testPlaces, codePlaces }: TaskState,
): Promise<string> {
  const { places = [], tests = [] } = context.likely ?? {};
  const isRun = await filesRun(context);
  const asked = codePlaces.length > 0 ? codePlaces : places;
  const known = await firstTest(
    context,
    [...testPlaces, ...tests.filter(({ file }) => !isBesideTests(file))].filter(({ file }) => isRun(file)),
  );
  const [test] = known === undefined ? await findExistingTests(context, asked) : [known];
  return test === undefined ? "" : showExample(context, test);
}

/**
 * Returns the first place of several lines that is a test. For a group of tests, returns its first test. A place in a
 * test file may be a helper, such as a stub's `__init__`, which is not an example of a test.
 */
async function firstTest(
  { view }: Pick<TestContext, "view">,
  places: readonly Place[],
): Promise<Place | undefined> {
  for (const place of places) {
    if (place.endLine === place.startLine) continue;
    const definitions = await definitionsOf(view, place.file);
    const tests = definitions.filter(({ startLine }) => isOneTest(definitions, startLine));
    // Some frameworks write tests as calls, not as definitions.
    const isHelper =
      definitions.some(({ kind, startLine }) => startLine === place.startLine && runs.test(kind)) &&
      tests.every(({ startLine }) => startLine !== place.startLine);
    if (!isHelper || tests.length === 0) return place;
    // For a group, shows its first test. The text above that test contains the group's head.
    const inner = tests.find((each) => place.startLine < each.startLine && each.endLine <= place.endLine);
    if (inner !== undefined) return { ...place, startLine: inner.startLine, endLine: inner.endLine };
  }
  return undefined;
}

/** Shows a test as an example: its lines, and the text above it in its file, module or class. */
async function showExample(context: TestContext, test: Span): Promise<string> {
  const { file, startLine, endLine } = test;
  const lines = await linesOf(context, file);
  const definitions = await definitionsOf(context.view, file);
  const around = innermostAround(definitions, { start: startLine, end: endLine });
  const headOf = (from: number, within: typeof around): string[] => {
    const inside = definitions.filter(
      (each) =>
        runs.test(each.kind) &&
        each !== within &&
        each.startLine >= from &&
        (within === undefined || each.endLine <= within.endLine),
    );
    const end = Math.min(startLine, ...inside.map((each) => each.startLine));
    const own = withoutTexts(lines.slice(from - 1, end - 1)).filter((line) => !silent.test(line));
    return own.slice(0, most.head);
  };
  const head = [...headOf(1, undefined), ...(around === undefined ? [] : headOf(around.startLine, around))];
  const above = [...new Set(head)];
  return [`### ${file}`, ...above, ...(above.length === 0 ? [] : ["…"]), ...numbered(lines, test)].join("\n");
}

/** Leaves out docstrings: triple-quoted texts that stand alone. */
function withoutTexts(lines: readonly string[]): string[] {
  let open: { readonly mark: string; readonly isText: boolean } | undefined;
  return lines.filter((line) => {
    if (open === undefined && silent.test(line)) return true;
    const isText = open?.isText ?? /^\s*[rRuU]?(?:"""|''')/.test(line);
    for (const [mark] of line.matchAll(/"""|'''/g))
      if (open === undefined) open = { mark, isText };
      else if (open.mark === mark) open = undefined;
    return !isText;
  });
}

const runs = /^(?:function|method|constructor|test)$/;
/** Matches comments and blank lines. */
const silent = /^\s*(?:$|\/\/|\/\*|\*|#(?![[!i]))/;

function numbered(lines: readonly string[], { startLine, endLine }: Span): string[] {
  const last = Math.min(endLine, startLine + most.lines - 1);
  const shown = lines.slice(startLine - 1, last).map((line, at) => `${startLine + at}\t${line}`);
  return [...shown, ...(last < endLine ? [`(${countOf(endLine - last, "more line")})`] : [])];
}

async function linesOf({ view }: Pick<TestContext, "view">, file: string): Promise<readonly string[]> {
  const read = await view.context.files.read(file);
  return (read.ok ? (read.value ?? "") : "").split("\n");
}
