import { z } from "zod";
import { candidateSchema } from "./candidate.ts";
import { solveReportSchema } from "./solve-report.ts";
import { taskSchema } from "./task.ts";

/** The phases that a run goes through, in this order; what a progress display shows. */
export const phaseSchema = z.enum(["prepare", "test", "localize", "repair", "verify"]);
export type Phase = z.infer<typeof phaseSchema>;

const time = { /** Milliseconds since the epoch. */ at: z.number() };
/** Of several strategies in a run, the one that it is of. */
const arm = { arm: z.string().optional() };

/**
 * A line of `events.jsonl`. The file is append-only and the only source of truth of a run: report, patch and progress are
 * derived from it, and `resume` goes on from it. Names are `noun-verb`.
 */
export const runEventSchema = z.discriminatedUnion("event", [
  z.object({
    event: z.literal("run-started"),
    ...time,
    run: z.string(),
    task: taskSchema,
    strategy: z.string(),
    sandbox: z.string(),
    /** How a strategy with a model decodes: temperature and the like; `sampled`: what it asks for more than once. */
    decoding: z.record(z.string(), z.unknown()).optional(),
  }),
  z.object({ event: z.literal("run-resumed"), ...time }),
  /** Of several strategies in a run, one begins. */
  z.object({
    event: z.literal("arm-started"),
    ...time,
    arm: z.string(),
    strategy: z.string(),
    decoding: z.record(z.string(), z.unknown()),
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
  }),
  /** `tokens`: input and output of all calls for it. */
  z.object({
    event: z.literal("action-ended"),
    ...time,
    ...arm,
    round: z.int().positive(),
    action: z.string(),
    failed: z.boolean(),
    calls: z.int(),
    tokens: z.int(),
    /** Of the calls whose price is known. */
    usd: z.number().optional(),
    /** Of one that failed: what it said, in a line. */
    why: z.string().optional(),
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
