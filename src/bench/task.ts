/** The parts of a benchmark's task: what a solver sees, its environment, and what only the grader sees. */
import { z } from "zod";
import type { TaskKind } from "../domain/task.ts";
import type { TestStatus } from "../domain/test-outcome.ts";

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

/** What a solver may see, and nothing else. The checkout's path and its commit are added where it is solved. */
export interface DatasetTask {
  /** Of file names' characters, see `taskIdSchema`. */
  readonly id: string;
  readonly kind: TaskKind;
  readonly statement: string;
  /** `owner/name`, or a name alone. */
  readonly repository: string;
  /** A full id; where rows have no more, the first digits of one (7 or more), which the repository completes. */
  readonly baseCommit: string;
  /** The project's version at the base, where the row knows it; else "". */
  readonly version: string;
  /** `FILE:SYMBOL`, for kinds that have a target. */
  readonly target?: string;
  /** The failed attempt of a partial fix. */
  readonly partialPatch?: string;
  /** Where the task names them: those of the base that fail and should not. */
  readonly failingTests?: readonly string[];
}

/** What makes the environment at the base. The user's rules come before it. */
export interface EnvironmentRecipe {
  /**
   * Unified diff that makes the base of the commit, where no commit is the base: a fault that is put in. A solver gets one commit
   * of the result, without the history that would show the patch.
   */
  readonly basePatch?: string;
  /** Shell text, in the repository's root, with the network. */
  readonly setup?: string | undefined;
  /** Globs of files that the base must not have, such as answers. */
  readonly remove?: readonly string[];
  /** The benchmark's published image of the task. It is used where the user asks for it. */
  readonly image?: PublishedImage;
}

/** An image that has the project, at the task's base commit, with all that its tests need. */
export interface PublishedImage {
  /** As a registry's clients write it: `owner/name:tag`. */
  readonly name: string;
  /** The folder in which the image has the project. */
  readonly root: string;
  /** Folders that come before those of the image's PATH. */
  readonly path?: readonly string[];
}

/** What only the grader's process may see. */
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
    /** The rule needs every test of the project: a command that is searched for runs them all. */
    readonly all?: boolean;
  };
  /** Undefined where they have to be computed. */
  readonly lists: TestLists | undefined;
  /** What each test did on the base alone and with the test patch, by its id, where the row has it. */
  readonly earlier?: Readonly<Record<string, EarlierStatuses>>;
}

export interface EarlierStatuses {
  readonly base: TestStatus;
  readonly tests: TestStatus;
}

/** A commit by its whole name: a shorter one may come to mean another. */
export const commitSchema = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, "is no full commit id");
export const taskIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9][\w.+@-]*$/, "has characters that no id of a task may have");
