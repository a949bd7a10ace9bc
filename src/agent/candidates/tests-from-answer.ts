/**
 * Turns a model's answer into a new test file. Adds it to the base and runs it there, or explains the problem to the
 * model.
 */

import { countOf } from "../../base/count.ts";
import { fail, type Result, succeed } from "../../base/result.ts";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { findRelatedTests } from "../../graph/retrieval/related-tests.ts";
import { pathOfPiece } from "../../graph/retrieval/search-index.ts";
import { isTestFile } from "../../languages/source-files.ts";
import type { ActionContext, JudgeContext } from "../action.ts";
import { testFilesOf } from "../code/built-tests.ts";
import { describeCollected, runFiles } from "../code/collected-tests.ts";
import { findPlaceForTests } from "../code/test-place.ts";
import { putLast } from "../code/tests-by-words.ts";
import { applyWrittenEdits } from "../code/written-edits.ts";
import { rankByTexts } from "../measure/rank-tests.ts";
import { raisedError, renderRaised } from "../state/raised-error.ts";
import { renderFailures } from "../state/render-state.ts";
import type { TaskState } from "../state/task-state.ts";
import type { TreeView } from "../views.ts";
import { runWritten, type WrittenTests } from "./written-tests.ts";

/** Text for authors of tests: the parts of a failure that Millwright compares with the statement. */
const whatCounts =
  'These count: the error\'s class or message as in the statement; a place in the code that the statement names; the statement\'s names and values in the calls of the failing line (and of the lines that compute the compared values). These do not count: the message of a failing assertion, names of tests, comments and constants. An example, for the statement "a name without a colon is accepted": write `assert read_name("ab") is None`, with the product\'s own `read_name`, and not `assert False, "a name without a colon is accepted"`.';

/** Runs the tests in a model's answer. Fails with a message to the model if no test fails for the stated reason. */
export async function testsFromAnswer(
  context: JudgeContext,
  state: TaskState,
  text: string,
): Promise<Result<WrittenTests, "not-shown">> {
  const { trees, base } = context.workspace;
  const taken = await takenPaths(context, state);
  const present = (await trees.list(base)).map(({ path }) => path);
  const refuse = (path: string): string | undefined =>
    taken.has(path)
      ? `The file ${path} already exists: write a new file.`
      : tellIfNoTests(context, present, path);
  const made = await applyWrittenEdits(context, base, text, { refuse });
  if (!made.ok) return fail("not-shown", made.message);
  const files = (await trees.stat(base, made.value)).map(({ path }) => path);
  const ran = await runWritten(context, made.value, files);
  if (!ran.ok) return fail("not-shown", ran.message);
  const { failing, strangers, guards } = ran.value;
  if (failing.length > 0) return succeed(ran.value);
  if (strangers.length === 0) return fail("not-shown", await noneFails(context, files, guards.length));
  return fail("not-shown", tellStrangers(ran.value));
}

/** Tells authors which tests fail for another reason, each with its own error and place. */
export function tellStrangers({ failing, strangers, doubts }: WrittenTests): string {
  const isAll = failing.length === 0;
  const head = isAll
    ? `The new tests fail, but nothing shows that they fail for the stated reason. ${whatCounts}`
    : `${countOf(failing.length, "test fails", "tests fail")} for the stated reason, and ${strangers.length} for another reason, perhaps because of a mistake in the test itself:`;
  const rest = isAll
    ? []
    : ["A test that fails for another reason does not count: fix or remove it, and call `show` again."];
  const [first, ...others] = strangers;
  // Many doubts already contain the error.
  const untold = others.filter((outcome) => !doubts.some((doubt) => saysError(doubt, outcome)));
  const failures = first === undefined ? [] : renderFailures([first, ...untold]);
  return [head, doubts.join("\n"), ...failures, ...rest].join("\n\n");
}

function saysError(doubt: string, { key, failure }: TestOutcome): boolean {
  if (failure === undefined) return true;
  return doubt.startsWith(`- ${key.name}: `) && doubt.includes(renderRaised(raisedError(failure)));
}

/** Paths of the base, and of tests written earlier. All of these tests run with a patch. */
async function takenPaths(
  { workspace }: Pick<ActionContext, "workspace">,
  { candidates }: TaskState,
): Promise<ReadonlySet<string>> {
  const { trees, base } = workspace;
  const paths = (await trees.list(base)).map(({ path }) => path);
  for (const { kind, tree } of candidates)
    if (kind === "reproduction") paths.push(...(await trees.stat(base, tree)).map(({ path }) => path));
  return new Set(paths);
}

/**
 * Tells an author that a new file does not count as a test file, and which files the command runs. Undefined for a test
 * file.
 */
export function tellIfNoTests(
  { suite, regions }: Pick<ActionContext, "suite" | "regions">,
  present: readonly string[],
  path: string,
): string | undefined {
  return regions.isWhole(path) || isTestFile(path)
    ? undefined
    : `${path} is not a test file. ${describeCollected(suite, present)}`;
}

/**
 * Returns the message to an author whose new tests do not fail on the base. `passing`: the number of tests that pass.
 */
export async function noneFails(
  { suite, workspace: { trees, base } }: Pick<ActionContext, "suite" | "workspace">,
  files: readonly string[],
  passing: number,
): Promise<string> {
  if (passing > 0)
    return `${countOf(passing, "test passes", "tests pass")} on the unchanged code and none fails, so no test shows the reported problem.`;
  const present = (await trees.list(base)).map(({ path }) => path);
  const known = files.filter((file) => suite.outcomes.some(({ key }) => key.target === file));
  if (known.length === files.length)
    return `The repository already has all tests in ${files.join(", ")}. First write new tests with \`edit\`.`;
  return `The run reported no test in ${files.join(", ")}. ${describeCollected(suite, present)}`;
}

/** Limits: lines of the shown file, and number of named files. An `example` replaces the shown file. */
const mostShown: { lines: number; files: number; statement?: string; example?: string } = {
  lines: 150,
  files: 20,
};

/**
 * Describes the existing tests to a model that writes a test file. Names the files that run, and shows one file. Lists
 * files related to `near` first. With a `statement` in `most`, first lists files whose names or texts share words with
 * the statement or with the paths in `near`.
 */
export async function describeTests(
  context: Pick<ActionContext, "suite" | "view" | "workspace" | "frameworks">,
  near: readonly string[],
  most = mostShown,
): Promise<string> {
  const { view, workspace, suite } = context;
  await view.lay(workspace.base);
  const searcher = await view.context.searcher();
  const all = (await workspace.trees.list(workspace.base)).map(({ path }) => path);
  const run = new Set(runFiles(suite, all));
  // The files that the command runs, without helpers. If the report names no files: all files with test names.
  const { left: unbuilt } = await testFilesOf(context, workspace.base);
  const tests = all.filter(
    (path) => isTestFile(path) && !unbuilt.has(path) && (run.size === 0 || run.has(path)),
  );
  const related = near
    .flatMap((path) => findRelatedTests(searcher, { path }, most.files))
    .map(({ piece }) => pathOfPiece(searcher.index, piece));
  // Tests inside source files are worse examples of a separate test file.
  const known = [...near, ...related].filter((path) => tests.includes(path));
  const { statement, example = "" } = most;
  const candidates = [...new Set([...known, ...tests])];
  const places = near.filter((path) => !isTestFile(path));
  const ranked =
    statement === undefined
      ? putLast(candidates, (path) => path)
      : rankByTexts(await readTexts(workspace, candidates), { statement, places });
  const file = ranked[0] ?? related[0];
  const named = ranked.slice(0, most.files).map((path) => `- ${path}`);
  const left = tests.length - named.length;
  if (left > 0) named.push(`- … and ${left} more`);
  const place = findPlaceForTests(suite.command, all);
  return [
    describeCollected(suite, all),
    ...(place === undefined ? [] : [place]),
    named.length === 0 ? "There is no test file yet." : `Test files:\n${named.join("\n")}`,
    ...(example !== "" ? [example] : file === undefined ? [] : [await showBeginning(view, file, most.lines)]),
  ].join("\n\n");
}

/** Maximum number of files to rank by their texts. Further files are ranked by their names. */
const mostRead = 1_000;

async function readTexts(
  { trees, base }: Pick<ActionContext["workspace"], "trees" | "base">,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const [at, path] of paths.entries())
    texts.set(path, at < mostRead ? ((await trees.read(base, path))?.toString("utf8") ?? "") : "");
  return texts;
}

/** Shows the beginning of a test file, cut between two groups of lines. */
async function showBeginning({ context }: TreeView, file: string, most: number): Promise<string> {
  const read = await context.files.read(file);
  const text = read.ok ? (read.value ?? "") : "";
  const lines = text.trimEnd().split("\n");
  const end = lines.length <= most ? lines.length : endOfGroup(lines, most);
  const rest = end < lines.length ? [`(${countOf(lines.length - end, "more line")})`] : [];
  return [`### ${file}`, ...lines.slice(0, end), ...rest].join("\n");
}

/**
 * Returns the line at which to cut, in the second half of `most` lines: the last blank line before a line of the least
 * indentation. Without a blank line there, returns `most`.
 */
function endOfGroup(lines: readonly string[], most: number): number {
  let best = { end: most, indent: Number.POSITIVE_INFINITY };
  for (let at = Math.ceil(most / 2); at <= most; at += 1) {
    if ((lines[at] ?? "").trim() !== "") continue;
    const next = lines.slice(at + 1).find((line) => line.trim() !== "") ?? "";
    const indent = next.length - next.trimStart().length;
    if (indent <= best.indent) best = { end: at, indent };
  }
  return best.end;
}
