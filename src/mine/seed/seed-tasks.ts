/**
 * Makes tasks from faults in a repository with good tests. Screens many faults in one start of the tests, and then runs
 * the whole suite with each noticed fault.
 */
import { z } from "zod";
import type { Mutant } from "../../agent/mutants/list-mutants.ts";
import { runTogether } from "../../agent/mutants/run-mutants.ts";
import type { TestExecutor } from "../../agent/suite.ts";
import { hashData } from "../../base/hash.ts";
import { executeJob } from "../../bench/job.ts";
import { runPool } from "../../bench/pool.ts";
import { withTestExecutor } from "../../bench/protocols/measuring-executor.ts";
import type { TimedRun } from "../../bench/task-tests.ts";
import { testOutcomeSchema } from "../../domain/test-outcome.ts";
import { linesOfSpans, readTestRegions } from "../../judging/test-regions.ts";
import { type Candidate, type Change, drop, idPrefix, keep, type Outcome, type Split } from "../contract.ts";
import type { HistoryTrees } from "../history-trees.ts";
import { patchKey } from "../review/duplicates.ts";
import { judgeLeakage } from "../review/leakage.ts";
import type { MineRequest } from "../settings.ts";
import { groupFaults } from "./group-faults.ts";
import { listFaults } from "./list-faults.ts";
import { openSuite, type Suite } from "./open-suite.ts";
import { type Part, type Seeded, seededOutcome, tryFaults } from "./try-fault.ts";

export interface SeedRequest extends Omit<MineRequest, "onStep"> {
  readonly trees: HistoryTrees;
  /** Number of tasks to make, and of faults in each task. */
  readonly count: number;
  readonly faults: number;
  note(id: string, key: string, outcome: Outcome<unknown>, language: string): void;
}

/**
 * Puts faults into the newest commit, and makes at most `count` tasks from faults that the tests notice. Makes a task
 * with several faults only from faults that also make a task alone. Throws like `openSuite`.
 */
export async function seedTasks(request: SeedRequest): Promise<Candidate[]> {
  const suite = await openSuite(request);
  try {
    return await withTestExecutor(suite.open, (executor) => seedInto(request, suite, executor));
  } finally {
    await suite.open.close();
  }
}

/** Number of faults to try per task, because tests miss many. */
const faultsPerTask = 4;
const chunkSize = 40;
/** Time limit for a chunk, in milliseconds. */
const chunkMs = 10 * 60_000;
const mostTests = 2000;

const noticedSchema = z.array(
  z.object({ at: z.int(), told: z.enum(["noticed", "unbuildable"]), failing: z.array(testOutcomeSchema) }),
);
type Noticed = z.infer<typeof noticedSchema>;

/** Number of single faults per fault of a combined task, because faults can hide each other. */
const spareSingles = 1.2;

interface Made {
  readonly fault: Mutant;
  readonly task: Candidate;
}

async function seedInto(request: SeedRequest, suite: Suite, executor: TestExecutor): Promise<Candidate[]> {
  const { count, faults: size } = request;
  if (size === 1) return (await seedSingles(request, suite, executor)).map(({ task }) => task);
  const singles = await seedSingles(
    {
      ...{ ...request, count: Math.ceil(count * size * spareSingles) },
      note: (...told) => told[2].verdict !== "kept" && request.note(...told),
    },
    ...[suite, executor],
  );
  const kept: Candidate[] = [];
  for (const group of groupFaults(singles, size)) {
    if (kept.length === count) break;
    const parts = group.map(({ fault, task }) => {
      return { fault, failToPass: new Set(task.validation?.lists.failToPass) };
    });
    const task = settle(request, await makeTask(request, suite, parts, 0), kept);
    if (task !== undefined) kept.push(task);
  }
  return kept;
}

/** Makes tasks of one fault each. */
async function seedSingles(request: SeedRequest, suite: Suite, executor: TestExecutor): Promise<Made[]> {
  const { count, settings, workers } = request;
  const { trees } = suite.open.workspace;
  const tree = suite.open.trees.base;
  const files = (await trees.list(tree)).map(({ path }) => path);
  const read = async (path: string) => (await trees.read(tree, path))?.toString("utf8");
  const { run, plan } = suite;
  const regions = await readTestRegions({ files, read, outcomes: run.outcomes, framework: plan.framework });
  const isTest = async (path: string, text: string) => {
    const lines = linesOfSpans(text, await regions.spansIn(path, text));
    return (line: number): boolean => lines.has(line);
  };
  const faults = await listFaults({ store: trees, tree, isTest }, count * faultsPerTask, settings.seed);
  const kept: Made[] = [];
  for (let start = 0; start < faults.length && kept.length < count; start += chunkSize) {
    const chunk = faults.slice(start, start + chunkSize);
    const noticed = (await observe(request, suite, executor, chunk)).filter(({ told }) => told === "noticed");
    for (let at = 0; at < noticed.length && kept.length < count; ) {
      const wanted = noticed.slice(at, at + count - kept.length);
      at += wanted.length;
      const made = await runPool(wanted, {
        ...{ workers, retries: 0, signal: request.options.signal },
        work: async ({ at: index, failing }) => {
          const fault = chunk[index];
          if (fault === undefined) throw new Error("a result names no fault of its chunk");
          const parts = [{ fault, failToPass: undefined }];
          return { fault, tried: await makeTask(request, suite, parts, failing.length) };
        },
        isRetried: () => false,
        onResult: () => {},
      });
      for (const { fault, tried } of made) {
        const own = kept.map(({ task }) => task);
        const task = settle(request, tried, own);
        if (task !== undefined) kept.push({ fault, task });
      }
    }
  }
  return kept;
}

/**
 * Returns the test results for a chunk's faults, from one start of the tests. If a start costs little, or if this start
 * fails, counts each fault as noticed: the tests then run with each fault alone.
 */
export async function observe(
  { store, options, conditions }: SeedRequest,
  { open, plan, run, recipe }: Suite,
  executor: TestExecutor,
  chunk: readonly Mutant[],
): Promise<Noticed> {
  const tests = run.outcomes
    .filter(({ status }) => status === "passed")
    .slice(0, mostTests)
    .map(({ key }) => key);
  const {
    trees: { base: tree },
    workspace,
  } = open;
  const { batch } = plan.framework;
  const all: Noticed = chunk.map((_, at) => ({ at, told: "noticed", failing: [] }));
  const { result } = await executeJob<Noticed>(
    {
      key: hashData([
        "mine-faults",
        tree,
        chunk.map((each) => [each.file, each.start, each.end, each.replacement]),
        ...[conditions, recipe, plan.command],
      ]),
      kind: { schema: "millwright.mine-faults/1", type: noticedSchema },
      async execute() {
        if (batch === undefined || !isStartDear(run)) return all;
        const on = {
          ...{ executor, trees: workspace.trees, command: plan.command, framework: plan.framework },
          ...{ testTimeoutMs: faultTimeoutOf(run), durationMs: run.seconds * 1000 },
        };
        const found = await runTogether(
          on,
          { tree, tests, mutants: chunk },
          batch,
          performance.now() + chunkMs,
        );
        return [...found].map(([id, { told, failing }]) => ({ at: id - 1, told, failing: [...failing] }));
      },
      isFinal: (noticed) => noticed !== all,
      onError: () => all,
    },
    store,
    options.signal,
  );
  return result;
}

/**
 * True if starts are slow compared with the tests. Otherwise, one start for many faults saves nothing, because the
 * tests run again with each detected fault.
 */
function isStartDear({ outcomes, seconds }: TimedRun): boolean {
  const testMs = outcomes.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return testMs < (seconds * 1000) / 2;
}

/**
 * Returns the time limit for a test in milliseconds: ten times the slowest test's usual time, plus a few seconds. Many
 * faults cause endless loops.
 */
function faultTimeoutOf({ outcomes }: TimedRun): number {
  return 3_000 + 10 * Math.max(0, ...outcomes.map(({ durationMs }) => durationMs));
}

/** The verdict on the task of one or several faults. */
interface Tried {
  readonly id: string;
  readonly key: string;
  readonly language: string;
  readonly outcome: Outcome<Candidate>;
}

/** Notes the verdict, and returns the task. Drops a task with the statement of a kept task. */
export function settle(
  { note }: Pick<SeedRequest, "note">,
  { id, key, language, outcome }: Tried,
  kept: readonly Candidate[],
): Candidate | undefined {
  const task = outcome.verdict === "kept" ? outcome.value : undefined;
  const same = kept.find(({ change }) => change.statement === task?.change.statement);
  const settled =
    same === undefined ? outcome : drop("duplicate", `${same.change.id} has the same statement`);
  note(id, key, settled, language);
  return settled.verdict === "kept" ? settled.value : undefined;
}

export async function makeTask(
  request: SeedRequest,
  suite: Suite,
  parts: readonly Part[],
  noticed: number,
): Promise<Tried> {
  const { store, options, conditions, settings } = request;
  const { change, recipe, plan } = suite;
  const places = parts.flatMap(({ fault: { file, start, end, replacement } }) => [
    file,
    start,
    end,
    replacement,
  ]);
  const id = `${idPrefix(settings.repository)}-fault-${hashData([change.commit, ...places]).slice(0, 10)}`;
  const key = hashData(["mine-seeded", change.commit, ...places, conditions, recipe, plan.command]);
  const { result } = await executeJob<Outcome<Seeded>>(
    {
      key,
      kind: { schema: "millwright.mine-seeded/1", type: seededOutcome },
      execute: () => tryFaults(suite, parts, noticed),
      isFinal: ({ verdict }) => verdict !== "error",
      onError: (detail) => ({ verdict: "error", cause: "infrastructure", detail }),
    },
    store,
    options.signal,
  );
  const tried = { id, key, language: change.language };
  if (result.verdict !== "kept") return { ...tried, outcome: result };
  const { statement, validation, basePatch, goldPatch, testPatch, testFiles } = result.value;
  const split: Split = {
    ...{ basePatch, goldPatch, testPatch, testFiles, mixedFiles: [] },
    codeFiles: [...new Set(parts.map(({ fault }) => fault.file))],
    ...{ hunks: parts.length, lines: 2 * parts.length },
  };
  const own: Change = { ...change, id, statement, subject: statement.split("\n")[0] ?? "" };
  const leakage = judgeLeakage(own, split);
  if (leakage.isBad) return { ...tried, outcome: drop("leakage", leakage.reason) };
  const review = {
    type: "bug-fix" as const,
    score: leakage.score,
    findings: [leakage],
    patchKey: patchKey(split),
  };
  return { ...tried, outcome: keep({ change: own, split, validation, review }) };
}
