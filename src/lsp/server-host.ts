/** The parts of a checkout that language servers need. */
import type { AttachedProcess, CommandResult } from "../sandbox/contract.ts";

export interface ServerCommand {
  readonly run: readonly string[];
  /** The working folder, relative to the root. */
  readonly directory?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A repository inside a sandbox. A workspace's checkout fits this interface. */
export interface ServerHost {
  /** The repository's absolute root, as commands inside see it. */
  readonly root: string;
  /** A writable folder outside the repository, as commands inside see it. */
  readonly scratch: { readonly inside: string };
  /** The variables that commands get. */
  readonly environment: Readonly<Record<string, string>>;
  execute(
    command: ServerCommand & { readonly timeoutMs: number; readonly outputBytes?: number },
  ): Promise<CommandResult>;
  attach(command: ServerCommand): AttachedProcess;
  /** True for a path of the repository, relative to the root. */
  exists(path: string): boolean;
}
