/** The rules of `code-generation`: the patch is a body for a signature and its documentation. */

import { countOf, wordFor } from "../../base/count.ts";
import { fail, type Result, succeed } from "../../base/result.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { Predicate } from "../../domain/gate.ts";
import { formatTestKey, type TestKey, type TestOutcome } from "../../domain/test-outcome.ts";
import type { ActionContext, RunContext } from "../action.ts";
import { takeCheap } from "../measure/cheap-tests.ts";
import { executableUnits } from "../measure/executable-lines.ts";
import { findRegressions } from "../measure/regressions.ts";
import { composeTree, measureCandidate, rowOfRun, runOn } from "../measure/run-candidate.ts";
import type { MatrixRow, TaskState } from "../state/task-state.ts";
import { claimOfFault } from "./claim-of-fault.ts";
import type { Claim, Judgement, KindRules } from "./contract.ts";
import { keysOf, noTestBreaks, rowFrom } from "./new-tests.ts";
import { isOnlyUnrun } from "./still-passing.ts";
import { findTarget, type Target } from "./target.ts";
import { judgeTargetTests } from "./target-tests.ts";

export const codeGeneration: KindRules = {
  kinds: ["code-generation"],
  delivers: "code",
  parts: [
    {
      name: "patch",
      kind: "code",
      files: "code",
      guidance:
        "Write the body of the target. Follow its signature, its documentation and the requirements, and use the repository's existing code. Keep the signature. Do not change tests.",
    },
  ],
  isSpecified: true,
  goal: "The target has a body. Existing tests that execute the target pass, tests derived from the specification pass, and no previously passing test breaks. Together these tests execute each line of the target and detect at least half of the small faults inserted into these lines. If the existing tests do not do this, derive more tests. Derived tests never suffice alone: if no existing test executes the target, the result stays unverified.",
  way: [
    { action: "code-retrieval", text: "find the code that the target can use" },
    {
      action: "test-retrieval",
      text: "if you must derive tests, find how the repository tests the target's neighbours",
    },
    { action: "edit-code", text: "write the target's body" },
    {
      action: "reproduction",
      text: "derive tests from the specification (Millwright adds them to the candidate)",
    },
    { text: "continue from the candidate until all tests pass" },
    { action: "review-patch", text: "have the candidate reviewed" },
    { action: "finish", text: "propose the candidate; the reply lists the remaining work" },
  ],
  verified: "The target's body is written, the tests that execute the target pass, and no other test breaks.",
  async measure(context, state, candidate, scope) {
    if (scope === "targets") return measureTargets(context, state, candidate);
    const { row } = await judge(context, state, candidate);
    return row === undefined ? measureCandidate(context, state, candidate, scope) : succeed(row);
  },
  judge,
  claim: async (context, state, candidate, row) =>
    (await claimOfFault(context, state, candidate, row)) ?? claimOfPassing(context, candidate, row),
};

/**
 * Makes the claim if no test fails without the body. It contains tests that pass with the body, as many as are cheap.
 */
async function claimOfPassing(
  { suite }: Pick<ActionContext, "suite">,
  { tree }: Candidate,
  row: MatrixRow | undefined,
): Promise<Claim | undefined> {
  const passing = (row?.outcomes ?? []).filter(({ status }) => status === "passed");
  const known = new Set(suite.outcomes.map(({ key }) => formatTestKey(key)));
  const tests = takeCheap(passing.filter(({ key }) => known.has(formatTestKey(key))));
  return tests.length === 0 ? undefined : { tests, patched: tree, failing: "some" };
}

async function measureTargets(
  context: RunContext,
  state: TaskState,
  candidate: Candidate,
): Promise<Result<MatrixRow, "conflict">> {
  const measured = await measureCandidate(context, state, candidate, "targets");
  if (!measured.ok || measured.value.invalid !== undefined) return measured;
  const { targets } = measured.value;
  const passing = targets.filter(({ status }) => status === "passed").length;
  const told = `${passing} of ${countOf(targets.length, "test")} of the target ${wordFor(passing, "passes", "pass")}`;
  return succeed({ ...measured.value, told });
}

async function judge(
  context: RunContext & Pick<ActionContext, "task">,
  state: TaskState,
  candidate: Candidate,
): Promise<Judgement> {
  const written = await isWritten(context, candidate);
  const measured = await measureAll(context, state, candidate);
  if (!measured.ok) {
    const conflict = { predicate: "tests-of-the-target-pass", holds: false, evidence: measured.message };
    return { gate: [written.predicate, conflict], row: undefined };
  }
  const row = measured.value;
  const { target } = written;
  const reached =
    target === undefined ? undefined : await judgeTargetTests(context, state, candidate, { row, target });
  const broken = row.broken ?? [];
  const told = reached === undefined ? [] : [reached.predicate];
  const counted = findBrokenTests(context.suite.outcomes, state, row);
  const gate = [
    written.predicate,
    ...told,
    noTestBreaks(context.suite.outcomes, {
      broken: counted,
      candidate: row.outcomes,
      flaky: 0,
      invalid: row.invalid,
      isCut: row.isCut === true && isOnlyUnrun(counted, row.outcomes),
    }),
  ];
  const passing = row.targets.filter(({ status }) => status === "passed").length;
  const { outcomes, targets, invalid } = row;
  const missing = reached?.missing ?? [];
  const progress = passing - broken.length;
  const given = rowFrom(candidate, gate, { outcomes, targets, invalid, broken, missing, progress });
  return {
    gate,
    row: given,
    ...(reached?.isOpen === true ? { open: [reached.predicate.predicate] } : {}),
    ...(reached?.mutants === undefined ? {} : { mutants: reached.mutants }),
  };
}

/**
 * Finds the broken tests that the gate counts. Does not pair renumbered tests, because a new test may only resemble a
 * lost one.
 */
export function findBrokenTests(
  base: readonly TestOutcome[],
  { fault }: Pick<TaskState, "fault">,
  { outcomes }: Pick<MatrixRow, "outcomes">,
): string[] {
  return findRegressions([...base, ...(fault?.guards ?? [])], outcomes);
}

/**
 * Runs the repository's own tests on the candidate. Runs the derived tests separately, so that new derived tests need
 * no repetition of the others.
 */
async function measureAll(
  context: RunContext,
  state: TaskState,
  candidate: Candidate,
): Promise<Result<MatrixRow, "conflict">> {
  const { targets = [], guards = [] } = state.fault ?? {};
  const known = new Set(context.suite.outcomes.map(({ key }) => formatTestKey(key)));
  const isDerived = (key: TestKey): boolean => !known.has(formatTestKey(key));
  const derived = [...targets, ...keysOf(guards)].filter(isDerived);
  const whole = await runOn(context, candidate.tree, { kind: "all" });
  const composed = await composeTree(context, state, candidate);
  if (!composed.ok) return fail("conflict", composed.message);
  const beside =
    derived.length === 0
      ? { outcomes: [] }
      : await runOn(context, composed.value, { kind: "tests", tests: derived });
  const outcomes = [...whole.outcomes, ...beside.outcomes.filter(({ key }) => isDerived(key))];
  return succeed(
    rowOfRun(state, candidate, context.suite, {
      outcomes,
      invalid: whole.invalid ?? beside.invalid,
      isCut: whole.cutMs !== undefined,
    }),
  );
}

interface Written {
  readonly predicate: Predicate;
  /** The target in the candidate. */
  readonly target: Target | undefined;
}

async function isWritten(
  { task, workspace }: Pick<ActionContext, "task" | "workspace">,
  { tree }: Candidate,
): Promise<Written> {
  const find = (where: string) =>
    findTarget(task.target, async (path) => (await workspace.trees.read(where, path))?.toString("utf8"));
  const [before, after] = [await find(workspace.base), await find(tree)];
  const predicate = "target-is-written";
  if (!after.ok)
    return { predicate: { predicate, holds: false, evidence: after.message }, target: undefined };
  const isChanged = !before.ok || (await bodyOf(before.value)) !== (await bodyOf(after.value));
  const evidence = isChanged
    ? `the body of ${task.target} changes`
    : `the body of ${task.target} is unchanged`;
  return { predicate: { predicate, holds: isChanged, evidence }, target: after.value };
}

/**
 * Returns the executable part of the target: statements, without comments and documentation. Returns the whole target
 * if its executable lines are unknown.
 */
async function bodyOf(target: Target): Promise<string> {
  const units = await executableUnits({ ...target, pragmas: false });
  const { text, spans } = target;
  const whole = (): string[] =>
    spans.map(({ startLine, endLine }) =>
      text
        .split("\n")
        .slice(startLine - 1, endLine)
        .join("\n"),
    );
  const lines = text.split("\n");
  const parts = units?.map(({ line, endLine }) => lines.slice(line - 1, endLine).join("\n")) ?? whole();
  return parts.join("\n").replaceAll(/\s+/g, " ");
}
