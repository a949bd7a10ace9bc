/** Which lines each test executed on the base: by the framework's tracer, or by counters in an instrumented tree. */
import { z } from "zod";
import { type CoveredLines, coveredLinesSchema, formatTestKey } from "../domain/test-outcome.ts";
import { instrumentFiles } from "../instrument/instrument-files.ts";
import type { Selection, TestFramework } from "../languages/contract.ts";
import { isSourceFile } from "../languages/source-files.ts";
import { type Baseline, testTimeoutOf } from "./baseline.ts";
import type { MeasurementContext } from "./measurement.ts";
import type { TestBench } from "./test-bench.ts";

/** A suite that takes longer is covered only in the files of the failing tests, in milliseconds. */
const longestSuiteMs = 90_000;
/** Coverage makes tests slower; so many times at most, before a test counts as hanging. */
const slowdown = 20;

const coverageSchema = z.object({ tests: z.record(z.string(), coveredLinesSchema) });

/** Test id → the lines that it executed; tests without any are left out. Empty where coverage cannot be had. */
export async function collectCoverage(
  context: MeasurementContext,
  bench: TestBench,
  baseline: Baseline,
  framework: TestFramework,
): Promise<ReadonlyMap<string, CoveredLines>> {
  const recorded = await context.recorder.step(
    { key: "coverage", title: "run the tests with coverage", schema: coverageSchema, large: true },
    async () => {
      const tree = framework.coverage === "counters" ? await instrumentBase(context) : context.workspace.base;
      const run = await bench.run(baseline.command, {
        tree,
        selection: selectCovered(baseline),
        coverage: true,
        testTimeoutMs: Math.min(slowdown * testTimeoutOf(baseline), coverageTestTimeoutMs(baseline)),
        timeoutMs: Math.min(slowdown * baseline.durationMs + longestSuiteMs, context.limits.remainingMs()),
      });
      return { tests: Object.fromEntries(run.report.coverage) };
    },
  );
  return spreadLoadLines(
    new Map(Object.entries(recorded.tests)),
    new Set(baseline.outcomes.map((each) => formatTestKey(each.key))),
  );
}

/** A test that hangs has executed its loop after a short while; a slow one is given its time. */
function coverageTestTimeoutMs(baseline: Baseline): number {
  const hangs = baseline.targets.some((outcome) => outcome.failure?.type === "TimeoutError");
  return hangs ? Math.max(2_000, 2 * testTimeoutOf(baseline)) : 60_000;
}

function selectCovered(baseline: Baseline): Selection {
  if (baseline.durationMs <= longestSuiteMs) return { kind: "all" };
  const files = new Set(baseline.targets.map((outcome) => outcome.key.target));
  return { kind: "files", files: [...files] };
}

/** The base with counters in each source file that is no test: just another tree. */
async function instrumentBase(context: MeasurementContext): Promise<string> {
  const { trees, base } = context.workspace;
  const entries = (await trees.list(base)).filter(
    (entry) => isSourceFile(entry.path) && entry.mode !== "120000",
  );
  const texts = await Promise.all(
    entries.map(async ({ path }) => ({ path, text: (await trees.read(base, path))?.toString("utf8") ?? "" })),
  );
  const changed = await instrumentFiles(texts);
  return trees.write(
    base,
    changed.map(({ path, text }) => ({ path, content: text })),
  );
}

/**
 * A module is loaded once, by whichever test came first: its load-time lines are counted for each test that executed
 * anything else in it.
 */
function spreadLoadLines(
  coverage: ReadonlyMap<string, CoveredLines>,
  tests: ReadonlySet<string>,
): ReadonlyMap<string, CoveredLines> {
  const loaded = new Map<string, Set<number>>();
  for (const [id, covered] of coverage) {
    if (tests.has(id)) continue;
    for (const [file, lines] of Object.entries(covered)) {
      const known = loaded.get(file) ?? new Set();
      for (const line of lines) known.add(line);
      loaded.set(file, known);
    }
  }
  const spread = [...coverage]
    .filter(([id]) => tests.has(id))
    .map(([id, covered]): [string, CoveredLines] => {
      const files = Object.entries(covered).map(([file, lines]): [string, number[]] => {
        const all = new Set([...lines, ...(loaded.get(file) ?? [])]);
        return [file, [...all].sort((a, b) => a - b)];
      });
      return [id, Object.fromEntries(files)];
    });
  return new Map(spread);
}
