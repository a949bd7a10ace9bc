/** One attempt of an agent at a task: what its process is told, what it answers, and the job that keeps the answer. */
import { z } from "zod";
import { hashData } from "../base/hash.ts";
import { noUsage, outcomeSchema, statedUsageSchema, strengthSchema } from "../domain/solve-report.ts";
import { taskKindSchema, taskSchema } from "../domain/task.ts";
import type { SandboxImage } from "../workspace/contract.ts";
import type { GradedTask } from "./graded-task.ts";
import type { Job } from "./job.ts";
import type { ResultKind } from "./result-store.ts";
import { type EnvironmentRules, findEnvironment, identifyAttempted } from "./rules.ts";
import { type EnvironmentOptions, type HeldEnvironment, holdEnvironment } from "./task-environment.ts";

/** All that the agent's process gets: nothing hidden has a place here. */
export const attemptRequestSchema = z.strictObject({
  schema: z.literal("millwright.attempt-request/1"),
  /** Its run's id: the same for the same attempt, so that a killed one is gone on with. */
  run: z.string(),
  runsDirectory: z.string(),
  /** Forgets what an earlier process did of the run. */
  anew: z.boolean(),
  task: taskSchema
    .omit({ id: true, baseCommit: true })
    .extend({ kind: z.union([taskKindSchema, z.literal("auto")]) }),
  /** As a settings file has them. */
  settings: z.record(z.string(), z.unknown()),
});
export type AttemptRequest = z.infer<typeof attemptRequestSchema>;

export const attemptResultSchema = z.object({
  /** `ended`: with a report, whatever it says. */
  state: z.enum(["ended", "agent-error", "infrastructure-error"]),
  reason: z.string(),
  /** Empty where there is none. */
  patch: z.string(),
  /** What the agent's own gate says. */
  verdict: outcomeSchema.nullable(),
  strength: strengthSchema.nullable(),
  run: z.string(),
  seconds: z.number(),
  usage: statedUsageSchema,
});
export type AttemptResult = z.infer<typeof attemptResultSchema>;

const attemptResult: ResultKind<AttemptResult> = {
  schema: "millwright.attempt/1",
  type: attemptResultSchema,
};

/** What attempts are made by. */
export interface Arm {
  readonly strategy: string;
  /** Null for a strategy that asks none. */
  readonly model: string | null;
  /** As a settings file has them, the two among them. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Not told of the task's kind: it finds it, as one does that gets a description and a container. */
  readonly kind?: "auto";
}

export interface AttemptOptions {
  readonly environment: EnvironmentOptions;
  readonly rules: EnvironmentRules;
  readonly runsDirectory: string;
  readonly anew: boolean;
  /** Takes the environment over, to release it: what comes after the attempt needs it too. */
  readonly hold: (environment: HeldEnvironment) => void;
  /** What attempts depend on beside task and arm. */
  readonly conditions: unknown;
  /** Lets a process of its own make the attempt. Throws MillwrightError for infrastructure, and AbortError. */
  perform(request: AttemptRequest): Promise<AttemptResult>;
}

/** `attempt` counts from 1: each is made by itself. */
export function attemptJob(
  graded: GradedTask,
  arm: Arm,
  attempt: number,
  options: AttemptOptions,
): Job<AttemptResult> {
  const { task } = graded;
  const asked = identifyAttempted(graded, options.rules);
  const own = arm.kind === undefined ? [] : [arm.kind];
  const key = hashData(["attempt", asked, arm.settings, attempt, options.conditions, ...own]);
  const name = `${task.id}-${arm.strategy}-${attempt}`.replaceAll(/[^A-Za-z0-9]+/g, "-").slice(0, 80);
  const run = `${name.toLowerCase()}-${key.slice(0, 8)}`;
  return {
    key,
    kind: attemptResult,
    async execute() {
      const place = findEnvironment(graded, options.rules);
      const environment = await holdEnvironment(task, place, options.environment);
      options.hold(environment);
      return options.perform({
        schema: "millwright.attempt-request/1",
        run,
        runsDirectory: options.runsDirectory,
        anew: options.anew,
        task: shownTask(graded, environment.repository, arm),
        settings: { ...arm.settings, ...imageSettings(environment.image) },
      });
    },
    isFinal: ({ state }) => state !== "infrastructure-error",
    onError: (reason) => failedAttempt(run, "infrastructure-error", reason),
  };
}

function imageSettings(image: SandboxImage | undefined): Record<string, unknown> {
  if (image === undefined) return {};
  return {
    image: image.name,
    ...(image.root === undefined ? {} : { imageRoot: image.root }),
    ...(image.path === undefined ? {} : { imagePath: image.path.join(":") }),
  };
}

function shownTask({ task }: GradedTask, repository: string, arm: Arm): AttemptRequest["task"] {
  const { statement, target, partialPatch, failingTests } = task;
  const kind = arm.kind ?? task.kind;
  return {
    ...{ kind, statement, repository },
    ...(target === undefined ? {} : { target }),
    ...(partialPatch === undefined ? {} : { partialPatch }),
    ...(failingTests === undefined ? {} : { failingTests: [...failingTests] }),
  };
}

/** An attempt without a report. */
export function failedAttempt(
  run: string,
  state: "agent-error" | "infrastructure-error",
  reason: string,
  seconds = 0,
): AttemptResult {
  return { state, reason, patch: "", verdict: null, strength: null, run, seconds, usage: noUsage };
}
