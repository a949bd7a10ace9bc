/**
 * Determines the mutants that a set of tests notices. Runs many in one start if the framework supports it, and each
 * survivor in a separate start.
 */

import { z } from "zod";
import { countOf } from "../../base/count.ts";
import { hashData } from "../../base/hash.ts";
import {
  formatTestKey,
  isFailing,
  isUnbuilt,
  type TestKey,
  type TestOutcome,
} from "../../domain/test-outcome.ts";
import type { Batch, BatchReport, TestCommand, TestFramework } from "../../languages/contract.ts";
import { findFramework } from "../../languages/find-framework.ts";
import type { TreeStore } from "../../workspace/contract.ts";
import { moreTime } from "../../workspace/time-outs.ts";
import type { RunContext } from "../action.ts";
import { composeProgram, findCulprits } from "../measure/candidate-program.ts";
import { testTimeoutOf, usualTimeOf } from "../measure/measure-suite.ts";
import { cutSchema, limitedStep, type Reached } from "../record/limited-step.ts";
import type { TestExecutor } from "../suite.ts";
import { type Mutant, mutatedText } from "./list-mutants.ts";
import { placeMutants } from "./place-mutant.ts";

const verdictSchema = z.enum(["noticed", "survives", "unbuildable", "unknown"]);
/** The verdict on each mutant, in order. `unknown`: there was no time to run it. */
export type MutantVerdicts = z.infer<typeof verdictSchema>[];
const ranSchema = z.object({ verdicts: z.array(verdictSchema), ...cutSchema });
type Ran = z.infer<typeof ranSchema>;

/** The positions of mutants that did not run, for lack of time. */
const positionsSchema = z.array(z.int());
const reached: Reached<Ran> = {
  of: ({ verdicts }) => verdicts.flatMap((verdict, at) => (verdict === "unknown" ? [at] : [])),
  only: (ran) => ran,
  contains({ verdicts }, recorded) {
    const left = new Set(positionsSchema.safeParse(recorded).data);
    return verdicts.every((verdict, at) => verdict !== "unknown" || left.has(at));
  },
};

export interface MutationRun {
  /** A tree on which the tests pass. */
  readonly tree: string;
  readonly tests: readonly TestKey[];
  readonly mutants: readonly Mutant[];
  /**
   * Milliseconds for all mutants together. Default: the gate's time limit. A gate counts mutants that did not run as
   * unnoticed.
   */
  readonly budgetMs?: number;
  /**
   * The share of mutants that the tests must notice. If this is undecided at the end of the budget, more mutants run: a
   * busy machine runs few in time. In total, mutants run for at most four times the budget. They also use at most half
   * of the run's remaining time, if that is more than the budget.
   */
  readonly leastShare?: number;
}

/** Factor by which the run may exceed the budget while the result is undecided. */
const mostPatience = 4;
/** Milliseconds for all mutants together, and for the start of one run, in addition to the suite's own time. */
const usualBudgetMs = 150_000;
const startMs = 30_000;
/** Maximum builds of programs with many mutants. Mutants without a result then run separately. */
const mostBuilds = 5;
/** The number of the unchanged program, which runs in the same process. No mutant has this number. */
const unchangedId = 1_000_000;

/**
 * Runs a set of mutants with tests, and records the verdicts. A later call with the same set returns the record. It
 * repeats the run only if a time limit ended the run and more time is now left.
 */
export async function runMutants(context: RunContext, run: MutationRun): Promise<MutantVerdicts> {
  const { tree, tests, mutants, budgetMs = usualBudgetMs, leastShare } = run;
  const { executor, suite, workspace, frameworks, limits } = context;
  const mostMs = leastShare === undefined ? budgetMs : mostPatience * budgetMs;
  const usualMs = Math.max(budgetMs, Math.min(mostMs, limits.remainingMs() / 2));
  const options = {
    key: `mutants:${tree}:${hashData([tests, mutants.map(mutatedText)])}`,
    title: `run ${countOf(mutants.length, "mutant")}`,
    schema: ranSchema,
    usualMs,
    reached,
  };
  const ran = await limitedStep<Ran>(context, options, async (timeMs, recorded) => {
    const left = new Set(positionsSchema.safeParse(recorded?.reached).data);
    const on = {
      ...{
        executor,
        trees: workspace.trees,
        command: suite.command,
        durationMs: usualTimeOf(suite),
      },
      framework: findFramework(frameworks, suite.command),
      testTimeoutMs: testTimeoutOf(suite),
    };
    const tried = mutants.filter((_, at) => !left.has(at));
    // A replay runs exactly the mutants that the recorded run ran.
    const asked = recorded === undefined ? { ...run, budgetMs } : { tree, tests };
    const found = await runMutantsOn(on, { ...asked, mutants: tried }, timeMs);
    let next = 0;
    const verdicts = mutants.map((_, at) => (left.has(at) ? "unknown" : (found[next++] ?? "unknown")));
    return { result: { verdicts }, isCut: verdicts.includes("unknown") };
  });
  return ran.verdicts;
}

/** The environment in which mutants run. */
export interface MutationExecutor {
  readonly executor: Pick<TestExecutor, "run" | "runBatch">;
  readonly trees: TreeStore;
  readonly command: TestCommand;
  readonly framework: TestFramework;
  readonly testTimeoutMs: number;
  /** Duration of the tests without mutants, in milliseconds. */
  readonly durationMs: number;
}

/**
 * Runs as many mutants as fit into `timeMs` milliseconds. After `run.budgetMs`, continues only while it is undecided
 * whether the tests notice the share `run.leastShare`. The verdict on each mutant that did not run is `unknown`. If the
 * tree has other text on a mutant's lines, the verdict is `unbuildable`.
 */
export async function runMutantsOn(
  on: MutationExecutor,
  run: MutationRun,
  timeMs: number,
): Promise<MutantVerdicts> {
  const placed = await placeMutants(on.trees, run.tree, run.mutants);
  const mutants = placed.filter((mutant) => mutant !== undefined);
  const verdicts = (await runPlaced(on, { ...run, mutants }, timeMs)).values();
  return placed.map((mutant) =>
    mutant === undefined ? "unbuildable" : (verdicts.next().value ?? "unknown"),
  );
}

async function runPlaced(on: MutationExecutor, run: MutationRun, timeMs: number): Promise<MutantVerdicts> {
  const began = performance.now();
  const deadline = began + timeMs;
  const { mutants, budgetMs = timeMs, leastShare } = run;
  const budgetEnd = Math.min(deadline, began + budgetMs);
  const { batch } = on.framework;
  const together: ReadonlyMap<number, Observed> =
    batch === undefined || mutants.length < 2 ? new Map() : await runTogether(on, run, batch, budgetEnd);
  const verdicts: MutantVerdicts = [];
  /** True if the verdicts on the mutants from `index` on may still decide whether the tests notice enough mutants. */
  const isOpen = (index: number): boolean => {
    if (leastShare === undefined) return false;
    const known = mutants.map(
      (_, at) => verdicts[at] ?? (at < index ? undefined : together.get(at + 1)?.told),
    );
    const noticed = known.filter((told) => told === "noticed").length;
    const needed = leastShare * known.filter((told) => told !== "unbuildable").length;
    return noticed < needed && noticed + known.filter((told) => told === undefined).length >= needed;
  };
  for (const [index, mutant] of mutants.entries()) {
    const told = together.get(index + 1)?.told;
    if (told !== undefined) verdicts.push(told);
    else if (performance.now() > (isOpen(index) ? deadline : budgetEnd)) verdicts.push("unknown");
    else verdicts.push(await runAlone(on, run, mutant, deadline - performance.now()));
  }
  return verdicts;
}

async function runAlone(
  on: MutationExecutor,
  run: MutationRun,
  mutant: Mutant,
  leftMs: number,
): Promise<MutantVerdicts[number]> {
  const began = performance.now();
  const mutated = await on.trees.write(run.tree, [{ path: mutant.file, content: mutatedText(mutant) }]);
  const first = await tryMutant(on, run.tests, mutated, leftMs);
  if (first !== "late") return first;
  // A busy machine also delays tests, so a timeout must recur under a longer limit.
  const patient = { ...on, testTimeoutMs: moreTime * on.testTimeoutMs };
  const again = await tryMutant(patient, run.tests, mutated, leftMs - (performance.now() - began));
  return again === "late" ? "noticed" : again;
}

/** Runs the tests with one mutant. `late`: the test failed only because it exceeded Millwright's time limit. */
async function tryMutant(
  { executor, command, framework, testTimeoutMs, durationMs }: MutationExecutor,
  tests: readonly TestKey[],
  tree: string,
  leftMs: number,
): Promise<MutantVerdicts[number] | "late"> {
  const usualMs = startMs + 3 * durationMs;
  const timeoutMs = Math.max(1_000, Math.min(leftMs, usualMs));
  const selection = { kind: "tests", tests } as const;
  const asked = { tree, selection, testTimeoutMs, timeoutMs, stopAtFirstFailure: true };
  const { report, end } = await executor.run(command, asked);
  const failing = report.outcomes.filter(({ status }) => isFailing(status));
  if (failing.length > 0 && failing.every(isUnbuilt)) return "unbuildable";
  // A command that cannot select tests also reports others, which may fail without the mutant.
  const ids = new Set(tests.map(formatTestKey));
  const own = failing.filter(({ key }) => key.name === "" || ids.has(formatTestKey(key)));
  if (own.length > 0) return own.every(({ status }) => status === "timed-out") ? "late" : "noticed";
  const passed = tests.filter((key) => statusIn(report.outcomes, key) === "passed");
  if (passed.length === tests.length && report.invalid === undefined) return "survives";
  if (end !== "timed-out") return "noticed";
  // The program hung before its tests ended, unless the build was still running.
  const isBuilding = framework.builds === true && passed.length === 0;
  return leftMs > usualMs && !isBuilding ? "noticed" : "unknown";
}

function statusIn(outcomes: readonly TestOutcome[], key: TestKey): TestOutcome["status"] | undefined {
  const id = formatTestKey(key);
  return outcomes.find((outcome) => formatTestKey(outcome.key) === id)?.status;
}

type Told = "noticed" | "unbuildable";

export interface Observed {
  readonly told: Told;
  /** Tests that fail with the mutant, and pass without it in the same process. */
  readonly failing: readonly TestOutcome[];
}

/**
 * Runs the mutants together. Returns the results by mutant number, from 1. Mutants without a result must run alone.
 * `deadline`: milliseconds on the clock of `performance.now`.
 */
export async function runTogether(
  on: MutationExecutor,
  run: MutationRun,
  batch: Batch,
  deadline: number,
): Promise<ReadonlyMap<number, Observed>> {
  const told = new Map<number, Observed>();
  const numbered = run.mutants.map((mutant, index) => ({ ...mutant, id: index + 1 }));
  if (batch.kind === "swap") {
    readReport(await runBatch(on, run, batch, { tree: run.tree, open: numbered, deadline }), told);
    return told;
  }
  await runProgram(on, run, batch, { open: numbered, deadline, builds: { left: mostBuilds } }, told);
  return told;
}

interface ProgramPart {
  readonly open: readonly NumberedMutant[];
  readonly deadline: number;
  /** The budget of builds, shared by all parts. */
  readonly builds: { left: number };
}

/**
 * Runs the mutants in one program, and removes those that do not build. If a build error points to no mutant, runs each
 * half of the mutants in its own program.
 */
async function runProgram(
  on: MutationExecutor,
  run: MutationRun,
  batch: Batch,
  { open: asked, deadline, builds }: ProgramPart,
  told: Map<number, Observed>,
): Promise<void> {
  let open = asked;
  while (open.length > 0 && performance.now() < deadline && builds.left-- > 0) {
    const program = await composeProgram(on.trees, run.tree, open);
    open = open.filter(({ id }) => !program.left.has(id));
    const report = await runBatch(on, run, batch, { tree: program.tree, open, deadline });
    if (report.complaints.length === 0) return readReport(report, told);
    const culprits = findCulprits(program, report.complaints);
    if (culprits.size === 0) {
      const middle = Math.ceil(open.length / 2);
      if (open.length === 1) return;
      await runProgram(on, run, batch, { open: open.slice(0, middle), deadline, builds }, told);
      return runProgram(on, run, batch, { open: open.slice(middle), deadline, builds }, told);
    }
    for (const id of culprits) told.set(id, { told: "unbuildable", failing: [] });
    open = open.filter(({ id }) => !culprits.has(id));
  }
}

type NumberedMutant = Mutant & { readonly id: number };

interface BatchPart {
  readonly tree: string;
  readonly open: readonly NumberedMutant[];
  readonly deadline: number;
}

function runBatch(
  { executor, command, testTimeoutMs }: MutationExecutor,
  { tests }: MutationRun,
  batch: Batch,
  { tree, open, deadline }: BatchPart,
): Promise<BatchReport> {
  const [first] = open;
  const unchanged = first === undefined ? [] : [{ path: first.file, content: `${first.base}\n` }];
  return executor.runBatch(command, batch, {
    tree,
    tests,
    candidates: [
      ...open.map((mutant) => ({
        id: mutant.id,
        files: [{ path: mutant.file, content: mutatedText(mutant) }],
      })),
      { id: unchangedId, files: unchanged },
    ],
    testTimeoutMs,
    timeoutMs: Math.max(1_000, deadline - performance.now()),
    stopAtFirstFailure: false,
  });
}

/** Reads the results of one start. A test that also fails with the unchanged program proves nothing about a mutant. */
function readReport({ outcomes }: BatchReport, told: Map<number, Observed>): void {
  const unchanged = outcomes.get(unchangedId) ?? [];
  const passing = new Set(
    unchanged.filter(({ status }) => status === "passed").map(({ key }) => formatTestKey(key)),
  );
  for (const [id, own] of outcomes) {
    if (id === unchangedId) continue;
    const failing = own.filter(({ key, status }) => isFailing(status) && passing.has(formatTestKey(key)));
    // If tests only timed out beside others, the mutant also runs alone.
    if (failing.some(({ status }) => status !== "timed-out")) told.set(id, { told: "noticed", failing });
  }
}
