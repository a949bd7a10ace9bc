/**
 * Data of the machine and the user. The interface (command line, MCP or library) passes it to a session. A session
 * never reads this data itself.
 */

export interface Host {
  /** Keys of models, folders of the user, and variables for a repository's programs. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A folder whose `.env` may contain keys of models, such as the current folder of a command. */
  readonly folder?: string;
  /** Receives notices for people, about facts that no result contains. */
  readonly onNotice: (notice: Notice) => void;
}

export interface Notice {
  readonly level: "note" | "warning";
  readonly text: string;
}
