/** A model's answer as a new file of tests: laid on the base and run there; or what its author has to be told. */
import { fail, type Result, succeed } from "../../base/result.ts";
import { findRelatedTests } from "../../graph/retrieval/related-tests.ts";
import { pathOfPiece } from "../../graph/retrieval/search-index.ts";
import { isTestFile } from "../../languages/source-files.ts";
import type { ActionContext } from "../action.ts";
import { renderSpans } from "../code/place-text.ts";
import { applyWrittenEdits } from "../code/written-edits.ts";
import { findPlaceForTests } from "../review/test-place.ts";
import { renderFailures } from "../state/render-state.ts";
import type { TaskState } from "../state/task-state.ts";
import { runWritten, type WrittenTests } from "./written-tests.ts";

/** For a model: how the file is to be written. */
export const testFileForm = `path/of/the/new/file
<<<<<<< ORIGINAL
=======
the whole file
>>>>>>> UPDATED`;

/** Tests that fail for the stated reason; everything else is told. */
export async function testsFromAnswer(
  context: ActionContext,
  state: TaskState,
  text: string,
): Promise<Result<WrittenTests, "not-shown">> {
  const { trees, base } = context.workspace;
  const taken = await takenPaths(context, state);
  const made = await applyWrittenEdits(context, base, text, { refuse: (path) => problemOf(path, taken) });
  if (!made.ok) return fail("not-shown", made.message);
  const files = (await trees.stat(base, made.value)).map(({ path }) => path);
  const ran = await runWritten(context, made.value, files);
  if (!ran.ok) return fail("not-shown", `The run cannot be trusted: ${ran.message}`);
  const { failing, strangers, guards } = ran.value;
  if (failing.length > 0) return succeed(ran.value);
  if (strangers.length === 0) return fail("not-shown", noneFails(files, guards.length));
  const told = [
    "The tests fail, but nothing of their failure is in the statement:",
    ...renderFailures(strangers),
  ];
  return fail("not-shown", told.join("\n\n"));
}

/** Of the base, and of tests that were written before: all of them are laid beside a patch. */
async function takenPaths(
  { workspace }: ActionContext,
  { candidates }: TaskState,
): Promise<ReadonlySet<string>> {
  const { trees, base } = workspace;
  const paths = (await trees.list(base)).map(({ path }) => path);
  for (const { kind, tree } of candidates)
    if (kind === "reproduction") paths.push(...(await trees.stat(base, tree)).map(({ path }) => path));
  return new Set(paths);
}

function problemOf(path: string, taken: ReadonlySet<string>): string | undefined {
  if (taken.has(path)) return `There is a file ${path} already: write a new one.`;
  return isTestFile(path) ? undefined : `${path} is not named as a file of tests.`;
}

function noneFails(files: readonly string[], passing: number): string {
  return passing === 0
    ? `No test of ${files.join(", ")} was reported: it is not among those that the command runs.`
    : `${passing} tests ran and none of them fails: they do not show what the statement reports.`;
}

/** Lines of the file that is shown, and files that are named. */
const mostShown = { lines: 150, files: 20 };

/** For a model that is to write a file of tests: the names of those that there are, and one that has to do with `near`, or any. */
export async function describeTests(
  { view, workspace, suite }: ActionContext,
  near: readonly string[],
  most = mostShown,
): Promise<string> {
  await view.lay(workspace.base);
  const searcher = await view.context.searcher();
  const all = (await workspace.trees.list(workspace.base)).map(({ path }) => path);
  // One that is run itself, and no helper of the others, stands before them.
  const run = new Set(suite.outcomes.map(({ key }) => key.target));
  const tests = all.filter(isTestFile).sort((a, b) => Number(run.has(b)) - Number(run.has(a)));
  const related = near
    .flatMap((path) => findRelatedTests(searcher, { path }, most.files))
    .map(({ piece }) => pathOfPiece(searcher.index, piece));
  // Tests that stand inside of sources show less of how a file of its own is written.
  const known = [...near, ...related].filter((path) => tests.includes(path));
  const own = [...known, ...tests].find((path) => run.has(path));
  const file = own ?? known[0] ?? tests[0] ?? related[0];
  const named = [...new Set([...related.filter(isTestFile), ...tests])]
    .slice(0, most.files)
    .map((path) => `- ${path}`);
  const left = tests.length - named.length;
  if (left > 0) named.push(`- … and ${left} more`);
  const place = findPlaceForTests(suite.command.framework, all);
  const shown =
    file === undefined
      ? []
      : [
          await renderSpans(view, [{ file, startLine: 1, endLine: most.lines }], {
            around: 0,
            numbered: false,
            mostLines: most.lines,
          }),
        ];
  return [
    named.length === 0 ? "There is no file of tests yet." : `Files of tests:\n${named.join("\n")}`,
    ...(place === undefined ? [] : [place]),
    ...shown,
  ].join("\n\n");
}
