/** The last question of a confirming run: whether the tests would pass whatever they expect. */
import { findStatus, formatTestKey, type TestKey } from "../../domain/test-outcome.ts";
import { contradictTests } from "../../judging/contradict-tests.ts";
import { applyEdits } from "../../judging/vary-tests.ts";
import type { TreeStore } from "../../workspace/contract.ts";
import { type Suite, testTimeoutOf } from "../measure/measure-suite.ts";
import type { TestBench } from "../measure/test-bench.ts";
import { bodiesOf, findTestFiles } from "../review/test-bodies.ts";
import type { Contradiction } from "./judge-confirmation.ts";

export interface ContradictRequest {
  readonly trees: Pick<TreeStore, "list" | "read" | "write">;
  readonly suite: Pick<Suite, "command" | "outcomes" | "durationMs">;
  readonly bench: TestBench;
  /** With the patch. */
  readonly tree: string;
  readonly tests: readonly TestKey[];
  readonly timeoutMs: number;
}

/** More say little new, and each is read and changed. */
const mostTests = 50;

/**
 * Runs the tests that compare for equality with other values expected. Undefined where none does so that its text tells, and where the run
 * says nothing, such as where the changed text does not compile.
 */
export async function contradict(request: ContradictRequest): Promise<Contradiction | undefined> {
  const { trees, suite, bench, tree, tests, timeoutMs } = request;
  const { asked, files } = await expectOtherwise(trees, tree, tests.slice(0, mostTests));
  if (asked.length === 0) return undefined;
  const { report } = await bench.run(suite.command, {
    tree: await trees.write(tree, files),
    selection: { kind: "tests", tests: asked },
    testTimeoutMs: testTimeoutOf(suite),
    timeoutMs,
  });
  if (report.invalid !== undefined) return undefined;
  const passed = asked.filter((key) => findStatus(report.outcomes, key) === "passed");
  return { asked: asked.length, passed: passed.map(formatTestKey) };
}

/** The changed files, and the tests of which it is certain that they stand there and are changed. */
export async function expectOtherwise(
  trees: Pick<TreeStore, "list" | "read">,
  tree: string,
  tests: readonly TestKey[],
): Promise<{
  readonly asked: readonly TestKey[];
  readonly files: readonly { readonly path: string; readonly content: string }[];
}> {
  const asked = new Set(tests);
  const seen = new Set<TestKey>();
  const files: { path: string; content: string }[] = [];
  for (const [path, { text, bodies }] of await findTestFiles(trees, tree, tests)) {
    const edits = await contradictTests(path, text, bodies);
    for (const key of tests) {
      const own = bodiesOf(bodies, key);
      if (own.length > 0) seen.add(key);
      // Of one name there may be several: nobody knows which of them the test is.
      const isChanged = ({ startLine, endLine }: (typeof own)[number]): boolean =>
        edits.some(({ line }) => startLine <= line && line <= endLine);
      if (!own.every(isChanged)) asked.delete(key);
    }
    if (edits.length > 0) files.push({ path, content: applyEdits(text, edits) });
  }
  return { asked: [...asked].filter((key) => seen.has(key)), files };
}
