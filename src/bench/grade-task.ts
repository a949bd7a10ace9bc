/** Grades one candidate patch for one task: measures the patch in fresh checkouts, and judges the measurement. */
import { z } from "zod";
import { hashData } from "../base/hash.ts";
import { formatSize } from "../base/units.ts";
import type { TestFramework } from "../languages/contract.ts";
import type { GradedTask } from "./graded-task.ts";
import { gradeOutcomeSchema, type Verdict, verdictWithoutRun } from "./graders/contract.ts";
import type { Job } from "./job.ts";
import type { LogStore } from "./log-store.ts";
import type { Measurement } from "./measurement.ts";
import { type GradingOptions, type OpenTask, openTask } from "./open-task.ts";
import { extraVerdictSchema, type Judged, type Protocol, type Subject } from "./protocols/contract.ts";
import { protocolOf } from "./protocols/index.ts";
import { judgedAs, withoutLists } from "./protocols/without-runs.ts";
import type { ResultKind } from "./result-store.ts";
import { type EnvironmentRules, findEnvironment, identifyMeasured, identifyTask } from "./rules.ts";
import { findImage, identifyImage } from "./task-environment.ts";

const listVerdictSchema = z.object({ success: z.array(z.string()), failure: z.array(z.string()) });

export const gradeResultSchema = z.object({
  id: z.string(),
  outcome: gradeOutcomeSchema,
  reason: z.string(),
  failToPass: listVerdictSchema,
  passToPass: listVerdictSchema,
  unmatched: z.array(z.string()),
  ambiguous: z.array(z.string()),
  /** Files of tests and test configuration whose changes by the patch were ignored. */
  restored: z.array(z.string()),
  /** The outcome by the dataset's rule alone, which also accepts a patch that forges its tests' results. */
  byTests: gradeOutcomeSchema,
  /** Outcomes by the benchmark's further rules. */
  otherRules: z.array(z.object({ rule: z.string(), outcome: gradeOutcomeSchema, reason: z.string() })),
  /** Partial scores: shares from 0 to 1. */
  measures: z.record(z.string(), z.number()),
  /** The target's text with the patch, if the dataset's predictions contain this text. */
  target: z.string().optional(),
  /** The result of the extra tests; absent if the task has none, or the patch does not resolve it. */
  extra: extraVerdictSchema.optional(),
  seconds: z.number(),
});
export type GradeResult = z.infer<typeof gradeResultSchema>;

const gradeResult: ResultKind<GradeResult> = {
  schema: "millwright.bench-grade-task/3",
  type: gradeResultSchema,
};

export interface Candidate {
  /** The patch to grade; undefined if the agent produced no patch. */
  readonly patch: string | undefined;
  /** The reason why there is no patch, if known. */
  readonly because?: string | undefined;
}

/**
 * Makes the job that grades a patch. The job's key covers the patch, its size limit, the task with its rule, the
 * environment and the conditions. A change to any of these makes another job.
 */
export function gradeJob(
  task: GradedTask,
  candidate: Candidate,
  options: GradingOptions,
  conditions: unknown,
): Job<GradeResult> {
  const { patch, because } = candidate;
  const asked = [patch ?? null, ...(because === undefined ? [] : [because]), options.patchLimit];
  const identity = identifyTask(task, options.rules);
  return {
    get key() {
      return hashData([
        "grade",
        identity,
        conditions,
        asked,
        ...identifyImage(identity.environment, options),
      ]);
    },
    kind: gradeResult,
    execute: () => gradeTask(task, candidate, options),
    isFinal: ({ outcome }) => outcome !== "infrastructure-error",
    onError: (reason) => ungradable(task.task.id, reason),
  };
}

/** Grades a patch. Throws MillwrightError if the infrastructure fails, and AbortError if interrupted. */
async function gradeTask(
  task: GradedTask,
  candidate: Candidate,
  options: GradingOptions,
): Promise<GradeResult> {
  const started = performance.now();
  const { id } = task.task;
  const known = judgeUnrun(task, candidate, options.patchLimit);
  const patch = candidate.patch ?? "";
  if (known !== undefined) return makeResult(id, judgedAs(known));
  const open = await openTask(task, options);
  let result: GradeResult;
  try {
    result = await gradeOpen(open, task, patch);
  } finally {
    await open.close();
  }
  return { ...result, seconds: (performance.now() - started) / 1000 };
}

async function gradeOpen(open: OpenTask, task: GradedTask, patch: string): Promise<GradeResult> {
  const { options } = open;
  const whole = await measureWithDoubt(protocolOf(task.grader), { open, task, patch });
  const { logs, sandbox, rules } = options;
  const version = options.version ?? "";
  const image = findImage(findEnvironment(task, rules), options);
  const log = { id: task.task.id, sandbox: sandbox.provider.name, version, image, measurement: whole };
  await logs?.keep(logKey(task, patch, rules), log);
  return judgeMeasured(whole, task, options.frameworks);
}

/** Measures a patch. If the rule resolves the patch, also looks for doubts, and then runs the extra tests. */
export async function measureWithDoubt(
  protocol: Pick<Protocol, "measure" | "judge">,
  subject: Subject,
): Promise<Measurement> {
  const { open, task } = subject;
  const { measurement, findDoubt, runExtra } = await protocol.measure(subject);
  const { verdict } = await protocol.judge(measurement, task, open.options.frameworks);
  if (verdict.outcome !== "resolved") return measurement;
  const doubt = (await findDoubt?.(verdict)) ?? null;
  const more = doubt === null && runExtra !== undefined ? await runExtra() : {};
  return { ...measurement, runs: { ...measurement.runs, ...more }, doubt };
}

/** Judges a measurement with its doubt. Leaves a patch undecided if the rule resolves it but nobody looked for doubts. */
export async function judgeWithDoubt(
  protocol: Pick<Protocol, "judge">,
  measurement: Measurement,
  task: GradedTask,
  frameworks: readonly TestFramework[],
): Promise<Judged> {
  const judged = await protocol.judge(measurement, task, frameworks);
  if (judged.verdict.outcome !== "resolved") return judged;
  return { ...judged, verdict: weighDoubt(judged.verdict, measurement.doubt) };
}

/** Judges a patch without running tests; undefined if only tests can decide. */
export function judgeUnrun(
  { hidden, grader }: GradedTask,
  { patch, because }: Candidate,
  limit: number,
): Verdict | undefined {
  if (patch === undefined) return verdictWithoutRun("agent-error", because ?? "there is no prediction");
  if (patch.trim() === "") return verdictWithoutRun("unresolved", "the patch is empty");
  const bytes = Buffer.byteLength(patch);
  if (bytes > limit) {
    const sizes = `${formatSize(bytes)}, and the limit is ${formatSize(limit)}`;
    return verdictWithoutRun("agent-error", `the patch is too large: ${sizes} (--patch-limit)`);
  }
  return hidden.lists === undefined && protocolOf(grader).needsLists ? withoutLists : undefined;
}

/** Judges from the measurement alone. */
async function judgeMeasured(
  measurement: Measurement,
  task: GradedTask,
  frameworks: readonly TestFramework[],
): Promise<GradeResult> {
  const judged = await judgeWithDoubt(protocolOf(task.grader), measurement, task, frameworks);
  const { restored, target } = measurement;
  return {
    ...makeResult(task.task.id, judged, restored),
    ...(target === undefined ? {} : { target }),
  };
}

function weighDoubt(verdict: Verdict, doubt: string | null | undefined): Verdict {
  if (doubt === null) return verdict;
  if (doubt !== undefined) return { ...verdict, outcome: "unresolved", reason: doubt };
  const reason =
    "by these rules the patch resolves the task, but the log lacks the further checks that a resolved task needs: grade the patch again";
  return { ...verdict, outcome: "infrastructure-error", reason };
}

/**
 * Grades a patch from the log of an earlier grading, without running anything. The result is an infrastructure error if
 * the patch has no log, if the log is of an earlier image, or if the log lacks the checks of a resolved task. Throws
 * MillwrightError("disk") if the log cannot be read.
 */
export async function regrade(
  task: GradedTask,
  candidate: Candidate,
  {
    logs,
    rules,
    frameworks,
    patchLimit,
    imageIds,
  }: Pick<GradingOptions, "rules" | "frameworks" | "patchLimit"> & {
    readonly logs: LogStore;
    /** The images' ids by name, as far as they are known. */
    readonly imageIds: ReadonlyMap<string, string>;
  },
): Promise<GradeResult> {
  const known = judgeUnrun(task, candidate, patchLimit);
  if (known !== undefined) return makeResult(task.task.id, judgedAs(known));
  const log = await logs.find(logKey(task, candidate.patch ?? "", rules));
  if (log === undefined)
    return ungradable(
      task.task.id,
      `${logs.directory} has no log of this patch in this environment: grade the patch first`,
    );
  const { name = "", id } = log.image ?? {};
  if (id !== undefined && id !== (imageIds.get(name) ?? id))
    return ungradable(
      task.task.id,
      `the log is of an earlier image under the name ${name}: grade the patch again`,
    );
  return judgeMeasured(log.measurement, task, frameworks);
}

/** Returns the key of a measurement's log. Excludes the rules, the lists, and the place of the measurement. */
function logKey(task: GradedTask, patch: string, rules: EnvironmentRules): string {
  return hashData(["grading-log", identifyMeasured(task, rules), patch]);
}

export function makeResult(id: string, judged: Judged, restored: readonly string[] = []): GradeResult {
  const { verdict, official, others, measures, extra } = judged;
  const { outcome, reason, failToPass, passToPass, unmatched, ambiguous } = verdict;
  const copy = (list: Verdict["failToPass"]) => ({ success: [...list.success], failure: [...list.failure] });
  return {
    id,
    outcome,
    reason,
    failToPass: copy(failToPass),
    passToPass: copy(passToPass),
    unmatched: [...unmatched],
    ambiguous: [...ambiguous],
    restored: [...restored],
    byTests: official.outcome,
    otherRules: others.map((each) => ({ ...each })),
    measures: { ...measures },
    ...(extra === undefined || outcome !== "resolved" ? {} : { extra }),
    seconds: 0,
  };
}

/** Makes the result for a task that could not be graded through no fault of the patch: an infrastructure error. */
export function ungradable(id: string, reason: string): GradeResult {
  return makeResult(id, judgedAs(verdictWithoutRun("infrastructure-error", reason)));
}
