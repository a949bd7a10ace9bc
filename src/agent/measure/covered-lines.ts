/**
 * Measures which lines of given files chosen tests execute on a tree. Uses the framework's tracer, or counters in these
 * files.
 */

import { z } from "zod";
import { coveredLinesSchema, formatTestKey } from "../../domain/test-outcome.ts";
import { instrumentFiles } from "../../instrument/instrument-files.ts";
import type { Selection, TestCommand } from "../../languages/contract.ts";
import { findFramework } from "../../languages/find-framework.ts";
import type { TreeStore } from "../../workspace/contract.ts";
import type { ActionContext, RunContext } from "../action.ts";
import { cutSchema, type LimitedResult, limitedStep } from "../record/limited-step.ts";
import type { TestExecutor } from "../suite.ts";
import type { RunLines } from "./executable-lines.ts";
import { testTimeoutOf, usualTimeOf } from "./measure-suite.ts";

const coveredSchema = z.object({
  /**
   * Maps test keys to lines. Lines that ran while modules were loaded belong to the first test, or to a separate key.
   */
  tests: z.record(z.string(), coveredLinesSchema),
  /** The reason why there is no measurement. */
  because: z.string().optional(),
  ...cutSchema,
});
export type Covered = z.infer<typeof coveredSchema>;

/** Factor of the time limit with coverage, which slows tests down. A slower test counts as hanging. */
const slowdown = 20;
/** In milliseconds: the maximum for a test, and the minimum for the whole run. */
const longestTestMs = 60_000;
const leastMs = 120_000;

export interface CoverRequest {
  readonly tree: string;
  readonly selection: Selection;
  readonly files: readonly string[];
}

/**
 * Measures coverage, and records it. A later call with the same request returns the record. The call measures again
 * only if a limit ended the recorded run and more time is left now. If the framework cannot report lines, the result
 * contains only the reason.
 */
export function coverLines(context: RunContext, request: CoverRequest): Promise<Covered> {
  const { tree, selection, files } = request;
  const { frameworks, suite } = context;
  const framework = findFramework(frameworks, suite.command);
  if (framework.coverage === "none")
    return Promise.resolve({
      tests: {},
      because: `${framework.name} does not report the executed lines of a test`,
    });
  const what = selection.kind === "tests" ? selection.tests.map(formatTestKey) : selection;
  const options = {
    key: `cover:${tree}:${JSON.stringify([what, files])}`,
    title: "run tests with coverage",
    schema: coveredSchema,
    large: true,
    usualMs: slowdown * usualTimeOf(suite) + leastMs,
  };
  const counts = framework.coverage === "counters";
  return limitedStep<Covered>(context, options, (timeoutMs) => run(context, request, { counts, timeoutMs }));
}

function run(
  { executor, suite, workspace }: Pick<ActionContext, "executor" | "suite" | "workspace">,
  request: CoverRequest,
  { counts, timeoutMs }: { readonly counts: boolean; readonly timeoutMs: number },
): Promise<LimitedResult<Covered>> {
  const testTimeoutMs = Math.min(slowdown * testTimeoutOf(suite), longestTestMs);
  const { command } = suite;
  return measureCoverage(
    { executor, command, trees: workspace.trees, counts, testTimeoutMs, timeoutMs },
    request,
  );
}

export interface CoverageBench {
  readonly executor: Pick<TestExecutor, "run">;
  readonly command: TestCommand;
  readonly trees: TreeStore;
  /** True if the framework's runtime cannot trace lines, so the files get counters. */
  readonly counts: boolean;
  readonly testTimeoutMs: number;
  readonly timeoutMs: number;
  /** The field of `ExecutorRequest` with this name. */
  readonly configuration?: "own";
}

/** Measures coverage in one run of the tests. */
export async function measureCoverage(
  { executor, command, trees, counts, ...limits }: CoverageBench,
  { tree, selection, files }: CoverRequest,
): Promise<LimitedResult<Covered>> {
  const { report, end } = await executor.run(command, {
    ...limits,
    tree: counts ? await withCounters(trees, tree, files) : tree,
    selection,
    coverage: true,
  });
  const wanted = new Set(files);
  const tests = [...report.coverage].map(([id, covered]) => [
    id,
    Object.fromEntries(Object.entries(covered).filter(([file]) => wanted.has(file))),
  ]);
  const failure = report.outcomes.find((outcome) => outcome.failure !== undefined)?.failure;
  const reason = report.invalid ?? (failure && `${failure.type}: ${failure.message}`);
  const because =
    end === "out-of-memory"
      ? { because: "the run with coverage reached the memory limit" }
      : report.coverage.size === 0 && reason !== undefined
        ? { because: reason }
        : {};
  return { result: { tests: Object.fromEntries(tests), ...because }, isCut: end === "timed-out" };
}

async function withCounters(trees: TreeStore, tree: string, files: readonly string[]): Promise<string> {
  const texts = await Promise.all(
    files.map(async (path) => ({ path, text: (await trees.read(tree, path))?.toString("utf8") ?? "" })),
  );
  const counted = await instrumentFiles(texts);
  return trees.write(
    tree,
    counted.map(({ path, text }) => ({ path, content: text })),
  );
}

/** Returns the lines of a file that any of the tests executed, and those that ran when the tests were loaded. */
export function linesRun(
  { tests }: Pick<Covered, "tests">,
  file: string,
  isWanted: (id: string) => boolean = () => true,
): RunLines {
  const of = (holds: (id: string) => boolean): ReadonlySet<number> =>
    new Set(Object.entries(tests).flatMap(([id, covered]) => (holds(id) ? (covered[file] ?? []) : [])));
  return { executed: of((id) => !isLoading(id) && isWanted(id)), loaded: of(isLoading) };
}

/** True for a key without a test's name. It contains the lines that ran while a target was loaded. */
function isLoading(id: string): boolean {
  return id.endsWith("::");
}
