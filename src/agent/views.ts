/** How the code of a run is seen: a tree with its graph and servers, and calls of real runs. */
import type { CodeContext } from "../tools/contract.ts";

export interface TreeView {
  readonly context: CodeContext;
  /** The user's repository: read for what no tree has, such as installed dependencies. */
  readonly home: string;
  /** The repository's path as the model knows it. */
  readonly root: string;
  /** That is laid now: the base, until another is. */
  tree(): string;
  lay(tree: string): Promise<void>;
  close(): Promise<void>;
}

export interface TraceAsked {
  /** What the command runs over. */
  readonly tree: string;
  /** `PATH:NAME,NAME`, as the command `trace` takes them. */
  readonly instrument: readonly string[];
  /** Text for a shell in the repository's root. */
  readonly command: string;
  /** Calls away from what is named, of callees that are recorded too. */
  readonly depth: number;
  readonly seconds: number;
}

export interface TraceDesk {
  /** What was recorded, within about 3,000 tokens; calls are named by handles. The text says why where nothing was. */
  trace(asked: TraceAsked): Promise<{ readonly text: string; readonly isError: boolean }>;
  /** A call of the last trace by its handle, with what is below it and its values as long as they were recorded; or a function's calls. */
  show(wanted: string): Promise<{ readonly text: string; readonly isError: boolean }>;
  close(): Promise<void>;
}
