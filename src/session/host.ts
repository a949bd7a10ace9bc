/**
 * Data of the machine and the user, which the interface (command line, MCP or library) passes to a session. A session
 * never reads this data itself.
 */

export interface Host {
  /** Keys of models, folders of the user, and variables for a repository's programs. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A folder whose `.env` may contain keys of models, such as the current folder of a command. */
  readonly folder?: string;
  /** Gets facts that a person should know and no result contains. */
  readonly onNotice: (notice: Notice) => void;
}

export interface Notice {
  readonly level: "note" | "warning";
  readonly text: string;
}
