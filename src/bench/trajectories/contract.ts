/** What another agent wrote down of its work, whatever its format. */

export interface Trajectory {
  /** With its version, where the file tells it. */
  readonly agent: string;
  readonly model: string;
  /** What the agent was first told by its user. */
  readonly statement: string;
  readonly turns: readonly Turn[];
  /** Unified diff; "" where the file has none. */
  readonly patch: string;
  /** How it ended, in the file's words. */
  readonly end: string;
  /** In all, where turns do not say what each took. */
  readonly total?: TurnUsage;
}

/** An answer of the model, and what was done for it. */
export interface Turn {
  /** Milliseconds since the epoch, where it is known. */
  readonly at?: number | undefined;
  readonly text: string;
  readonly reasoning?: string | undefined;
  readonly model?: string | undefined;
  readonly calls: readonly TurnCall[];
  readonly usage?: TurnUsage | undefined;
}

export interface TurnCall {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  /** Undefined where the file has no result. */
  readonly output: string | undefined;
  readonly ms?: number | undefined;
}

export interface TurnUsage {
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** Undefined where nobody says it. */
  readonly usd: number | undefined;
}

export interface TrajectoryFormat {
  readonly name: string;
  /** Undefined where it is of another format. Throws ZodError for one of this format that cannot be read. */
  read(data: unknown): Trajectory | undefined;
}
