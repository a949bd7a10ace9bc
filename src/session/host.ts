/** The machine and the user that a face works for, as values: a session reads neither by itself. */

export interface Host {
  /** Keys of models, the folders of the user's, and what programs of a repository need. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A folder whose `.env` may hold keys of models, such as the one that a command was called in. */
  readonly folder?: string;
  /** Hears what a person should know and no result says. */
  readonly onNotice: (notice: Notice) => void;
}

export interface Notice {
  readonly level: "note" | "warning";
  readonly text: string;
}
