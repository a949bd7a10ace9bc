/** Excludes failing tests of the repository that the run wrongly linked to the fault, and records the reason. */

import { wordFor } from "../../base/count.ts";
import { fail, type Result, succeed } from "../../base/result.ts";
import { formatTestKey } from "../../domain/test-outcome.ts";
import type { ActionContext } from "../action.ts";
import { remarkOnce } from "../record/once.ts";
import { matchSignature } from "../state/statement-signature.ts";
import type { TaskState } from "../state/task-state.ts";
import { dropTest } from "./droppable.ts";

export interface Aside {
  /** The test's id or name. */
  readonly test: string;
  readonly reason: string;
}

/**
 * Excludes failing tests (`putTestsAside`), and standalone programs of the run. For a program, any reason is enough,
 * because a program never verifies a patch.
 */
export function putAside(
  context: Pick<ActionContext, "recorder" | "signature" | "suite" | "task">,
  given: TaskState,
  asked: readonly Aside[],
  named: readonly string[] = [],
): Result<TaskState, "refused"> {
  const [state, others] = putProgramsAside(context, given, asked);
  return putTestsAside(context, state, others, named);
}

/** Excludes the programs that `asked` names. Returns the new state, and the rest of `asked`. */
function putProgramsAside(
  { recorder }: Pick<ActionContext, "recorder">,
  state: TaskState,
  asked: readonly Aside[],
): [TaskState, readonly Aside[]] {
  const { programs = [] } = state;
  const reasonOf = (file: string): string | undefined => asked.find(({ test }) => test === file)?.reason;
  const left = programs.flatMap(({ file, aside }) => {
    const reason = aside === undefined ? reasonOf(file) : undefined;
    return reason === undefined ? [] : [`The standalone program ${file} does not count any more: ${reason}`];
  });
  const others = asked.filter(({ test }) => !programs.some(({ file }) => file === test));
  if (left.length === 0) return [state, others];
  for (const text of left) remarkOnce(recorder, text);
  const next = programs.map((each) => {
    const reason = each.aside ?? reasonOf(each.file);
    return reason === undefined ? each : { ...each, aside: reason };
  });
  return [{ ...state, programs: next, assumptions: [...state.assumptions, ...left] }, others];
}

/**
 * Excludes failing tests that the run had linked to the fault by mistake. The state, the record and the report mention
 * the exclusion. The evidence is then at most moderate. Refuses the exclusion in these cases:
 * - the run links no failing test to the fault, or `asked` names none of the linked repository tests
 * - the task names the failing tests
 * - only tests of the repository show the fault
 * - a test's failure strongly matches the statement
 * - a test's id is in `named`, because the test calls code that the statement names
 */
function putTestsAside(
  { recorder, signature, suite, task }: Pick<ActionContext, "recorder" | "signature" | "suite" | "task">,
  state: TaskState,
  asked: readonly Aside[],
  named: readonly string[],
): Result<TaskState, "refused"> {
  const { fault } = state;
  if (asked.length === 0) return succeed(state);
  if (fault === undefined)
    return fail("refused", "The run links no failing test to the fault, so you cannot exclude one.");
  if ((task.failingTests ?? []).length > 0)
    return fail("refused", "The task names the failing tests, so you cannot exclude them.");
  const known = new Set(suite.outcomes.map(({ key }) => formatTestKey(key)));
  const own = fault.targets.filter((key) => known.has(formatTestKey(key)));
  // The author may correct a wrong name later.
  const found = asked.flatMap(({ test, reason }) => {
    const key = own.find((each) => [formatTestKey(each), each.name].includes(test));
    return key === undefined ? [] : { reason, id: formatTestKey(key) };
  });
  const ids = [...new Set(found.map(({ id }) => id))];
  if (ids.length === 0)
    return fail(
      "refused",
      `None of these is a repository test that the run links to the fault. Linked repository tests: ${own.map(formatTestKey).join(", ") || "none"}.`,
    );
  if (own.length === fault.targets.length)
    return fail(
      "refused",
      "Only tests of the repository show the fault so far. First write a test that fails for the stated reason.",
    );
  const stated = suite.outcomes.flatMap((outcome) => {
    const id = formatTestKey(outcome.key);
    if (!ids.includes(id)) return [];
    if (named.includes(id)) return [`${id}: it calls code that the statement names`];
    const match = matchSignature(signature, outcome);
    return match.isStrong ? [`${id}: ${match.evidence}`] : [];
  });
  if (stated.length > 0)
    return fail(
      "refused",
      `You cannot exclude ${wordFor(stated.length, "this test", "these tests")}, so the patch must pass ${wordFor(stated.length, "it", "them")}: ${stated.join("; ")}`,
    );
  const texts = found.map(
    ({ id, reason }) =>
      `${id} also fails without the patch, and its failure is not the one that the statement reports: ${reason}`,
  );
  for (const text of texts) remarkOnce(recorder, text);
  const left = ids.reduce(dropTest, fault);
  const reason = {
    ...fault.reason,
    evidence: `the run wrote tests that fail without a patch; excluded repository tests: ${ids.join(", ")}`,
    doubt: `the author of the patch excluded tests that had shown the fault: ${ids.join(", ")}`,
  };
  return succeed({ ...state, fault: { ...left, reason }, assumptions: [...state.assumptions, ...texts] });
}
