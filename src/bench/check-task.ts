/**
 * Checks whether one task is fit. Runs the tests repeatedly on the base, with an empty patch and with the gold patch.
 * Each run has a separate checkout.
 */
import { z } from "zod";
import { hashData } from "../base/hash.ts";
import { judgeWithDoubt, measureWithDoubt } from "./grade-task.ts";
import type { GradedTask } from "./graded-task.ts";
import { layPatch } from "./graded-tree.ts";
import { gradeOutcomeSchema, type Verdict } from "./graders/contract.ts";
import { countStatuses } from "./graders/statuses.ts";
import type { Job } from "./job.ts";
import { judgeCheck, judgeVerdicts } from "./judge-check.ts";
import { describeMeasure } from "./measure-names.ts";
import { type GradingOptions, type OpenTask, openTask, withCheckout } from "./open-task.ts";
import type { Judged, Protocol, Subject } from "./protocols/contract.ts";
import { extraRun, judgeExtra, runExtraTests } from "./protocols/extra-tests.ts";
import { protocolOf } from "./protocols/index.ts";
import type { ResultKind } from "./result-store.ts";
import { identifyTask } from "./rules.ts";
import { testListsSchema } from "./task.ts";
import { identifyImage } from "./task-environment.ts";
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
  /** The origin of the test lists. `none`: the rule requires no lists. */
  listsFrom: z.enum(["task", "computed", "none"]),
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
  schema: "millwright.bench-check-task/2",
  type: checkResultSchema,
};

export function checkJob(
  task: GradedTask,
  repeats: number,
  options: GradingOptions,
  conditions: unknown,
): Job<CheckResult> {
  const asked = identifyTask(task, options.rules);
  return {
    get key() {
      return hashData(["check", asked, repeats, conditions, ...identifyImage(asked.environment, options)]);
    },
    kind: checkResult,
    execute: () => checkTask(task, repeats, options),
    isFinal: ({ state }) => state !== "infrastructure-error",
    onError: (reason) => uncheckable(task.task.id, reason),
  };
}

/** Checks one task. Throws MillwrightError if the infrastructure fails, and AbortError if interrupted. */
async function checkTask(task: GradedTask, repeats: number, options: GradingOptions): Promise<CheckResult> {
  const started = performance.now();
  const open = await openTask(task, options);
  const seconds = (): number => (performance.now() - started) / 1000;
  const { asks } = task.grader;
  try {
    if (asks === "hidden-tests") {
      const checked = await checkExtra(open, task, repeats, await checkLists(open, task, repeats));
      return { ...checked, seconds: seconds() };
    }
    const lists = protocolOf(task.grader).needsLists ? await checkLists(open, task, repeats) : undefined;
    const checked = await checkProtocol(protocolOf(task.grader), { open, task }, repeats, lists);
    return { ...checked, seconds: seconds() };
  } finally {
    await open.close();
  }
}

/** Checks a task whose rule needs more measurements: measures the gold patch like a prediction. */
export async function checkProtocol(
  { measure, measureEmpty, judge, gold }: Omit<Protocol, "needsLists" | "controls">,
  { open, task }: Omit<Subject, "patch">,
  repeats: number,
  listed: CheckResult | undefined,
): Promise<CheckResult> {
  if (listed !== undefined && listed.state !== "fit") return listed;
  const lists = listed?.lists ?? task.hidden.lists;
  const patch = gold(task.hidden);
  const known = { ...task, hidden: { ...task.hidden, lists } };
  const judged: Judged[] = [];
  const empty: Verdict[] = [];
  const { frameworks } = open.options;
  for (let time = 0; time < repeats; time += 1) {
    const measurement = await measureWithDoubt({ measure, judge }, { open, task: known, patch });
    judged.push(await judgeWithDoubt({ judge }, measurement, known, frameworks));
    if (measureEmpty === undefined) continue;
    const nothing = await measureEmpty(open, known);
    empty.push((await judge(nothing, known, frameworks)).verdict);
  }
  const start = listed ?? uncheckable(task.task.id, "");
  const verdicts = judged.map(({ verdict }) => verdict);
  const found = judgeVerdicts(verdicts, empty);
  return {
    ...start,
    ...found,
    empty: measureEmpty === undefined ? start.empty : found.empty,
    listsFrom: listed?.listsFrom ?? "none",
    exceptions: [...(listed?.exceptions ?? []), ...found.exceptions],
    notes: [...(listed?.notes ?? open.notes), ...describeMeasures(judged[0])],
  };
}

/** Checks that the gold patch of a fit task passes the task's extra tests in each run. */
async function checkExtra(
  open: OpenTask,
  task: GradedTask,
  repeats: number,
  checked: CheckResult,
): Promise<CheckResult> {
  const { extra, goldPatch } = task.hidden;
  if (extra === undefined || checked.state !== "fit") return checked;
  const verdicts = [];
  for (let time = 0; time < repeats; time += 1) {
    const run = await runExtraTests({ open, task, patch: goldPatch }, extra);
    verdicts.push(await judgeExtra({ runs: { [extraRun]: run } }, extra, open.options.frameworks));
  }
  const wrong = verdicts.filter((verdict) => verdict?.isOverfitted !== false);
  if (wrong.length === 0) return checked;
  const often = wrong.length === repeats ? "" : ` in ${wrong.length} of ${repeats} runs`;
  const because = `the gold patch does not pass the extra tests${often}: ${wrong[0]?.reason}`;
  const { exceptions } = checked;
  return {
    ...checked,
    state: "unfit",
    repeatsAgree: wrong.length === repeats,
    exceptions: [...exceptions, because],
  };
}

/** Describes the partial scores, as in `… (patchCoverage) 100 %`, and any differing verdicts of further rules. */
function describeMeasures(judged: Judged | undefined): string[] {
  if (judged === undefined) return [];
  const { measures, others } = judged;
  const shares = Object.entries(measures).map(
    ([name, share]) => `${describeMeasure(name)} ${Math.round(share * 100)} %`,
  );
  const differing = others.filter(({ outcome }) => outcome !== judged.verdict.outcome);
  return [
    ...(shares.length === 0 ? [] : [`partial scores of the gold patch: ${shares.join(", ")}`]),
    ...differing.map(({ rule, outcome, reason }) => `by ${rule} the gold patch is ${outcome}: ${reason}`),
  ];
}

async function checkLists(open: OpenTask, task: GradedTask, repeats: number): Promise<CheckResult> {
  const { plan, base, empty } = await runWithoutFix(open, repeats);
  const patched = await layPatch(open.workspace.trees, open.trees, task.hidden.goldPatch);
  if (!patched.ok)
    throw new Error(
      `the gold patch no longer applies, although it did when the task's trees were built: ${patched.message}`,
    );
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
    seconds: 0,
  };
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

/** Makes the result for a task that could not be checked. */
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
