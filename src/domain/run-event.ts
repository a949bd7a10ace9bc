import { z } from "zod";
import { candidateSchema } from "./candidate.ts";
import { locationSchema } from "./location.ts";
import { outcomeSchema, solveReportSchema, usageSchema } from "./solve-report.ts";
import { kindChoiceSchema, taskSchema } from "./task.ts";

/** The phases of a run, in order, as progress displays show them. */
export const phaseSchema = z.enum(["prepare", "test", "localize", "repair", "verify"]);
export type Phase = z.infer<typeof phaseSchema>;

const time = { /** Milliseconds since the epoch. */ at: z.number() };
/** The strategy that the event belongs to, in a run of several strategies. */
const arm = { arm: z.string().optional() };

/**
 * The version of the events' schema, in a run's first event. A record without a version has version 1. That version has
 * no events of calls and tools; its `action-ended` events contain their figures.
 */
export const eventsVersion = "millwright.events/2";

/** The context of a call. */
const scopeSchema = z.object({
  ...arm,
  /** The number of the current action. */
  round: z.int().positive().optional(),
  action: z.string().optional(),
  /** The order of the current tool call. */
  within: z.int().positive().optional(),
  /** The conversation, within its arm. */
  thread: z.int().positive().optional(),
});
export type CallScope = z.infer<typeof scopeSchema>;

const modelCall = {
  ...time,
  ...scopeSchema.shape,
  /**
   * The position among all calls of models and tools in the run. The start and the end of a call have the same
   * position.
   */
  order: z.int().positive(),
  /** The call's role; `embedding` for vectors. */
  role: z.string(),
  model: z.string(),
  /** Names the files `calls/HANDLE.request.json` and `calls/HANDLE.answer.json`. */
  handle: z.string(),
  /** The number of the sample, if a request is made more than once. */
  sample: z.int().optional(),
};

const toolCall = {
  ...time,
  ...scopeSchema.shape,
  order: z.int().positive(),
  /** The order of the model call that made this tool call. */
  call: z.int().positive(),
  /** The tool call's id in the model's answer. The answer contains the arguments. */
  id: z.string(),
  tool: z.string(),
  /** The arguments in one line, for people. */
  about: z.string(),
};

/**
 * A line of `events.jsonl`. The file is append-only, and a run's only source of truth. Millwright derives report, patch
 * and progress from the file, and `resume` continues from it. An event's name has the form `noun-verb`.
 */
export const runEventSchema = z.discriminatedUnion("event", [
  z.object({
    event: z.literal("run-started"),
    ...time,
    schema: z.string().optional(),
    run: z.string(),
    task: taskSchema,
    strategy: z.string(),
    sandbox: z.string(),
    /**
     * The decoding settings of a strategy with a model, such as temperature. `sampled`: the requests that the strategy
     * makes more than once.
     */
    decoding: z.record(z.string(), z.unknown()).optional(),
  }),
  /** Millwright found or corrected the task's kind. The newest event counts. */
  z.object({ event: z.literal("kind-chosen"), ...time, ...kindChoiceSchema.shape }),
  /** `sandbox`: the sandbox in which the run continues, which may be a different one. */
  z.object({ event: z.literal("run-resumed"), ...time, sandbox: z.string().optional() }),
  /** One of several strategies in a run begins. */
  z.object({
    event: z.literal("arm-started"),
    ...time,
    arm: z.string(),
    strategy: z.string(),
    decoding: z.record(z.string(), z.unknown()),
  }),
  z.object({
    event: z.literal("arm-ended"),
    ...time,
    arm: z.string(),
    outcome: outcomeSchema,
    reason: z.string(),
  }),
  z.object({
    event: z.literal("workspace-opened"),
    ...time,
    base: z.string(),
    commit: z.string().optional(),
    files: z.int(),
  }),
  z.object({ event: z.literal("phase-started"), ...time, phase: phaseSchema, title: z.string() }),
  /** The start of a step. Millwright writes it to disk before the step starts. */
  z.object({ event: z.literal("step-started"), ...time, step: z.string(), title: z.string() }),
  /** The step's result. If a step has no result, a resumed run repeats the step from its tree. */
  z.object({ event: z.literal("step-finished"), ...time, step: z.string(), result: z.unknown() }),
  z.object({ event: z.literal("candidate-created"), ...time, ...arm, candidate: candidateSchema }),
  /** A strategy with a model chose an action; `intent` is the purpose that the model gave. */
  z.object({
    event: z.literal("action-started"),
    ...time,
    ...arm,
    round: z.int().positive(),
    action: z.string(),
    intent: z.string(),
    /** The order of the tool call by which a model chose the action. */
    within: z.int().positive().optional(),
  }),
  z.object({
    event: z.literal("action-ended"),
    ...time,
    ...arm,
    round: z.int().positive(),
    action: z.string(),
    failed: z.boolean(),
    /** Number of calls. Below: their tokens, and their cost as far as prices are known. Only in version 1. */
    calls: z.int().optional(),
    tokens: z.int().optional(),
    usd: z.number().optional(),
    /** The error in one line, if the action failed. */
    why: z.string().optional(),
  }),
  /** The start of a model call. Without an end event, the call was interrupted or is still waiting. */
  z.object({ event: z.literal("call-started"), ...modelCall }),
  /**
   * The answer to a model call, or the reason why there is none. The event repeats all fields of `call-started`,
   * because a recorded answer has no start event.
   */
  z.object({
    event: z.literal("call-ended"),
    ...modelCall,
    /** True if the answer came from a recording. */
    recorded: z.boolean(),
    /** Milliseconds from the request to its answer, including waits. */
    ms: z.int().nonnegative(),
    /** The reason why the model stopped: `stop`, `calls`, `length`, `refused`, `other`. */
    finish: z.string().optional(),
    /** The reason why there is no answer. */
    failure: z.object({ kind: z.string(), message: z.string() }).optional(),
    /** The tools that the answer calls. */
    tools: z.array(z.object({ id: z.string(), tool: z.string() })),
    /** The paid usage, including failed attempts; 0 calls if an earlier event counted it. */
    usage: usageSchema.extend({ unpriced: z.int().nonnegative() }),
    /** Failed attempts before a retry. */
    retries: z.array(z.object({ because: z.string(), waitMs: z.number() })).optional(),
    /** Earlier tool replies that the request shows in shortened form. */
    condensed: z.object({ replies: z.int(), characters: z.int() }).optional(),
  }),
  /** The start of a tool call. */
  z.object({ event: z.literal("tool-started"), ...toolCall }),
  z.object({
    event: z.literal("tool-ended"),
    ...toolCall,
    failed: z.boolean(),
    /** True if the tool call ended the conversation. */
    last: z.literal(true).optional(),
    ms: z.int().nonnegative(),
    /** Names the file `outputs/OUTPUT.txt` with the whole reply. */
    output: z.string(),
    /** The length of the whole reply. */
    characters: z.int(),
  }),
  /** An action of a fixed sequence that could not run. */
  z.object({
    event: z.literal("action-skipped"),
    ...time,
    ...arm,
    round: z.int().nonnegative(),
    action: z.string(),
    why: z.string(),
  }),
  /** The code that the run now considers responsible; the newest event of an arm counts. */
  z.object({
    event: z.literal("places-located"),
    ...time,
    ...arm,
    round: z.int().nonnegative(),
    action: z.string(),
    places: z.array(locationSchema.omit({ symbol: true })),
  }),
  /** The work makes no progress; `sign` says why. `isHeld`: the run blocks all actions until the model goes back. */
  z.object({
    event: z.literal("work-stuck"),
    ...time,
    ...arm,
    round: z.int().nonnegative(),
    sign: z.string(),
    isHeld: z.boolean(),
  }),
  /**
   * The run reached a limit. `position`: its steps and model calls until then. A resumed run reaches the limit at the
   * same position, not earlier.
   */
  z.object({
    event: z.literal("limit-reached"),
    ...time,
    ...arm,
    position: z.int().nonnegative(),
    text: z.string(),
  }),
  /** A candidate went through all stages of validation, or a part of them. */
  z.object({
    event: z.literal("candidate-judged"),
    ...time,
    candidate: z.string(),
    verdict: z.string(),
    rank: z.int(),
  }),
  z.object({
    event: z.literal("remark-made"),
    ...time,
    level: z.enum(["note", "warning"]),
    text: z.string(),
  }),
  z.object({ event: z.literal("run-interrupted"), ...time, reason: z.string() }),
  z.object({ event: z.literal("run-ended"), ...time, report: solveReportSchema, findings: z.unknown() }),
]);
export type RunEvent = z.infer<typeof runEventSchema>;

/** An event without its time, which the recorder adds. */
export type NewRunEvent = RunEvent extends infer Event
  ? Event extends RunEvent
    ? Omit<Event, "at">
    : never
  : never;
