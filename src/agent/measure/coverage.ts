/**
 * Collects the lines that each test executed on the base. Uses the framework's tracer, or counters in an instrumented
 * tree.
 */

import { z } from "zod";
import { countOf } from "../../base/count.ts";
import {
  type CoveredLines,
  coveredLinesSchema,
  formatTestKey,
  ranOutOfTime,
} from "../../domain/test-outcome.ts";
import { instrumentFiles } from "../../instrument/instrument-files.ts";
import type { Selection, TestFramework, TestReport } from "../../languages/contract.ts";
import { isSourceFile } from "../../languages/source-files.ts";
import { cutSchema, type LimitedResult, limitedStep } from "../record/limited-step.ts";
import type { TestExecutor } from "../suite.ts";
import type { Baseline } from "./baseline.ts";
import { loadedLines, restrictTo, spreadLoadLines } from "./load-lines.ts";
import { testTimeoutOf, usualTimeOf } from "./measure-suite.ts";
import type { MeasurementContext } from "./measurement.ts";
import { listRelatedTargets, targetsOf } from "./related-tests.ts";

export interface Coverage {
  /** Maps test ids to executed lines. Omits tests without lines. Empty if coverage is not available. */
  readonly tests: ReadonlyMap<string, CoveredLines>;
  /** Lines that ran while modules were loaded. */
  readonly loaded: CoveredLines;
  /** Sentences for people about missing data, with the reasons. */
  readonly remarks: readonly string[];
}

/** In milliseconds. In a longer suite, only failing tests and related tests run with coverage. */
const longestSuiteMs = 90_000;
/** Milliseconds on the base for tests related to the failing ones. */
const relatedBudgetMs = 60_000;
/** The share of the remaining time for coverage. The rest is for candidates. */
const shareOfTime = 0.4;
/** The usual slowdown of a suite relative to the base. */
const usualSlowdown = 4;
/** Maximum number of builds with counters. Files that break a build are excluded from the next one. */
const mostRounds = 4;
/** Factor of the time limit with coverage, which slows tests down. A slower test counts as hanging. */
const slowdown = 20;

const coverageSchema = z.object({
  tests: z.record(z.string(), coveredLinesSchema),
  remarks: z.array(z.string()).default([]),
  ...cutSchema,
});
type Recorded = z.infer<typeof coverageSchema>;

export async function collectCoverage(
  context: MeasurementContext,
  executor: TestExecutor,
  baseline: Baseline,
  framework: TestFramework,
): Promise<Coverage> {
  if (framework.coverage === "none") {
    const remark = `${framework.name} does not report the lines that each test executes. Millwright therefore locates the fault only by stack traces and the failing tests' texts.`;
    return { tests: new Map(), loaded: {}, remarks: [remark] };
  }
  const options = {
    key: "coverage",
    title: "run the tests with coverage",
    schema: coverageSchema,
    large: true,
    usualMs: slowdown * usualTimeOf(baseline) + longestSuiteMs,
  };
  const recorded = await limitedStep<Recorded>(context, options, (longestMs) =>
    runCovered(context, executor, baseline, { framework, longestMs }),
  );
  const tests = idsOf(baseline);
  const all = new Map(Object.entries(recorded.tests));
  const missing = describeMissing(baseline, all);
  return {
    tests: spreadLoadLines(all, tests),
    loaded: loadedLines(all, tests),
    remarks: [...recorded.remarks, ...missing],
  };
}

async function runCovered(
  context: MeasurementContext,
  executor: TestExecutor,
  baseline: Baseline,
  { framework, longestMs }: { readonly framework: TestFramework; readonly longestMs: number },
): Promise<LimitedResult<Recorded>> {
  const remarks: string[] = [];
  const testTimeoutMs = Math.min(slowdown * testTimeoutOf(baseline), coverageTestTimeoutMs(baseline));
  let isCut = false;
  const plain = new Set<string>();
  let program: { readonly tree: string; readonly files: readonly string[] } =
    framework.coverage === "counters"
      ? await instrumentBase(context, plain)
      : { tree: context.workspace.base, files: [] };
  const run = async (selection: Selection): Promise<ReadonlyMap<string, CoveredLines>> => {
    for (let round = 1; ; round += 1) {
      const { report, end } = await executor.run(baseline.command, {
        tree: program.tree,
        selection,
        coverage: true,
        testTimeoutMs,
        timeoutMs: Math.min(longestMs, shareOfTime * context.limits.remainingMs()),
      });
      isCut ||= end === "timed-out";
      const blamed = report.coverage.size > 0 ? [] : findBlamed(report, program.files);
      if (blamed.length === 0) return report.coverage;
      remarks.push(
        `The build fails with counters in ${blamed.join(", ")}, so Millwright does not count lines there.`,
      );
      if (round === mostRounds) return report.coverage;
      for (const file of blamed) plain.add(file);
      program = await instrumentBase(context, plain);
    }
  };
  const ids = idsOf(baseline);
  const affordedMs = (shareOfTime / usualSlowdown) * context.limits.remainingMs();
  if (baseline.durationMs <= Math.min(longestSuiteMs, affordedMs)) {
    const all = await run({ kind: "all" });
    const tests = Object.fromEntries(restrictTo(all, ids, filesOfTargets(baseline, all)));
    return { result: { tests, remarks }, isCut };
  }
  const failing = await run({ kind: "files", files: targetsOf(baseline.targets) });
  const files = filesOfTargets(baseline, failing);
  const related = listRelatedTargets(baseline.outcomes, files, executor.project, {
    known: new Set(targetsOf(baseline.targets)),
    budgetMs: Math.min(relatedBudgetMs, affordedMs),
  });
  const more = related.length === 0 ? new Map() : await run({ kind: "files", files: related });
  const seconds = Math.round(baseline.durationMs / 1000);
  remarks.push(
    `The suite takes ${seconds} s. Coverage therefore comes only from the failing tests' files and ${countOf(related.length, "related test file")}.`,
  );
  const tests = Object.fromEntries(restrictTo(new Map([...more, ...failing]), ids, files));
  return { result: { tests, remarks }, isCut };
}

/** Files with counters that the build's errors name. */
function findBlamed({ outcomes, invalid }: TestReport, files: readonly string[]): string[] {
  const said = outcomes.flatMap(({ failure }) =>
    failure === undefined ? [] : [failure.message, failure.text],
  );
  const text = [...said, invalid ?? ""].join("\n");
  return files.filter((file) => text.includes(`${file}:`) || text.includes(`${file}(`));
}

function idsOf({ outcomes }: Baseline): ReadonlySet<string> {
  return new Set(outcomes.map((each) => formatTestKey(each.key)));
}

/**
 * Returns the files that a target test executed, or that its stack trace names. Other files are irrelevant to the
 * targets.
 */
function filesOfTargets(
  baseline: Baseline,
  coverage: ReadonlyMap<string, CoveredLines>,
): ReadonlySet<string> {
  const files = new Set<string>();
  for (const { key, failure } of baseline.targets) {
    for (const file of Object.keys(coverage.get(formatTestKey(key)) ?? {})) files.add(file);
    for (const frame of failure?.frames ?? []) files.add(frame.file);
  }
  return files;
}

function describeMissing(baseline: Baseline, coverage: ReadonlyMap<string, CoveredLines>): string[] {
  const without = baseline.targets.filter(({ key }) => !coverage.has(formatTestKey(key))).length;
  if (without === 0) return [];
  const all = baseline.targets.length;
  return [
    `The framework reported no executed lines for ${without === all && all === 1 ? "the failing test" : `${without} of ${all} failing tests`}.`,
  ];
}

/**
 * Time limit for one test in milliseconds. A hanging test executes its loop within this limit, and a slow test has
 * enough time.
 */
function coverageTestTimeoutMs(baseline: Baseline): number {
  const hangs = baseline.targets.some(ranOutOfTime);
  return hangs ? Math.max(2_000, 2 * testTimeoutOf(baseline)) : 60_000;
}

interface Program {
  readonly tree: string;
  /** The files with counters. */
  readonly files: readonly string[];
}

/** A tree of the base with counters in each source file, except tests and files that must stay unchanged. */
async function instrumentBase(context: MeasurementContext, plain: ReadonlySet<string>): Promise<Program> {
  const { trees, base } = context.workspace;
  const entries = (await trees.list(base)).filter(
    ({ path, mode }) => isSourceFile(path) && mode !== "120000" && !plain.has(path),
  );
  const texts = await Promise.all(
    entries.map(async ({ path }) => ({ path, text: (await trees.read(base, path))?.toString("utf8") ?? "" })),
  );
  const changed = await instrumentFiles(texts);
  const tree = await trees.write(
    base,
    changed.map(({ path, text }) => ({ path, content: text })),
  );
  return { tree, files: changed.map(({ path }) => path) };
}
