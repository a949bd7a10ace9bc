/**
 * Measures the speed of validating repair candidates, in two ways. First as in a run, from the end of coverage: seconds
 * to the first candidate, and candidates per second including localisation, proposals, checkouts, and the whole suite
 * for passing candidates. Then batches alone: many candidates in one start of the tests (behind a switch, or swapped
 * into a running program) compared with one start per candidate. Both validate the same proposals for the same failing
 * tests, one after the other on one checkout. Prints a table; run with `npm run bench:repair`. Arguments: repositories
 * with failing tests (default: the project's own small ones), `--candidates N` (100), `--plain N` (12: the number of
 * candidates that also get a separate start, spread over all), `--test-command COMMAND`, `--only end-to-end`, `--only
 * batches`.
 */

import { globSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { type Baseline, measureBaseline } from "../src/agent/measure/baseline.ts";
import { type Coverage, collectCoverage } from "../src/agent/measure/coverage.ts";
import { localizeFault } from "../src/agent/measure/localize-fault.ts";
import type { MeasurementContext } from "../src/agent/measure/measurement.ts";
import { openTestExecutor } from "../src/agent/measure/test-executor.ts";
import { createLimits } from "../src/agent/record/limits.ts";
import type { TestExecutor } from "../src/agent/suite.ts";
import type { TestFramework } from "../src/languages/contract.ts";
import { findFramework } from "../src/languages/find-framework.ts";
import { testFrameworks } from "../src/languages/index.generated.ts";
import { selectSandbox } from "../src/sandbox/index.ts";
import { countPassed, timesFrom } from "../src/strategies/search-repair/funnel.ts";
import { changedText, openProposalQueue, type Ranked } from "../src/strategies/search-repair/proposals.ts";
import { type Screening, screenProposals } from "../src/strategies/search-repair/screening.ts";
import { openSearch } from "../src/strategies/search-repair/search.ts";
import { openWorkspace } from "../src/workspace/open-workspace.ts";
import { prepareRepository } from "./prepare-repository.ts";

const root = join(import.meta.dirname, "..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    candidates: { type: "string", default: "100" },
    plain: { type: "string", default: "12" },
    sandbox: { type: "string", default: "auto" },
    "test-command": { type: "string" },
    only: { type: "string", default: "" },
  },
});
const mostCandidates = Number(values.candidates);
const mostPlain = Number(values.plain);

interface Row {
  readonly repository: string;
  readonly framework: string;
  /** From the end of coverage to the first run of a candidate. */
  readonly firstSeconds: number;
  /** Candidates per second from the end of coverage on, and how many there were. */
  readonly endToEnd: number;
  readonly searched: number;
  readonly candidates: number;
  /** Candidates per second. */
  readonly plain: number;
  readonly batch: number;
  /** Without a result: each needs a start of its own. */
  readonly open: number;
  /** Of those validated both ways, how many have the same result. */
  readonly agreeing: string;
}

async function measure(repository: string): Promise<Row> {
  const { provider, availability } = await selectSandbox(values.sandbox);
  const directory = mkdtempSync(join(tmpdir(), "repair-bench-run-"));
  const workspace = await openWorkspace({
    repository,
    directory,
    runtimeDirectory: join(root, "src/languages/runtime"),
    sandbox: {
      provider,
      mounts: availability.mounts,
      owner: basename(directory),
      network: false,
      limits: { memoryBytes: 4 * 2 ** 30, cpus: 2, processes: 2000 },
    },
  });
  try {
    const context: MeasurementContext = {
      workspace,
      frameworks: testFrameworks,
      testCommand: values["test-command"],
      task: { statement: "" },
      signal: new AbortController().signal,
      recorder: { step: (_, execute) => execute() },
      limits: { remainingMs: () => Number.POSITIVE_INFINITY },
    };
    return await measureIn(context, repository);
  } finally {
    await workspace.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measureIn(context: MeasurementContext, repository: string): Promise<Row> {
  const executor = await openTestExecutor(context.workspace, testFrameworks, context.signal);
  const measured = await measureBaseline(context, executor);
  if (!measured.ok) throw new Error(`${repository}: ${measured.message}`);
  const baseline = measured.value;
  const framework = findFramework(testFrameworks, baseline.command);
  const coverage = await collectCoverage(context, executor, baseline, framework);
  const covered = { baseline, framework, coverage };
  const common = { repository: basename(repository), framework: framework.name };
  const searched =
    values.only === "batches"
      ? { firstSeconds: Number.NaN, endToEnd: Number.NaN, searched: 0 }
      : await measureEndToEnd(context, executor, covered);
  const batches =
    values.only === "end-to-end"
      ? { candidates: 0, plain: Number.NaN, batch: Number.NaN, open: 0, agreeing: "" }
      : await measureBatches(context, executor, covered);
  return { ...common, ...searched, ...batches };
}

interface Covered {
  readonly baseline: Baseline;
  readonly framework: TestFramework;
  readonly coverage: Coverage;
}

async function measureEndToEnd(
  context: MeasurementContext,
  executor: TestExecutor,
  { baseline, framework, coverage }: Covered,
): Promise<Pick<Row, "firstSeconds" | "endToEnd" | "searched">> {
  const started = performance.now();
  const seconds = (): number => (performance.now() - started) / 1000;
  let firstSeconds: number | undefined;
  const watch = (watched: TestExecutor): TestExecutor => ({
    ...watched,
    run(...given) {
      firstSeconds ??= seconds();
      return watched.run(...given);
    },
    runBatch(...given) {
      firstSeconds ??= seconds();
      return watched.runBatch(...given);
    },
  });
  const { ranked, regions, testTexts } = await localizeFault(context, baseline, coverage);
  const failures = baseline.targets.flatMap((outcome) => outcome.failure ?? []);
  const limits = createLimits({ maxMs: undefined, maxSteps: mostCandidates, usedMs: 0 });
  const opened: TestExecutor[] = [];
  const executorAt = async (index: number): Promise<TestExecutor> => {
    if (index === 0) return watch(executor);
    const another = await openTestExecutor(context.workspace, testFrameworks, context.signal);
    opened.push(another);
    return watch(another);
  };
  const queue = openProposalQueue({ ...context, limits }, { ranked, failures, regions, testTexts });
  const recorder = { step: context.recorder.step, append: () => {} };
  const search = openSearch(
    { ...context, recorder, limits, parallel: availableParallelism() },
    {
      executorAt,
      round: 1,
      baseline,
      isOneGroup: true,
      batch: framework.batch,
      coverage: coverage.tests,
      queue,
    },
  );
  const { tried } = await search.run({ takesPartial: false }).finally(() => queue.close());
  const endToEnd = tried.length / seconds();
  await Promise.all(opened.map((each) => each.close()));
  return { firstSeconds: firstSeconds ?? Number.NaN, endToEnd, searched: tried.length };
}

async function measureBatches(
  context: MeasurementContext,
  executor: TestExecutor,
  { baseline, framework, coverage }: Covered,
): Promise<Pick<Row, "candidates" | "plain" | "batch" | "open" | "agreeing">> {
  const { ranked, regions, testTexts } = await localizeFault(context, baseline, coverage);
  const failures = baseline.targets.flatMap((outcome) => outcome.failure ?? []);
  const queue = openProposalQueue(context, { ranked, failures, regions, testTexts });
  const chunk = await queue.take(mostCandidates).finally(() => queue.close());
  const every = Math.max(1, Math.floor(chunk.length / mostPlain));
  const sample = chunk.filter((_, index) => index % every === 0).slice(0, mostPlain);
  const plain = await validatePlainly(context, executor, baseline, sample);
  const perSecond = sample.length / plain.seconds;
  const common = { candidates: chunk.length, plain: perSecond };
  if (framework.batch === undefined || chunk.length === 0)
    return { ...common, batch: Number.NaN, open: chunk.length, agreeing: "" };
  const started = performance.now();
  const { results, remark } = await screenProposals(
    {
      context: { ...context, parallel: availableParallelism() },
      executor,
      baseline,
      batch: framework.batch,
      coverage: new Map(),
    },
    chunk,
  );
  if (remark !== undefined) console.error(remark);
  const seconds = (performance.now() - started) / 1000;
  return {
    ...common,
    batch: results.length / seconds,
    open: chunk.length - results.length,
    agreeing: compare(results, plain.passes),
  };
}

/** Each with a start of its own: laid as plain source, the failing tests run. */
async function validatePlainly(
  { workspace }: MeasurementContext,
  executor: TestExecutor,
  baseline: Baseline,
  sample: readonly Ranked[],
): Promise<{ seconds: number; passes: Map<number, boolean> }> {
  const times = timesFrom(baseline);
  const passes = new Map<number, boolean>();
  const started = performance.now();
  for (const { proposal, rank } of sample) {
    const tree = await workspace.trees.write(workspace.base, [
      { path: proposal.file, content: changedText(proposal) },
    ]);
    const run = await executor.run(baseline.command, {
      tree,
      selection: { kind: "tests", tests: baseline.targets.map((outcome) => outcome.key) },
      testTimeoutMs: times.testTimeoutMs,
      timeoutMs: times.targetsTimeoutMs,
    });
    passes.set(rank, countPassed(run.report.outcomes, baseline) === baseline.targets.length);
  }
  return { seconds: (performance.now() - started) / 1000, passes };
}

function compare(results: Screening["results"], plain: ReadonlyMap<number, boolean>): string {
  const both = results.filter(({ rank }) => plain.has(rank));
  const same = both.filter(({ rank, result }) => (result === "passes") === plain.get(rank));
  return `${same.length} of ${both.length}`;
}

const repositories =
  positionals.length > 0 ? positionals : globSync("tests/fixtures/repos/repair-*", { cwd: root }).sort();
console.log(
  "first s, searched, end to end: seconds from the end of coverage to the first candidate, candidates tried, candidates per second; the other columns: batches alone",
);
const widths = [24, 12, 8, 10, 10, 12, 9, 9, 8, 6, 12];
const print = (cells: readonly string[]): void =>
  console.log(cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(""));
print([
  "repository",
  "framework",
  "first s",
  "searched",
  "end to end",
  "candidates",
  "plain",
  "batch",
  "ratio",
  "open",
  "agreeing",
]);
/** A dash for a figure that was not measured, such as batches of a framework that has none. */
const say = (figure: number, digits: number, unit = ""): string =>
  Number.isNaN(figure) ? "–" : `${figure.toFixed(digits)}${unit}`;
for (const given of repositories) {
  const { repository, remove } = prepareRepository(positionals.length > 0 ? given : join(root, given));
  try {
    const row = await measure(repository);
    print([
      row.repository,
      row.framework,
      say(row.firstSeconds, 1),
      String(row.searched),
      say(row.endToEnd, 2),
      String(row.candidates),
      say(row.plain, 2),
      say(row.batch, 1),
      say(row.batch / row.plain, 1, "×"),
      String(row.open),
      row.agreeing,
    ]);
  } catch (error) {
    console.log(`${basename(repository)}: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    remove();
  }
}
