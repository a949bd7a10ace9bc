/**
 * Defines one attempt of an agent at a task: the request to its process, the result, and the job that stores the
 * result.
 */
import { z } from "zod";
import { stateRequest } from "../agent/kinds/order-of.ts";
import { type Switches, switchesSchema } from "../agent/switches.ts";
import { hashData } from "../base/hash.ts";
import { noUsage, outcomeSchema, statedUsageSchema, strengthSchema } from "../domain/solve-report.ts";
import { taskKindSchema, taskSchema } from "../domain/task.ts";
import { modelFailureKinds } from "../llm/contract.ts";
import type { SandboxImage } from "../workspace/contract.ts";
import type { GradedTask } from "./graded-task.ts";
import type { Job } from "./job.ts";
import type { ResultKind } from "./result-store.ts";
import { type EnvironmentRules, findEnvironment, identifyAttempted } from "./rules.ts";
import {
  type EnvironmentOptions,
  type HeldEnvironment,
  holdEnvironment,
  identifyImage,
} from "./task-environment.ts";

/** The request for an attempt. The agent's process receives only these fields, so do not add hidden data. */
export const attemptRequestSchema = z.strictObject({
  schema: z.literal("millwright.attempt-request/1"),
  /** The run's id. Each attempt has a fixed id, so a repetition resumes an interrupted run. */
  run: z.string(),
  runsDirectory: z.string(),
  /** The process must discard the work of a run that began before this time (ISO 8601); absent: of none. */
  since: z.string().optional(),
  task: taskSchema
    .omit({ id: true, baseCommit: true })
    .extend({ kind: z.union([taskKindSchema, z.literal("auto")]) }),
  /** The agent's settings, in the form of a settings file. */
  settings: z.record(z.string(), z.unknown()),
  /** Disabled features; absent: none. */
  switches: switchesSchema.optional(),
});
export type AttemptRequest = z.infer<typeof attemptRequestSchema>;

export const attemptResultSchema = z.object({
  /** `ended`: the attempt wrote a report, with any content. */
  state: z.enum(["ended", "agent-error", "infrastructure-error"]),
  reason: z.string(),
  /** The kind of the model provider's failure, if it caused the infrastructure error. */
  outage: z.enum(modelFailureKinds).optional(),
  /** Empty if there is no patch. */
  patch: z.string(),
  /** The judgement of the agent's own gate. */
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

/** An agent under test: a strategy with its model and settings. */
export interface Arm {
  readonly strategy: string;
  /** Null for a strategy without a model. */
  readonly model: string | null;
  /** The arm's settings, in the form of a settings file, including the strategy and model. */
  readonly settings: Readonly<Record<string, unknown>>;
  /**
   * `auto`: Millwright withholds the task's kind, so the agent must determine it. Millwright begins the statement with
   * the kind's request, except for `repair` and `partial-fix`.
   */
  readonly kind?: "auto" | undefined;
  /** Features of the strategy that are disabled; absent: none. */
  readonly switches?: Switches | undefined;
}

export interface AttemptOptions {
  readonly environment: EnvironmentOptions;
  readonly rules: EnvironmentRules;
  readonly runsDirectory: string;
  readonly since?: string | undefined;
  /** Receives the task's open environment. The receiver must release it, after the grading that follows the attempt. */
  readonly hold: (environment: HeldEnvironment) => void;
  /** Conditions of attempts, besides the task and the arm. */
  readonly conditions: unknown;
  /**
   * Runs the attempt in a separate process. Throws MillwrightError if the infrastructure fails, and AbortError if the
   * signal stops it.
   */
  perform(request: AttemptRequest, signal: AbortSignal): Promise<AttemptResult>;
}

/** Makes the job of one attempt. `attempt`: the attempt's number, from 1. Attempts are independent of each other. */
export function attemptJob(
  graded: GradedTask,
  arm: Arm,
  attempt: number,
  options: AttemptOptions,
): Job<AttemptResult> {
  const { task } = graded;
  const asked = identifyAttempted(graded, options.rules);
  const { kind, switches } = arm;
  const request = kind === undefined ? undefined : stateRequest(task);
  const own = [kind, switches, request].filter((part) => part !== undefined);
  const inputs = ["attempt", asked, arm.settings, attempt, options.conditions, ...own];
  const keyNow = (): string => hashData([...inputs, ...identifyImage(asked, options.environment)]);
  // Agents can read the name of the run's folder in their mount table, so it does not contain the task's id.
  const nameRun = (): string => `${arm.strategy}-${attempt}-${keyNow().slice(0, 12)}`;
  return {
    get key() {
      return keyNow();
    },
    kind: attemptResult,
    async execute() {
      const place = findEnvironment(graded, options.rules);
      const environment = await holdEnvironment(task, place, options.environment);
      options.hold(environment);
      const request: AttemptRequest = {
        schema: "millwright.attempt-request/1",
        run: nameRun(),
        runsDirectory: options.runsDirectory,
        ...(options.since === undefined ? {} : { since: options.since }),
        task: shownTask(graded, environment.repository, arm),
        settings: { ...arm.settings, ...seedSettings(arm, attempt), ...imageSettings(environment.image) },
        ...(switches === undefined ? {} : { switches }),
      };
      return options.perform(request, options.environment.signal);
    },
    isFinal: ({ state }) => state !== "infrastructure-error",
    onError: (reason) => failedAttempt(nameRun(), "infrastructure-error", reason),
  };
}

/**
 * Gives each attempt its own seed: the first attempt has the arm's seed (default: 1), and each further attempt the next
 * number. Arms without a model have no seed.
 */
function seedSettings({ model, settings }: Arm, attempt: number): Record<string, unknown> {
  return model === null ? {} : { seed: Number(settings["seed"] ?? 1) + attempt - 1 };
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
  const { target, partialPatch, failingTests } = task;
  const kind = arm.kind ?? task.kind;
  const statement = arm.kind === undefined ? task.statement : stateRequest(task);
  return {
    ...{ kind, statement, repository },
    ...(target === undefined ? {} : { target }),
    ...(partialPatch === undefined ? {} : { partialPatch }),
    ...(failingTests === undefined ? {} : { failingTests: [...failingTests] }),
  };
}

/** Makes the result of an attempt that ended without a report. */
export function failedAttempt(
  run: string,
  state: "agent-error" | "infrastructure-error",
  reason: string,
  seconds = 0,
): AttemptResult {
  return { state, reason, patch: "", verdict: null, strength: null, run, seconds, usage: noUsage };
}
