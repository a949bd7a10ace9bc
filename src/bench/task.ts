/** A task with its hidden part, as the grader's process alone knows it. Nothing of `hidden` may reach a solver. */
import { z } from "zod";
import { taskKindSchema } from "../domain/task.ts";

/** Ids of tests, in the words of the file that names them; `test-ids.ts` finds what they mean. */
export const testListsSchema = z.strictObject({
  /** They fail without the fix and pass with it. */
  failToPass: z.array(z.string()),
  /** They pass without the fix and with it. */
  passToPass: z.array(z.string()),
  /** Seen with more than one result on the same tree: excluded from both lists. */
  flaky: z.array(z.string()).default([]),
});
export type TestLists = z.infer<typeof testListsSchema>;

export interface GradedTask {
  readonly id: string;
  /** `owner/name`, or a name alone. */
  readonly repository: string;
  readonly baseCommit: string;
  /** The project's version at the base, where the file knows it; else "". */
  readonly version: string;
  /** Shell text that makes the environment at the base; the user's rules come before it. */
  readonly setup: string | undefined;
  readonly hidden: HiddenPart;
  /** `FILE:LINE`, for messages. */
  readonly place: string;
}

export interface HiddenPart {
  readonly goldPatch: string;
  /** May be empty: the tests stand in the base already. */
  readonly testPatch: string;
  readonly tests: {
    /** Undefined: it is searched for. */
    readonly command: string | undefined;
    /** Files that are run; empty: what the command itself selects, or the test patch's files when it is searched for. */
    readonly files: readonly string[];
    /** Milliseconds for one run, where the file sets a limit. */
    readonly limitMs: number | undefined;
  };
  /** Undefined where they have to be computed. */
  readonly lists: TestLists | undefined;
}

/** Kinds whose solution is graded by F2P and P2P tests. */
const gradedKinds = ["repair", "partial-fix", "feature", "code-generation"] as const;

/** A commit by its whole name: a shorter one may come to mean another. */
export const commitSchema = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, "is no full commit id");
export const taskIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9][\w.+@-]*$/, "has characters that no id of a task may have");

/** One line of a task file: what a solver may see. */
export const visibleTaskSchema = z.strictObject({
  schema: z.literal("millwright.task/1"),
  id: taskIdSchema,
  kind: taskKindSchema.extract(gradedKinds),
  statement: z.string(),
  repository: z.string().min(1),
  baseCommit: commitSchema,
  version: z.string().default(""),
  setup: z.string().optional(),
});

/** One line of the file beside it, for the grader alone. */
export const hiddenPartSchema = z.strictObject({
  schema: z.literal("millwright.hidden/1"),
  id: taskIdSchema,
  goldPatch: z.string().min(1),
  testPatch: z.string().default(""),
  testCommand: z.string().optional(),
  testFiles: z.array(z.string()).default([]),
  lists: testListsSchema.optional(),
});
