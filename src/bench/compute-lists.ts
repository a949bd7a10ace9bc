/**
 * Computes fail-to-pass and pass-to-pass lists, and flaky tests, from repeated runs without and with the gold patch.
 */
import { formatTestKey, type TestOutcome, type TestStatus } from "../domain/test-outcome.ts";
import type { GradedRun } from "./graders/contract.ts";
import { repaired } from "./graders/statuses.ts";
import type { TestLists } from "./task.ts";
import { portableId } from "./test-ids.ts";

/**
 * Computes the lists from runs. Ids are our own keys (`formatTestKey`, `portableId`). A test is flaky if it passes in some runs of a
 * tree and not in others. Ignores runs that ended early or whose report cannot be trusted, unless the tree has no other
 * runs.
 */
export function computeLists(before: readonly GradedRun[], after: readonly GradedRun[]): TestLists {
  const [earlier, later] = [chooseRuns(before).map(readStatuses), chooseRuns(after).map(readStatuses)];
  const failToPass: string[] = [];
  const passToPass: string[] = [];
  const flaky: string[] = [];
  for (const id of new Set([...earlier, ...later].flatMap((statuses) => [...statuses.keys()]))) {
    const then = agree(earlier, id);
    const now = agree(later, id);
    if (then === "differs" || now === "differs") flaky.push(id);
    else if (now === "passes") (then === "passes" ? passToPass : failToPass).push(id);
  }
  return { failToPass: failToPass.sort(), passToPass: passToPass.sort(), flaky: flaky.sort() };
}

function chooseRuns(runs: readonly GradedRun[]): readonly GradedRun[] {
  const whole = runs.filter((run) => run.end === "exited" && run.invalid === undefined);
  return whole.length > 0 ? whole : runs;
}

function readStatuses(run: GradedRun): ReadonlyMap<string, TestStatus> {
  const isTest = ({ key }: TestOutcome): boolean => key.name !== "";
  return new Map(
    run.outcomes.filter(isTest).map(({ key, status }) => [portableId(formatTestKey(key), run.root), status]),
  );
}

/** Summarises a test's results over all runs. A missing test (its file does not load or build) does not pass. */
function agree(runs: readonly ReadonlyMap<string, TestStatus>[], id: string): "passes" | "not" | "differs" {
  const passing = runs.filter((statuses) => repaired.has(statuses.get(id) ?? "not-run")).length;
  if (passing === 0) return "not";
  return passing === runs.length ? "passes" : "differs";
}
