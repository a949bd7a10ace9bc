/** What the steps of mining hand on: a change of the history, its two patches, the task that it makes. */
import { z } from "zod";
import { commitSchema, taskIdSchema, testListsSchema } from "../bench/task.ts";

export const changeSchema = z.object({
  /** Of the task that it may become. */
  id: taskIdSchema,
  /** `owner/name`. */
  repository: z.string(),
  /** The main line before the change, and with it. */
  base: commitSchema,
  commit: commitSchema,
  /** When it came to the main line: ISO 8601. */
  date: z.string(),
  subject: z.string(),
  /** How it is known for one change: a merge commit, `(#12)` of a squash, a closing trailer, an entry of the changelog; else the commit alone. */
  foundBy: z.enum(["merge", "squash", "trailer", "changelog", "commit", "seeded"]),
  /** Of its merge request, where the history has it. */
  number: z.int().optional(),
  /** Issues that it closes, then those that it names. */
  issues: z.array(z.int()),
  statement: z.string(),
  /**
   * `message`: no text of an issue was given, so the author of the change wrote the statement; `failure`: it tells how tests fail with a fault
   * that was put in.
   */
  statementFrom: z.enum(["issue", "message", "failure"]),
  /** That most changed files of code have; "" where no such file is changed. */
  language: z.string(),
  /** Files of code that it changes, by their names. */
  code: z.int(),
});
export type Change = z.infer<typeof changeSchema>;

export const splitSchema = z.object({
  /** Makes the base of its commit, where a fault is put in. */
  basePatch: z.string().optional(),
  goldPatch: z.string(),
  testPatch: z.string(),
  /** Files of code that the fix changes. */
  codeFiles: z.array(z.string()),
  testFiles: z.array(z.string()),
  /** Files whose hunks are divided between both patches. */
  mixedFiles: z.array(z.string()),
  hunks: z.int(),
  /** Added and removed, of the fix. */
  lines: z.int(),
});
export type Split = z.infer<typeof splitSchema>;

/** One way to make the environment, and what came of it. */
export const attemptSchema = z.object({
  recipe: z.string(),
  setup: z.string().optional(),
  /** A sentence. */
  outcome: z.string(),
  works: z.boolean(),
  seconds: z.number(),
});
export type Attempt = z.infer<typeof attemptSchema>;

/** Why a fail-to-pass test did not pass before: an assertion or error in it, or its file did not load or build. */
export const failureKindSchema = z.enum(["asserts", "errors", "does-not-build"]);

export const validationSchema = z.object({
  setup: z.string().optional(),
  testCommand: z.string(),
  framework: z.string(),
  /** Files of tests that are run; none: all that the command selects. */
  runFiles: z.array(z.string()),
  lists: testListsSchema,
  /** By fail-to-pass test. */
  failures: z.record(z.string(), failureKindSchema),
  attempts: z.array(attemptSchema),
  /** What the repeats varied, or why they could not. */
  repeats: z.array(z.string()),
  seconds: z.number(),
  notes: z.array(z.string()),
});
export type Validation = z.infer<typeof validationSchema>;

export const findingSchema = z.object({
  /** kebab-case, see `review/`. */
  check: z.string(),
  /** 0 is bad, 1 is good. */
  score: z.number(),
  /** A task with such a finding is dropped. */
  isBad: z.boolean(),
  reason: z.string(),
});
export type Finding = z.infer<typeof findingSchema>;

export const primaryTypes = [
  "bug-fix",
  "feature",
  "api-evolution",
  "error-handling",
  "performance",
  "other",
] as const;

export const reviewSchema = z.object({
  type: z.enum(primaryTypes),
  /** The lowest of the findings. */
  score: z.number(),
  findings: z.array(findingSchema),
  /** Equal for changes that do the same. */
  patchKey: z.string(),
});
export type Review = z.infer<typeof reviewSchema>;

/** What is known of a candidate after each step. */
export interface Candidate {
  readonly change: Change;
  readonly split?: Split;
  readonly validation?: Validation;
  readonly review?: Review;
}

export const stepNames = ["collect", "filter", "validate", "review", "publish"] as const;
export type StepName = (typeof stepNames)[number];

/** A step keeps a candidate, or drops it and says why; an infrastructure error is neither, and is tried again by the next start. */
export const verdictSchema = z.enum(["kept", "dropped", "error"]);

export type Outcome<T> =
  | { readonly verdict: "kept"; readonly value: T }
  | { readonly verdict: "dropped" | "error"; readonly cause: string; readonly detail: string };

export function keep<T>(value: T): Outcome<T> {
  return { verdict: "kept", value };
}

export function drop(cause: string, detail: string): Outcome<never> {
  return { verdict: "dropped", cause, detail };
}
