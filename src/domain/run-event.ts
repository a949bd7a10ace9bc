import { z } from "zod";
import { candidateSchema } from "./candidate.ts";
import { outcomeSchema, solveReportSchema, usageSchema } from "./solve-report.ts";
import { kindChoiceSchema, taskSchema } from "./task.ts";

/** The phases that a run goes through, in this order; what a progress display shows. */
export const phaseSchema = z.enum(["prepare", "test", "localize", "repair", "verify"]);
export type Phase = z.infer<typeof phaseSchema>;

const time = { /** Milliseconds since the epoch. */ at: z.number() };
/** Of several strategies in a run, the one that it is of. */
const arm = { arm: z.string().optional() };

/**
 * The version of the schema, in a run's first event. Records without it are of version 1: they have no events of calls and of tools, and
 * figures in their `action-ended` instead.
 */
export const eventsVersion = "millwright.events/2";

/** Where a call happens. */
const scopeSchema = z.object({
  ...arm,
  /** The action that is going on. */
  round: z.int().positive().optional(),
  action: z.string().optional(),
  /** The order of the tool call that is going on. */
  within: z.int().positive().optional(),
  /** The conversation, within its arm. */
  thread: z.int().positive().optional(),
});
export type CallScope = z.infer<typeof scopeSchema>;

const modelCall = {
  ...time,
  ...scopeSchema.shape,
  /** The place among all calls of models and tools in the run. Start and end of a call have the same. */
  order: z.int().positive(),
  /** What it is for; `embedding` for vectors. */
  role: z.string(),
  model: z.string(),
  /** `calls/HANDLE.request.json` is the request, `calls/HANDLE.answer.json` its answer. */
  handle: z.string(),
  /** The number of the sample, where a request is made more than once. */
  sample: z.int().optional(),
};

const toolCall = {
  ...time,
  ...scopeSchema.shape,
  order: z.int().positive(),
  /** The order of the model's call that asked for it. */
  call: z.int().positive(),
  /** Its id in the model's answer, which has its arguments. */
  id: z.string(),
  tool: z.string(),
  /** The arguments in a line, for people. */
  about: z.string(),
};

/**
 * A line of `events.jsonl`. The file is append-only and the only source of truth of a run: report, patch and progress are
 * derived from it, and `resume` goes on from it. Names are `noun-verb`.
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
    /** How a strategy with a model decodes: temperature and the like; `sampled`: what it asks for more than once. */
    decoding: z.record(z.string(), z.unknown()).optional(),
  }),
  /** The task's kind was found, or corrected: the newest one holds. */
  z.object({ event: z.literal("kind-chosen"), ...time, ...kindChoiceSchema.shape }),
  /** `sandbox`: where it goes on, which may be another one. */
  z.object({ event: z.literal("run-resumed"), ...time, sandbox: z.string().optional() }),
  /** Of several strategies in a run, one begins. */
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
  /** The intent of a step: on disk before the step starts. */
  z.object({ event: z.literal("step-started"), ...time, step: z.string(), title: z.string() }),
  /** Its result. A step with an intent and no result is done again on resume, from its tree. */
  z.object({ event: z.literal("step-finished"), ...time, step: z.string(), result: z.unknown() }),
  z.object({ event: z.literal("candidate-created"), ...time, ...arm, candidate: candidateSchema }),
  /** A strategy with a model chose an action; `intent` is what it wants of it. */
  z.object({
    event: z.literal("action-started"),
    ...time,
    ...arm,
    round: z.int().positive(),
    action: z.string(),
    intent: z.string(),
    /** The order of the tool call by which a model chose it. */
    within: z.int().positive().optional(),
  }),
  z.object({
    event: z.literal("action-ended"),
    ...time,
    ...arm,
    round: z.int().positive(),
    action: z.string(),
    failed: z.boolean(),
    /** Of version 1: calls, their tokens, and what those cost whose price is known. */
    calls: z.int().optional(),
    tokens: z.int().optional(),
    usd: z.number().optional(),
    /** Of one that failed: what it said, in a line. */
    why: z.string().optional(),
  }),
  /** The intent of a model's call. One that is not followed by its end was interrupted, or is still waited for. */
  z.object({ event: z.literal("call-started"), ...modelCall }),
  /** An answer, or why there is none. It says all that `call-started` says: an answer that was recorded has no start. */
  z.object({
    event: z.literal("call-ended"),
    ...modelCall,
    /** The answer was read from a recording, and not asked for. */
    recorded: z.boolean(),
    /** From the request to its answer, waiting included. */
    ms: z.int().nonnegative(),
    /** Why the model stopped: `stop`, `calls`, `length`, `refused`, `other`. */
    finish: z.string().optional(),
    /** Why there is no answer. */
    failure: z.object({ kind: z.string(), message: z.string() }).optional(),
    /** The tools that the answer calls. */
    tools: z.array(z.object({ id: z.string(), tool: z.string() })),
    /** What was paid for it, attempts that failed included: 0 calls where it was paid for and counted before. */
    usage: usageSchema.extend({ unpriced: z.int().nonnegative() }),
    /** Attempts that failed and were made again. */
    retries: z.array(z.object({ because: z.string(), waitMs: z.number() })).optional(),
    /** Earlier replies of tools that the request shows shorter than they were. */
    condensed: z.object({ replies: z.int(), characters: z.int() }).optional(),
  }),
  /** The intent of a tool call. */
  z.object({ event: z.literal("tool-started"), ...toolCall }),
  z.object({
    event: z.literal("tool-ended"),
    ...toolCall,
    failed: z.boolean(),
    /** It ended the conversation. */
    last: z.literal(true).optional(),
    ms: z.int().nonnegative(),
    /** `outputs/OUTPUT.txt` is its whole reply. */
    output: z.string(),
    /** Of the whole reply. */
    characters: z.int(),
  }),
  /** An action of a fixed sequence that could not be done. */
  z.object({
    event: z.literal("action-skipped"),
    ...time,
    ...arm,
    round: z.int().nonnegative(),
    action: z.string(),
    why: z.string(),
  }),
  /** Work with actions does not get on, as `sign` says; `isHeld`: nothing but going back is done until it goes back. */
  z.object({
    event: z.literal("work-stuck"),
    ...time,
    ...arm,
    round: z.int().nonnegative(),
    sign: z.string(),
    isHeld: z.boolean(),
  }),
  /** A limit was met when so many steps and calls of models were made: a resumed run meets it there again, and not earlier. */
  z.object({
    event: z.literal("limit-reached"),
    ...time,
    ...arm,
    position: z.int().nonnegative(),
    text: z.string(),
  }),
  /** A candidate went through (a part of) the funnel. */
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

/** An event as code makes it: the recorder adds the time. */
export type NewRunEvent = RunEvent extends infer Event
  ? Event extends RunEvent
    ? Omit<Event, "at">
    : never
  : never;
