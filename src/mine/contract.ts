/** Data that the mining steps pass on: a change of the history, its two patches, its task. */
import { z } from "zod";
import { commitSchema, discussionSchema, taskIdSchema, testListsSchema } from "../bench/task.ts";

/** A host's facts about a merged request. Times are in ISO 8601. */
const requestSchema = z.object({
  opened: z.string(),
  merged: z.string(),
  /** The commit with which the host compares the request, if known. */
  base: z.string().optional(),
  /** The newest commit of the request's own branch. */
  head: z.string(),
  labels: z.array(z.string()),
});

export const changeSchema = z.object({
  /** The change's id, which becomes the task's id. */
  id: taskIdSchema,
  /** `owner/name`. */
  repository: z.string(),
  /** The main branch's commit before the change. `commit`: the commit with the change. */
  base: commitSchema,
  commit: commitSchema,
  /** Time of arrival on the main branch, ISO 8601. */
  date: z.string(),
  subject: z.string(),
  /**
   * Evidence that the commits are one change: a merged request of the repository's host, a merge commit, `(#12)` of a
   * squash, a closing trailer, or a changelog entry. `commit`: only the commit itself. `seeded`: Millwright inserted a
   * fault.
   */
  foundBy: z.enum(["request", "merge", "squash", "trailer", "changelog", "commit", "seeded"]),
  /** The number of the change's merge request, if the history or the host names it. */
  number: z.int().optional(),
  /** The change's merge request, if Millwright read it from the repository's host. */
  request: requestSchema.optional(),
  /** Issues that the change closes, followed by issues that it names. */
  issues: z.array(z.int()),
  statement: z.string(),
  /**
   * `message`: the commit message, because there is no issue text. `failure`: a description of how tests fail with an
   * inserted fault.
   */
  statementFrom: z.enum(["issue", "message", "failure"]),
  /** Time of the issue's text, if it is later than the fix. The text may then reveal the fix. */
  lateText: z.string().optional(),
  /** The discussion of the statement's issues, if the issues have dates. */
  discussion: discussionSchema.optional(),
  /** Language of most changed source files; "" if there are none. */
  language: z.string(),
  /** Number of changed source files, recognised by their names. */
  code: z.int(),
});
export type Change = z.infer<typeof changeSchema>;

export const splitSchema = z.object({
  /** The patch that turns the commit into the base, for an inserted fault. */
  basePatch: z.string().optional(),
  goldPatch: z.string(),
  testPatch: z.string(),
  /** Source files that the fix changes. */
  codeFiles: z.array(z.string()),
  testFiles: z.array(z.string()),
  /** Files with hunks in both patches. */
  mixedFiles: z.array(z.string()),
  hunks: z.int(),
  /** Number of added and removed lines of the fix. */
  lines: z.int(),
});
export type Split = z.infer<typeof splitSchema>;

/** One attempt to set up the environment, with its result. */
export const attemptSchema = z.object({
  recipe: z.string(),
  setup: z.string().optional(),
  /** The result, as a sentence. */
  outcome: z.string(),
  works: z.boolean(),
  seconds: z.number(),
});
export type Attempt = z.infer<typeof attemptSchema>;

/**
 * Kinds of failures of a fail-to-pass test without the fix: an assertion failed, the test had another error, or a file
 * did not load or build.
 */
export const failureKindSchema = z.enum(["asserts", "errors", "does-not-build"]);

export const validationSchema = z.object({
  setup: z.string().optional(),
  testCommand: z.string(),
  framework: z.string(),
  /** Test files to run. If the list is empty, the command selects them. */
  runFiles: z.array(z.string()),
  lists: testListsSchema,
  /** The kind of failure of each fail-to-pass test. */
  failures: z.record(z.string(), failureKindSchema),
  attempts: z.array(attemptSchema),
  /** The variation of each repeat, or the reason why there was none. */
  repeats: z.array(z.string()),
  seconds: z.number(),
  notes: z.array(z.string()),
});
export type Validation = z.infer<typeof validationSchema>;

export const findingSchema = z.object({
  /** The check's name in kebab-case; see `review/`. */
  check: z.string(),
  /** The score, from 0 (bad) to 1 (good). */
  score: z.number(),
  /** True if the finding drops the task. */
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
  /** The lowest score of the findings. */
  score: z.number(),
  findings: z.array(findingSchema),
  /** A key that is equal for equivalent changes. */
  patchKey: z.string(),
});
export type Review = z.infer<typeof reviewSchema>;

/** A candidate with the results of the steps so far. */
export interface Candidate {
  readonly change: Change;
  readonly split?: Split;
  readonly validation?: Validation;
  readonly review?: Review;
}

export const stepNames = ["collect", "filter", "validate", "review", "publish"] as const;
export type StepName = (typeof stepNames)[number];

/**
 * The decisions of a step: to keep a candidate or to drop it with a reason, or else an infrastructure error. After an
 * error, the next run of the command tries the candidate again.
 */
export const verdictSchema = z.enum(["kept", "dropped", "error"]);

export type Outcome<T> =
  | { readonly verdict: "kept"; readonly value: T }
  | { readonly verdict: "dropped" | "error"; readonly cause: string; readonly detail: string };

export function outcomeOf<T>(type: z.ZodType<T>): z.ZodType<Outcome<T>> {
  const other = z.object({ verdict: z.enum(["dropped", "error"]), cause: z.string(), detail: z.string() });
  return z.union([z.object({ verdict: z.literal("kept"), value: type }), other]);
}

/**
 * Returns the fields of an outcome for a line of the ledger. If the candidate was not kept, these include cause and
 * detail.
 */
export function verdictLine(outcome: Outcome<unknown>) {
  const why = outcome.verdict === "kept" ? {} : { cause: outcome.cause, detail: outcome.detail };
  return { verdict: outcome.verdict, ...why };
}

export function keep<T>(value: T): Outcome<T> {
  return { verdict: "kept", value };
}

export function drop(cause: string, detail: string): Outcome<never> {
  return { verdict: "dropped", cause, detail };
}

/** Returns the repository's part of task ids, in the form of benchmarks: `acme__ledger`. */
export function idPrefix(repository: string): string {
  const name = repository.replaceAll("/", "__").replaceAll(/[^\w.+@-]/g, "-");
  return /^[A-Za-z0-9]/.test(name) ? name : `r${name}`;
}
