/** Which tests say most of a change. */
import { formatTestKey, type TestKey } from "../../domain/test-outcome.ts";
import { isSourceFile } from "../../languages/source-files.ts";
import { listRelatedTargets } from "../measure/related-tests.ts";
import type { TaskState } from "../state/task-state.ts";
import type { ReviewContext } from "./contract.ts";

/** What the related tests took on the base, milliseconds, and how many tests are asked at most. */
const relatedMs = 4_000;
const mostTests = 200;

/** Those that show the fault, the guards written beside them, then those that pass and whose files speak of a changed one. */
export function nearTests(
  { suite, bench, change }: Pick<ReviewContext, "suite" | "bench" | "change">,
  { fault }: TaskState,
): TestKey[] {
  const shown = [...(fault?.targets ?? []), ...(fault?.guards ?? []).map(({ key }) => key)];
  const files = new Set(change.files.filter(({ path }) => isSourceFile(path)).map(({ path }) => path));
  const known = new Set(shown.map(({ target }) => target));
  const options = { known, budgetMs: relatedMs };
  const related = new Set([...known, ...listRelatedTargets(suite.outcomes, files, bench.project, options)]);
  const taken = new Set(shown.map(formatTestKey));
  const near = suite.outcomes.filter(
    ({ key, status }) => status === "passed" && related.has(key.target) && !taken.has(formatTestKey(key)),
  );
  return [...shown, ...near.map(({ key }) => key)].slice(0, mostTests);
}
