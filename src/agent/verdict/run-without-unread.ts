/**
 * Measures whether the verdict needs the changed files that no check reads, such as a regenerated bundle. Runs the
 * deciding tests, and cheap tests that passed on the base, without the changes of these files. A patch must not hide
 * its code in them.
 */
import { z } from "zod";
import { hashText } from "../../base/hash.ts";
import type { Candidate } from "../../domain/candidate.ts";
import {
  formatTestKey,
  statusFinder,
  type TestKey,
  type TestOutcome,
  testStatusSchema,
} from "../../domain/test-outcome.ts";
import type { ActionContext } from "../action.ts";
import { readChange } from "../code/change.ts";
import type { Claim } from "../kinds/contract.ts";
import { takeCheap } from "../measure/cheap-tests.ts";
import { testTimeoutOf, usualTimeOf } from "../measure/measure-suite.ts";
import { cutSchema, limitedStep } from "../record/limited-step.ts";
import { nearTests } from "../review/measured/near-tests.ts";
import { listRead, listUnread } from "../review/texts/too-large.ts";
import type { TaskState } from "../state/task-state.ts";
import type { StrategyContext } from "../strategy.ts";
import type { Suite, TestExecutor } from "../suite.ts";
import { type JudgedUnread, judgeNames, judgeUnread } from "./judge-unread.ts";

interface UnreadContext
  extends Pick<StrategyContext, "workspace" | "recorder" | "limits">,
    Pick<ActionContext, "regions"> {
  readonly suite: Pick<Suite, "command" | "outcomes" | "durationMs" | "testTimeoutMs" | "part" | "own">;
  readonly executor: Pick<TestExecutor, "run" | "project">;
}

const ranSchema = z.object({
  statuses: z.array(testStatusSchema),
  /** The reason why the report cannot be trusted. */
  invalid: z.string().optional(),
  ...cutSchema,
});
type Ran = z.infer<typeof ranSchema>;

/**
 * Runs the deciding tests without the changes in files that no check reads. `claim`: the deciding tests, and the
 * candidate's tree with them. The tree is absent if the candidate delivers no code.
 */
export async function runWithoutUnread(
  context: UnreadContext,
  state: Pick<TaskState, "fault">,
  { tree }: Pick<Candidate, "tree">,
  claim: Pick<Claim, "tests" | "patched"> | undefined,
): Promise<JudgedUnread> {
  const { workspace, regions, suite, executor } = context;
  const { trees, base } = workspace;
  const { files } = await readChange(trees, regions, base, tree);
  const unread = listUnread(files);
  if (unread.length === 0 || claim?.patched === undefined) return { objections: [], paths: [] };
  const { tests: deciding, patched } = claim;
  const read = listRead(files);
  const { paths, objections } = judgeNames(unread, read);
  if (objections.length > 0) return { objections, paths };
  const near = await nearTests({ suite, executor, change: { files: read } }, state);
  const others = listOthers(suite.outcomes, near, deciding);
  const tests = [...deciding, ...others];
  const options = {
    key: `without-unread:${hashText(JSON.stringify([patched, paths, tests.map(formatTestKey)]))}`,
    title: "run the tests without the files that no check reads",
    schema: ranSchema,
    usualMs: patience.factor * usualTimeOf(suite) + patience.ms,
  };
  const ran = await limitedStep<Ran>(context, options, async (timeMs) => {
    const deadline = performance.now() + timeMs;
    const contents = await Promise.all(paths.map((path) => trees.read(base, path)));
    const without = await trees.write(
      patched,
      paths.map((path, at) => ({ path, content: contents[at] ?? null })),
    );
    const result = await compareRuns({ deciding, others }, { without, patched }, (on, asked) =>
      runTests(context, on, asked, deadline),
    );
    return { result, isCut: performance.now() >= deadline };
  });
  return judgeUnread({ paths, tests, ...ran });
}

/** The time limit: a multiple of the suite's time on the base, plus milliseconds. */
const patience = { factor: 3, ms: 60_000 };

/** Cheap tests that passed on the base, those near the change first. */
function listOthers(
  outcomes: readonly TestOutcome[],
  near: readonly TestKey[],
  deciding: readonly TestKey[],
): TestKey[] {
  const [isNear, isDeciding] = [near, deciding].map((keys) => new Set(keys.map(formatTestKey)));
  const passed = outcomes.filter(
    ({ key, status }) => status === "passed" && isDeciding?.has(formatTestKey(key)) !== true,
  );
  const [first = [], rest = []] = [true, false].map((wanted) =>
    passed.filter(({ key }) => isNear?.has(formatTestKey(key)) === wanted),
  );
  return takeCheap([...first, ...rest]);
}

interface Asked {
  readonly deciding: readonly TestKey[];
  readonly others: readonly TestKey[];
}
type RunTests = (tree: string, tests: readonly TestKey[]) => Promise<Omit<Ran, "cutMs">>;

/**
 * Runs failing tests once more, because they may be flaky. Other tests do not count if they also fail with the changes:
 * the statement may call their assertions wrong. A time limit shows no failure.
 */
async function compareRuns(
  { deciding, others }: Asked,
  { without, patched }: Readonly<Record<"without" | "patched", string>>,
  run: RunTests,
): Promise<Omit<Ran, "cutMs">> {
  const tests = [...deciding, ...others];
  const first = await run(without, tests);
  const failing = tests.flatMap((key, at) => (first.statuses[at] === "passed" ? [] : [{ key, at }]));
  const again = await run(
    without,
    failing.map(({ key }) => key),
  );
  const broken = failing.filter(
    ({ at }, index) => at >= deciding.length && again.statuses[index] !== "passed",
  );
  const kept = await run(
    patched,
    broken.map(({ key }) => key),
  );
  const statuses = [...first.statuses];
  for (const [index, { at }] of failing.entries()) statuses[at] = again.statuses[index] ?? "not-run";
  for (const [index, { at }] of broken.entries())
    if (!["passed", "not-run", "timed-out"].includes(kept.statuses[index] ?? "not-run"))
      statuses[at] = "passed";
  const invalid = first.invalid ?? again.invalid ?? kept.invalid;
  return { statuses, ...(invalid === undefined ? {} : { invalid }) };
}

async function runTests(
  { suite, executor }: Pick<UnreadContext, "suite" | "executor">,
  tree: string,
  tests: readonly TestKey[],
  deadline: number,
): Promise<Omit<Ran, "cutMs">> {
  const timeoutMs = deadline - performance.now();
  if (tests.length === 0 || timeoutMs <= 0) return { statuses: tests.map(() => "not-run" as const) };
  const { report } = await executor.run(suite.command, {
    tree,
    selection: { kind: "tests", tests },
    testTimeoutMs: testTimeoutOf(suite),
    timeoutMs,
  });
  const { invalid } = report;
  const statuses = tests.map(statusFinder(report.outcomes));
  return { statuses, ...(invalid === undefined ? {} : { invalid }) };
}
