/**
 * How many repair candidates are validated per second: many in one start of the tests (one program behind a switch, or swapped
 * into a running one) against a start for each, on the same proposals for the same failing tests, one after the other in one
 * run on one checkout. Prints a table; run with `npm run bench:repair`.
 * Arguments: repositories with failing tests (the project's own small ones), `--candidates N` (100), `--plain N` (12: as many
 * are also validated with a start of their own, spread over the others).
 */

import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { type Baseline, measureBaseline } from "../src/agent/measure/baseline.ts";
import { collectCoverage } from "../src/agent/measure/coverage.ts";
import { localizeFault } from "../src/agent/measure/localize-fault.ts";
import type { MeasurementContext } from "../src/agent/measure/measurement.ts";
import { openTestBench, type TestBench } from "../src/agent/measure/test-bench.ts";
import { findFramework } from "../src/languages/find-framework.ts";
import { testFrameworks } from "../src/languages/index.generated.ts";
import { selectSandbox } from "../src/sandbox/index.ts";
import { countPassed, timesFrom } from "../src/strategies/search-repair/funnel.ts";
import { listProposals } from "../src/strategies/search-repair/proposals.ts";
import { type Ranked, type Screening, screenProposals } from "../src/strategies/search-repair/screening.ts";
import { openWorkspace } from "../src/workspace/open-workspace.ts";

const root = join(import.meta.dirname, "..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    candidates: { type: "string", default: "100" },
    plain: { type: "string", default: "12" },
    sandbox: { type: "string", default: "auto" },
  },
});
const mostCandidates = Number(values.candidates);
const mostPlain = Number(values.plain);

interface Row {
  readonly repository: string;
  readonly framework: string;
  readonly candidates: number;
  /** Candidates per second. */
  readonly plain: number;
  readonly batch: number;
  /** Without a result: each needs a start of its own. */
  readonly open: number;
  /** Of those validated both ways, how many have the same result. */
  readonly agreeing: string;
}

type Prepared = { readonly repository: string; readonly remove: () => void };

/** The project's own repositories are copied, made git repositories, and get the packages that stand in our own folder. */
function prepare(repository: string): Prepared {
  if (existsSync(join(repository, ".git"))) return { repository, remove: () => {} };
  const folder = mkdtempSync(join(tmpdir(), "repair-bench-"));
  const copy = join(folder, basename(repository));
  cpSync(repository, copy, { recursive: true });
  if (existsSync(join(copy, "package.json"))) copyPackages(join(copy, "node_modules"));
  execFileSync("git", ["init", "--quiet"], { cwd: copy });
  writeFileSync(join(copy, ".git/info/exclude"), "node_modules\n");
  return { repository: copy, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A sandbox shows no link out of the repository. Linked file by file where that can be had: a workspace never writes them. */
function copyPackages(target: string): void {
  const source = realpathSync(join(root, "node_modules"));
  if (spawnSync("cp", ["-al", source, target]).status === 0) return;
  rmSync(target, { recursive: true, force: true });
  execFileSync("cp", ["-a", source, target]);
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
      testCommand: undefined,
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
  const bench = await openTestBench(context.workspace, testFrameworks, context.signal);
  const measured = await measureBaseline(context, bench);
  if (!measured.ok) throw new Error(`${repository}: ${measured.message}`);
  const baseline = measured.value;
  const framework = findFramework(testFrameworks, baseline.command);
  const coverage = await collectCoverage(context, bench, baseline, framework);
  const { ranked, regions } = await localizeFault(context, baseline, coverage);
  const failures = baseline.targets.flatMap((outcome) => outcome.failure ?? []);
  const proposals = await listProposals(context, ranked, failures, regions);
  const chunk = proposals.slice(0, mostCandidates).map((proposal, rank) => ({ proposal, rank }));
  const every = Math.max(1, Math.floor(chunk.length / mostPlain));
  const sample = chunk.filter((_, index) => index % every === 0).slice(0, mostPlain);

  const plain = await validatePlainly(context, bench, baseline, sample);
  const common = { repository: basename(repository), framework: framework.name, candidates: chunk.length };
  const perSecond = sample.length / plain.seconds;
  if (framework.batch === undefined || chunk.length === 0)
    return { ...common, plain: perSecond, batch: Number.NaN, open: chunk.length, agreeing: "" };
  const started = performance.now();
  const { results, remark } = await screenProposals(
    { context, bench, baseline, batch: framework.batch, coverage: new Map() },
    chunk,
  );
  if (remark !== undefined) console.error(remark);
  const seconds = (performance.now() - started) / 1000;
  return {
    ...common,
    plain: perSecond,
    batch: results.length / seconds,
    open: chunk.length - results.length,
    agreeing: compare(results, plain.passes),
  };
}

/** Each with a start of its own: laid as plain source, the failing tests run. */
async function validatePlainly(
  { workspace }: MeasurementContext,
  bench: TestBench,
  baseline: Baseline,
  sample: readonly Ranked[],
): Promise<{ seconds: number; passes: Map<number, boolean> }> {
  const times = timesFrom(baseline);
  const passes = new Map<number, boolean>();
  const started = performance.now();
  for (const { proposal, rank } of sample) {
    const tree = await workspace.trees.write(workspace.base, [
      { path: proposal.file, content: proposal.text },
    ]);
    const run = await bench.run(baseline.command, {
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
console.log("candidates per second, with a start for each and many in one start");
const widths = [24, 12, 11, 9, 9, 8, 6, 12];
const print = (cells: readonly string[]): void =>
  console.log(cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(""));
print(["repository", "framework", "candidates", "plain", "batch", "ratio", "open", "agreeing"]);
for (const given of repositories) {
  const { repository, remove } = prepare(positionals.length > 0 ? given : join(root, given));
  try {
    const row = await measure(repository);
    print([
      row.repository,
      row.framework,
      String(row.candidates),
      row.plain.toFixed(2),
      row.batch.toFixed(1),
      `${(row.batch / row.plain).toFixed(1)}×`,
      String(row.open),
      row.agreeing,
    ]);
  } catch (error) {
    console.log(`${basename(repository)}: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    remove();
  }
}
