/**
 * Measures whether the deciding tests need the changed files that no check reads, such as a regenerated bundle. Runs
 * the tests without the changes of these files. A patch must not hide its code in them.
 */
import { z } from "zod";
import { hashText } from "../../base/hash.ts";
import type { Candidate } from "../../domain/candidate.ts";
import { formatTestKey, statusFinder, testStatusSchema } from "../../domain/test-outcome.ts";
import type { ActionContext } from "../action.ts";
import { readChange } from "../code/change.ts";
import type { Claim } from "../kinds/contract.ts";
import { testTimeoutOf, usualTimeOf } from "../measure/measure-suite.ts";
import { cutSchema, limitedStep } from "../record/limited-step.ts";
import { listRead, listUnread } from "../review/too-large.ts";
import type { StrategyContext } from "../strategy.ts";
import type { Suite, TestBench } from "../suite.ts";
import { type JudgedUnread, judgeNames, judgeUnread } from "./judge-unread.ts";

interface UnreadContext
  extends Pick<StrategyContext, "workspace" | "recorder" | "limits">,
    Pick<ActionContext, "regions"> {
  readonly suite: Pick<Suite, "command" | "outcomes" | "durationMs" | "testTimeoutMs" | "part" | "own">;
  readonly bench: Pick<TestBench, "run">;
}

const ranSchema = z.object({
  statuses: z.array(testStatusSchema),
  /** Why the report cannot be trusted. */
  invalid: z.string().optional(),
  ...cutSchema,
});

/** `claim`: the deciding tests, and the candidate's tree with them. Without this tree, no code is delivered. */
export async function runWithoutUnread(
  context: UnreadContext,
  { tree }: Pick<Candidate, "tree">,
  claim: Pick<Claim, "tests" | "patched"> | undefined,
): Promise<JudgedUnread> {
  const { workspace, regions, suite, bench } = context;
  const { trees, base } = workspace;
  const { files } = await readChange(trees, regions, base, tree);
  const unread = listUnread(files);
  if (unread.length === 0 || claim?.patched === undefined) return { objections: [], paths: [] };
  const { tests, patched } = claim;
  const { paths, objections } = judgeNames(unread, listRead(files));
  if (objections.length > 0) return { objections, paths };
  const options = {
    key: `without-unread:${hashText(JSON.stringify([patched, paths, tests.map(formatTestKey)]))}`,
    title: "run the tests without the files that no check reads",
    schema: ranSchema,
    usualMs: patience.factor * usualTimeOf(suite) + patience.ms,
  };
  const ran = await limitedStep<z.infer<typeof ranSchema>>(context, options, async (timeMs) => {
    const deadline = performance.now() + timeMs;
    const contents = await Promise.all(paths.map((path) => trees.read(base, path)));
    const without = await trees.write(
      patched,
      paths.map((path, at) => ({ path, content: contents[at] ?? null })),
    );
    const { report } = await bench.run(suite.command, {
      tree: without,
      selection: { kind: "tests", tests },
      testTimeoutMs: testTimeoutOf(suite),
      timeoutMs: timeMs,
    });
    const statusOf = statusFinder(report.outcomes);
    const { invalid } = report;
    const result = { statuses: tests.map(statusOf), ...(invalid === undefined ? {} : { invalid }) };
    return { result, isCut: performance.now() >= deadline };
  });
  return judgeUnread({ paths, tests, ...ran });
}

/** The time limit: a multiple of the suite's time on the base, plus milliseconds. */
const patience = { factor: 3, ms: 60_000 };
