/** Checks one task: base, empty patch and gold patch, repeatedly, each kind in a checkout of its own. */
import { z } from "zod";
import { hashData } from "../base/hash.ts";
import type { GradedTask } from "./graded-task.ts";
import { layPatch } from "./graded-tree.ts";
import { gradeOutcomeSchema } from "./graders/contract.ts";
import { countStatuses } from "./graders/statuses.ts";
import type { Job } from "./job.ts";
import { judgeCheck } from "./judge-check.ts";
import { type GradingOptions, type OpenTask, openTask, withCheckout } from "./open-task.ts";
import type { ResultKind } from "./result-store.ts";
import { identifyTask } from "./rules.ts";
import { testListsSchema } from "./task.ts";
import type { TestPlan, TimedRun } from "./task-tests.ts";

const runSummarySchema = z.object({
  tree: z.enum(["base", "empty", "gold"]),
  counts: z.record(z.string(), z.number()),
  end: z.string(),
  invalid: z.string().optional(),
  seconds: z.number(),
});

const checkResultSchema = z.object({
  id: z.string(),
  state: z.enum(["fit", "unfit", "infrastructure-error"]),
  gold: gradeOutcomeSchema,
  empty: gradeOutcomeSchema,
  repeatsAgree: z.boolean(),
  listsFrom: z.enum(["task", "computed"]),
  lists: testListsSchema,
  computed: testListsSchema,
  goldFailures: z.array(z.string()),
  unmatched: z.array(z.string()),
  exceptions: z.array(z.string()),
  notes: z.array(z.string()),
  testCommand: z.string(),
  runs: z.array(runSummarySchema),
  seconds: z.number(),
});
export type CheckResult = z.infer<typeof checkResultSchema>;

const checkResult: ResultKind<CheckResult> = {
  schema: "millwright.bench-check-task/1",
  type: checkResultSchema,
};

export function checkJob(
  task: GradedTask,
  repeats: number,
  options: GradingOptions,
  conditions: unknown,
): Job<CheckResult> {
  return {
    key: hashData(["check", identifyTask(task, options.rules), repeats, conditions]),
    kind: checkResult,
    execute: () => checkTask(task, repeats, options),
    isFinal: ({ state }) => state !== "infrastructure-error",
    onError: (reason) => uncheckable(task.task.id, reason),
  };
}

/** Throws MillwrightError for infrastructure, and AbortError. */
async function checkTask(task: GradedTask, repeats: number, options: GradingOptions): Promise<CheckResult> {
  const started = performance.now();
  const open = await openTask(task, options);
  try {
    const { plan, base, empty } = await runWithoutFix(open, repeats);
    const patched = await layPatch(open.workspace.trees, open.trees, task.hidden.goldPatch);
    if (!patched.ok) throw new Error(`a patch that applied is rejected: ${patched.message}`);
    const gold = await runRepeatedly(open, patched.value.tree, plan, repeats);
    const judgement = judgeCheck({ base, empty, gold }, task);
    const { restored } = patched.value;
    const notes = [...open.notes, ...judgement.notes];
    if (restored.length > 0) notes.push(`the gold patch also changes tests: ${restored.join(", ")}`);
    return {
      id: task.task.id,
      ...judgement,
      goldFailures: [...judgement.goldFailures],
      unmatched: [...judgement.unmatched],
      exceptions: [...judgement.exceptions],
      notes,
      testCommand: plan.command.command,
      runs: [
        summarise("base", base),
        ...empty.map((run) => summarise("empty", run)),
        ...gold.map((run) => summarise("gold", run)),
      ],
      seconds: (performance.now() - started) / 1000,
    };
  } finally {
    await open.close();
  }
}

function runWithoutFix(
  open: OpenTask,
  repeats: number,
): Promise<{ plan: TestPlan; base: TimedRun; empty: TimedRun[] }> {
  return withCheckout(open, async (checkout) => {
    const plan = await open.plan(checkout);
    const base = await open.run(checkout, open.trees.base, plan);
    const empty: TimedRun[] = [];
    for (let time = 0; time < repeats; time += 1) {
      empty.push(await open.run(checkout, open.trees.tests, plan));
    }
    return { plan, base, empty };
  });
}

function runRepeatedly(open: OpenTask, tree: string, plan: TestPlan, repeats: number): Promise<TimedRun[]> {
  return withCheckout(open, async (checkout) => {
    const runs: TimedRun[] = [];
    for (let time = 0; time < repeats; time += 1) runs.push(await open.run(checkout, tree, plan));
    return runs;
  });
}

function summarise(tree: "base" | "empty" | "gold", run: TimedRun): z.infer<typeof runSummarySchema> {
  const { end, seconds, invalid } = run;
  return {
    tree,
    counts: countStatuses(run.outcomes),
    end,
    seconds,
    ...(invalid === undefined ? {} : { invalid }),
  };
}

/** The result of a task that could not be checked. */
function uncheckable(id: string, reason: string): CheckResult {
  const none = { failToPass: [], passToPass: [], flaky: [] };
  return {
    id,
    state: "infrastructure-error",
    gold: "infrastructure-error",
    empty: "infrastructure-error",
    repeatsAgree: false,
    listsFrom: "task",
    lists: none,
    computed: none,
    goldFailures: [],
    unmatched: [],
    exceptions: [reason],
    notes: [],
    testCommand: "",
    runs: [],
    seconds: 0,
  };
}
