/** Views of a run's code: a tree with its code graph and language servers, and traced calls of real executions. */
import type { CodeContext } from "../tools/contract.ts";

export interface TreeView {
  readonly context: CodeContext;
  /** The user's repository. Millwright reads it only for files outside trees, such as installed dependencies. */
  readonly home: string;
  /** The repository's path that models see. */
  readonly root: string;
  /** The checked-out tree; at first the base. */
  tree(): string;
  lay(tree: string): Promise<void>;
  close(): Promise<void>;
}

export interface TraceAsked {
  /** The tree in which the command runs. */
  readonly tree: string;
  /** The functions to record as `PATH:NAME,NAME`, as for the command `trace`. */
  readonly instrument: readonly string[];
  /** The command, for a shell in the repository's root. */
  readonly command: string;
  /** The depth to which the trace also records callees of the named functions. */
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
   * Runs the command, and returns the recorded calls with their handles, in about 3,000 tokens. Without calls, the text
   * gives the reason.
   */
  trace(asked: TraceAsked): Promise<TraceAnswer>;
  /**
   * Shows a call of the last trace by its handle, with its callees and its values in full recorded length. For a
   * function's name, shows all its calls.
   */
  show(wanted: string): Promise<TraceAnswer>;
  close(): Promise<void>;
}
