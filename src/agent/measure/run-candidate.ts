/** Lays a candidate and the reproductions on the base, and lets the tests speak. */

import { z } from "zod";
import { fail, type Result, succeed } from "../../base/result.ts";
import type { Candidate } from "../../domain/candidate.ts";
import {
  findStatus,
  formatTestKey,
  statusesOf,
  type TestKey,
  type TestOutcome,
  testOutcomeSchema,
} from "../../domain/test-outcome.ts";
import type { Selection } from "../../languages/contract.ts";
import { askAgain, moreTime } from "../../workspace/time-outs.ts";
import type { ActionContext } from "../action.ts";
import { findRegressions } from "../kinds/repair-gate.ts";
import { type MatrixRow, rowOf, type TaskState } from "../state/task-state.ts";
import { type Suite, testTimeoutOf } from "./baseline.ts";
import { cutSchema, limitedStep } from "./limited-step.ts";

const reportSchema = z.object({
  outcomes: z.array(testOutcomeSchema),
  invalid: z.string().optional(),
  ...cutSchema,
});
type Ran = z.infer<typeof reportSchema>;

/** Times of the suite on the base that a run may take, and milliseconds beside them. */
const patience = { factor: 3, ms: 120_000 };

/** The base with every reproduction and the candidate on it. */
export function composeTree(
  { workspace }: ActionContext,
  { candidates }: TaskState,
  candidate: Candidate,
): Promise<Result<string, "conflict">> {
  const reproductions = candidates.filter(({ kind }) => kind === "reproduction");
  // Whole: with all that was changed before it was made from its parent.
  const { parent: _, ...whole } = candidate;
  return workspace.trees.compose(workspace.base, [...reproductions, whole], () => workspace.base);
}

/**
 * Once in the life of the run for each tree and selection, unless a limit cut it off and there is more time now; `again` is
 * another time.
 */
export function runOn(
  context: ActionContext,
  tree: string,
  selection: Selection,
  again = 1,
  configuration?: "own",
): Promise<Ran> {
  const { bench, suite } = context;
  const what = selection.kind === "tests" ? selection.tests.map(formatTestKey) : selection;
  const options = {
    key: `tests:${tree}:${JSON.stringify(what)}:${again}${configuration === undefined ? "" : ":own"}`,
    title: selection.kind === "all" ? "run all tests" : "run tests",
    schema: reportSchema,
    large: true,
    usualMs: patience.factor * suite.durationMs + patience.ms,
    decides: ({ outcomes, invalid }: Ran) => [statusesOf(outcomes), invalid === undefined],
  };
  return limitedStep<Ran>(context, options, async (timeoutMs) => {
    const testTimeoutMs = testTimeoutOf(suite);
    const given = { tree, timeoutMs, ...(configuration === undefined ? {} : { configuration }) };
    const { report, end } = await bench.run(suite.command, { ...given, selection, testTimeoutMs });
    const { invalid } = report;
    const outcomes = await askAgain(
      report.outcomes,
      ({ key }) => findStatus(suite.outcomes, key) === "passed",
      async (test) => {
        const alone = { kind: "tests", tests: [test] } as const;
        const request = { ...given, selection: alone, testTimeoutMs: moreTime * testTimeoutMs };
        return (await bench.run(suite.command, request)).report.outcomes;
      },
    );
    const result = { outcomes, ...(invalid === undefined ? {} : { invalid }) };
    return { result, isCut: end === "timed-out" };
  });
}

/** The targets, and all tests where `scope` is "all": what a run of all has said of them is not asked again. */
export async function measureCandidate(
  context: ActionContext,
  state: TaskState,
  candidate: Candidate,
  scope: "targets" | "all",
): Promise<Result<MatrixRow, "conflict">> {
  const known = scope === "all" ? wholeRow(state, candidate) : undefined;
  if (known !== undefined) return succeed(rowOfRun(state, candidate, context.suite, known));
  const composed = await composeTree(context, state, candidate);
  if (!composed.ok) return fail("conflict", composed.message);
  const targets = state.fault?.targets ?? [];
  const selection: Selection = scope === "all" ? { kind: "all" } : { kind: "tests", tests: [...targets] };
  const ran = await runOn(context, composed.value, selection);
  return succeed(rowOfRun(state, candidate, scope === "all" ? context.suite : undefined, ran));
}

/** The newest row, where all tests were run for it, and those that were written in the run too. */
export function wholeRow(state: TaskState, { id }: Pick<Candidate, "id">): MatrixRow | undefined {
  const row = rowOf(state, id);
  if (row === undefined || row.invalid !== undefined || row.broken === undefined) return undefined;
  const ran = row.outcomes.filter(({ status }) => status !== "not-run").map(({ key }) => formatTestKey(key));
  const said = new Set(ran);
  const { targets = [], guards = [] } = state.fault ?? {};
  const asked = [...targets, ...guards.map(({ key }) => key)].map(formatTestKey);
  return asked.every((key) => said.has(key)) ? row : undefined;
}

/**
 * The newest row with what tests said that were added since: files of their own change nothing of what the others said, which may have
 * been left out of their run. Undefined where no run of all tests is there to be added to.
 */
export function rowWithAdded(
  context: Pick<ActionContext, "suite">,
  state: TaskState,
  candidate: Candidate,
  added: readonly TestOutcome[],
): MatrixRow | undefined {
  const row = rowOf(state, candidate.id);
  if (row === undefined || row.broken === undefined || row.invalid !== undefined) return undefined;
  const own = new Set(context.suite.outcomes.map(({ key }) => formatTestKey(key)));
  const fresh = added.filter(({ key }) => !own.has(formatTestKey(key)));
  const ids = new Set(fresh.map(({ key }) => formatTestKey(key)));
  const outcomes = [...row.outcomes.filter(({ key }) => !ids.has(formatTestKey(key))), ...fresh];
  return rowOfRun(state, candidate, context.suite, { outcomes });
}

/** `suite`: all tests on the base, where all were run. */
export function rowOfRun(
  { fault }: Pick<TaskState, "fault">,
  candidate: Pick<Candidate, "id">,
  suite: Pick<Suite, "outcomes"> | undefined,
  { outcomes, invalid }: { readonly outcomes: readonly TestOutcome[]; readonly invalid?: string | undefined },
): MatrixRow {
  const targets = (fault?.targets ?? []).map((key) => outcomeOf(outcomes, key));
  const broken = suite && findRegressions([...suite.outcomes, ...(fault?.guards ?? [])], outcomes);
  const passing = targets.filter(({ status }) => status === "passed").length;
  const score = [passing, -(broken?.length ?? Number.MAX_SAFE_INTEGER)];
  return { candidate: candidate.id, outcomes, targets, broken, invalid, score };
}

/** A target that was not reported did not pass. */
function outcomeOf(outcomes: readonly TestOutcome[], key: TestKey): TestOutcome {
  const id = formatTestKey(key);
  const found = outcomes.find((outcome) => formatTestKey(outcome.key) === id);
  return found ?? { key, status: findStatus(outcomes, key), durationMs: 0 };
}
