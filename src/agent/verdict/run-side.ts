/** Runs a test on one side of a patch, with edits of the test's file. */
import { formatTestKey, type TestKey, type TestOutcome } from "../../domain/test-outcome.ts";
import { applyEdits, type LiteralEdit } from "../../judging/vary-tests.ts";
import type { ActionContext } from "../action.ts";
import { bodiesOf } from "../code/test-bodies.ts";
import { testTimeoutOf } from "../measure/measure-suite.ts";
import type { StrategyContext } from "../strategy.ts";
import type { Suite, TestExecutor } from "../suite.ts";
import type { Side } from "./varied-literals.ts";

export interface PointContext
  extends Pick<StrategyContext, "workspace" | "recorder" | "limits">,
    Pick<ActionContext, "regions" | "task"> {
  readonly suite: Pick<Suite, "command" | "outcomes" | "durationMs" | "testTimeoutMs" | "part" | "own">;
  readonly executor: Pick<TestExecutor, "run">;
}

/** The ids of a test and of the other tests with its body: the rows of a table. */
export type Ids = ReadonlySet<string>;

interface SideRun {
  readonly test: TestKey;
  readonly edits: readonly LiteralEdit[];
  /** The ids to read; undefined in the first run. */
  readonly ids: Ids | undefined;
  readonly deadline: number;
}

/**
 * Runs the test on one side. If the test is a row of a table, runs its whole file: the test's name may contain the
 * value.
 */
export async function runSide(
  { workspace: { trees }, suite, executor }: PointContext,
  { tree, path, text, body }: Side,
  { test, edits, ids, deadline }: SideRun,
): Promise<{ readonly outcome: TestOutcome | undefined; readonly ids: Ids }> {
  const id = formatTestKey(test);
  const content = applyEdits(text, edits);
  const isRow = !test.name.endsWith(body.name);
  const { report } = await executor.run(suite.command, {
    tree: edits.length === 0 ? tree : await trees.write(tree, [{ path, content }]),
    selection: isRow ? { kind: "files", files: [path] } : { kind: "tests", tests: [test] },
    testTimeoutMs: testTimeoutOf(suite),
    timeoutMs: Math.max(1, deadline - performance.now()),
  });
  const own = report.invalid === undefined ? report.outcomes.filter((each) => hasBody(each)) : [];
  const same = own.find(({ key }) => formatTestKey(key) === id);
  const [renamed, more] = ids === undefined ? [] : own.filter(({ key }) => !ids.has(formatTestKey(key)));
  const outcome = same ?? (more === undefined ? renamed : undefined);
  return { outcome, ids: new Set(own.map(({ key }) => formatTestKey(key))) };

  function hasBody({ key }: TestOutcome): boolean {
    return formatTestKey(key) === id || (isRow && bodiesOf([body], key).length > 0);
  }
}
