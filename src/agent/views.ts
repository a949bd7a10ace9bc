/** Views of a run's code: a tree with its code graph and language servers, and traced calls of real executions. */
import type { CodeContext } from "../tools/contract.ts";

export interface TreeView {
  readonly context: CodeContext;
  /** The user's repository: read only for files outside trees, such as installed dependencies. */
  readonly home: string;
  /** The repository's path as the model knows it. */
  readonly root: string;
  /** The laid tree: the base, until another is laid. */
  tree(): string;
  lay(tree: string): Promise<void>;
  close(): Promise<void>;
}

export interface TraceAsked {
  /** The tree that the command runs over. */
  readonly tree: string;
  /** `PATH:NAME,NAME`, as for the command `trace`. */
  readonly instrument: readonly string[];
  /** Text for a shell in the repository's root. */
  readonly command: string;
  /** The depth to which callees of the named functions are recorded too. */
  readonly depth: number;
  readonly seconds: number;
}

export interface TraceAnswer {
  readonly text: string;
  readonly isError: boolean;
  /** The first calls of the path to the failure, outermost first; absent if no recorded call failed. */
  readonly failurePath?: readonly string[];
}

export interface TraceDesk {
  /**
   * The recorded calls, within about 3,000 tokens; calls are named by handles. If there are none, the text says why.
   */
  trace(asked: TraceAsked): Promise<TraceAnswer>;
  /**
   * A call of the last trace by its handle, with the calls below it and its values in full recorded length; or a
   * function's calls.
   */
  show(wanted: string): Promise<TraceAnswer>;
  close(): Promise<void>;
}
