/** The parts of a benchmark's task: what a solver sees, its environment, and what only the grader sees. */
import { z } from "zod";
import type { TaskKind } from "../domain/task.ts";
import type { TestStatus } from "../domain/test-outcome.ts";

/** Lists of test ids, as the dataset or the user's file has them. `test-ids.ts` matches the ids with tests. */
export const testListsSchema = z.strictObject({
  /** Tests that fail without the fix and pass with it. */
  failToPass: z.array(z.string()),
  /** Tests that pass without the fix and with it. */
  passToPass: z.array(z.string()),
  /** Tests with different results on the same tree; excluded from both lists. */
  flaky: z.array(z.string()).default([]),
});
export type TestLists = z.infer<typeof testListsSchema>;

/**
 * Tests beyond those that grade the task. They decide whether a patch that resolves the task is overfitted to the
 * grading tests.
 */
export const extraTestsSchema = z
  .strictObject({
    /** Unified diff that adds the tests to the base with the test patch. */
    patch: z.string().min(1).optional(),
    /** The deciding tests; default: the tests that pass with the gold patch. */
    ids: z.array(z.string()).min(1).optional(),
    /** The files to run; default: the files of the patch, or else whatever the test command selects. */
    files: z.array(z.string()).min(1).optional(),
  })
  .refine(({ patch, ids }) => patch !== undefined || ids !== undefined, "needs a patch or ids");
export type ExtraTests = z.infer<typeof extraTestsSchema>;

/**
 * The part of a task that a solver may see. Millwright adds the checkout's path and the commit when an attempt begins.
 */
export interface DatasetTask {
  /** Limited to characters valid in file names; see `taskIdSchema`. */
  readonly id: string;
  readonly kind: TaskKind;
  readonly statement: string;
  /** `owner/name`, or only a name. */
  readonly repository: string;
  /** A full id, or an abbreviated one (7 digits or more), which the repository completes. */
  readonly baseCommit: string;
  /** The project's version at the base, or "" if the row does not have it. */
  readonly version: string;
  /** `FILE:SYMBOL`, for kinds that have a target. */
  readonly target?: string;
  /** The failed attempt of a partial fix. */
  readonly partialPatch?: string;
  /** The base's failing tests that the patch must repair, if the task names them. */
  readonly failingTests?: readonly string[];
}

/** The recipe for the environment of a task's base. The user's rules take precedence. */
export interface EnvironmentRecipe {
  /**
   * Unified diff that turns the commit into the base, for an injected fault that is not a commit. A solver gets one
   * commit of the result. It does not get the history, which would reveal the patch.
   */
  readonly basePatch?: string;
  /** Shell command, run in the repository's root with network access. */
  readonly setup?: string | undefined;
  /** Globs of files that must not be in the base, such as answers. */
  readonly remove?: readonly string[];
  /** The benchmark's published image for the task, used if the user asks for it. */
  readonly image?: PublishedImage;
}

/** An image that contains the project at the task's base commit, with everything that its tests need. */
export interface PublishedImage {
  /** The image's name in the notation of registry clients: `owner/name:tag`. */
  readonly name: string;
  /** The project's folder in the image. */
  readonly root: string;
  /** Folders to put first on the image's PATH. */
  readonly path?: readonly string[];
}

/** The part of a task that only the grader's process may see. */
export interface HiddenPart {
  readonly goldPatch: string;
  /** The diff that adds the tests; empty if the tests are already in the base. */
  readonly testPatch: string;
  readonly tests: {
    /** The test command; undefined if Millwright has to detect it. */
    readonly command: string | undefined;
    /**
     * The files to run. If the list is empty, the command selects them; a detected command runs the test patch's files.
     */
    readonly files: readonly string[];
    /** Time limit for one run in milliseconds, if the file sets a limit. */
    readonly limitMs: number | undefined;
    /** True if the rule needs every test of the project. A detected command then runs them all. */
    readonly all?: boolean;
  };
  /** The official log parser, if the row names one. */
  readonly logParser?: string | undefined;
  /** The lists of tests; undefined if Millwright must compute them. */
  readonly lists: TestLists | undefined;
  /** Tests that show whether a patch that resolves the task is overfitted, if the task has them. */
  readonly extra?: ExtraTests | undefined;
  /** Each test's result on the base alone and with the test patch, by id, if the row has them. */
  readonly earlier?: Readonly<Record<string, EarlierStatuses>>;
  /** The types of the task's issue, such as `bug`, if the row has them. */
  readonly issueTypes?: readonly string[] | undefined;
  /** The discussion of the task's issue, if the row has it. */
  readonly discussion?: Discussion | undefined;
  /** The reason why no patch resolves the task by the dataset's rule, if the row contradicts itself. */
  readonly contradiction?: string | undefined;
}

const momentSchema = z.string().refine((text) => !Number.isNaN(Date.parse(text)), "is not a date (ISO 8601)");

/**
 * The dates of a task's issue, and its number of comments. Reports group results by these facts; solvers never see
 * them.
 */
export const discussionSchema = z.strictObject({
  /** The time at which someone opened the issue. `merged`: the time at which someone merged the known fix. */
  opened: momentSchema,
  merged: momentSchema,
  comments: z.int().nonnegative().optional(),
});
export type Discussion = z.infer<typeof discussionSchema>;

export interface EarlierStatuses {
  readonly base: TestStatus;
  readonly tests: TestStatus;
}

/** A full commit id. An abbreviated id may become ambiguous. */
export const commitSchema = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, "is not a full commit id");
export const taskIdSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9][\w.+@-]*$/,
    "is not a task id: use letters, digits and _ . + @ -, and begin with a letter or digit",
  );
