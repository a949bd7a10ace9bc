/** Selects the tests that are most informative about a change. */
import { formatTestKey, type TestKey } from "../../../domain/test-outcome.ts";
import { isCodeFile, preferOwn } from "../../../languages/source-files.ts";
import { changedNames } from "../../kinds/new-names.ts";
import { listRelatedTargets } from "../../measure/related-tests.ts";
import type { TaskState } from "../../state/task-state.ts";
import type { Suite, TestExecutor } from "../../suite.ts";
import type { ReviewContext } from "../contract.ts";

/** Limits: the related tests' time on the base in milliseconds, and the number of tests. */
const relatedMs = 4_000;
const mostTests = 200;

/** Lists tests in this order: tests of the fault, their guards, and passing tests in files that mention the change. */
export async function nearTests(
  {
    suite,
    executor,
    change,
  }: Pick<ReviewContext, "change"> & {
    readonly suite: Pick<Suite, "outcomes">;
    readonly executor: Pick<TestExecutor, "project">;
  },
  { fault }: Pick<TaskState, "fault">,
): Promise<TestKey[]> {
  const shown = [...(fault?.targets ?? []), ...(fault?.guards ?? []).map(({ key }) => key)];
  const sources = change.files.filter(({ path, isTest }) => isCodeFile(path) && !isTest);
  const files = new Set(sources.map(({ path }) => path));
  const named = preferOwn(sources).map(({ path, before = "", after = "" }) =>
    changedNames(path, before, after),
  );
  const names = (await Promise.all(named)).flat();
  const known = new Set(shown.map(({ target }) => target));
  const options = { known, budgetMs: relatedMs, names };
  const related = new Set([
    ...known,
    ...listRelatedTargets(suite.outcomes, files, executor.project, options),
  ]);
  const taken = new Set(shown.map(formatTestKey));
  const near = suite.outcomes.filter(
    ({ key, status }) => status === "passed" && related.has(key.target) && !taken.has(formatTestKey(key)),
  );
  return [...shown, ...near.map(({ key }) => key)].slice(0, mostTests);
}
