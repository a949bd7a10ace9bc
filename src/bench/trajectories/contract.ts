/** Another agent's record of its work, read from any format. */

export interface Trajectory {
  /** The agent's name, with its version if the file has it. */
  readonly agent: string;
  readonly model: string;
  /** The user's first message to the agent. */
  readonly statement: string;
  readonly turns: readonly Turn[];
  /** Unified diff; "" if the file has none. */
  readonly patch: string;
  /** How the work ended, in the file's words. */
  readonly end: string;
  /** Totals over all turns, if the turns do not record their own usage. */
  readonly total?: TurnUsage;
}

/** An answer of the model, and the tool calls in it. */
export interface Turn {
  /** Milliseconds since the epoch, if known. */
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
  /** The call's result; undefined if the file has none. */
  readonly output: string | undefined;
  readonly ms?: number | undefined;
}

export interface TurnUsage {
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** Cost in US dollars; undefined if unknown. */
  readonly usd: number | undefined;
}

export interface TrajectoryFormat {
  readonly name: string;
  /**
   * Reads a file of this format. Undefined for another format. Throws ZodError for an unreadable file of this format.
   */
  read(data: unknown): Trajectory | undefined;
}
