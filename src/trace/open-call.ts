/** A call for which the reader has not yet read all lines. */
import type { TraceLine } from "./trace-lines.ts";
import type { CalledFunction, TraceCall } from "./trace-model.ts";

export type LineOf<K extends TraceLine["k"]> = Extract<TraceLine, { k: K }>;

/** The fields that later lines set. */
type Growing = "end" | "waited" | "how" | "value" | "after" | "message" | "place";

export interface OpenCall extends Omit<TraceCall, Growing | "children"> {
  end: TraceCall["end"];
  waited: TraceCall["waited"];
  how: TraceCall["how"];
  value: TraceCall["value"];
  after: TraceCall["after"];
  message: TraceCall["message"];
  place: TraceCall["place"];
  readonly children: TraceCall[];
}

interface Around {
  readonly handle: string;
  readonly function: CalledFunction;
  readonly test: string | undefined;
  readonly spawned: TraceCall["spawned"];
  /** Shares equal texts: a trace has few names, and many lines. */
  readonly once: <T extends string | undefined>(text: T) => T;
}

/**
 * Creates a call that has no end yet. Gives every call the same fields in the same order. A trace has millions of
 * calls, and the engine stores objects of one form compactly.
 */
export function openCall(line: LineOf<"in">, around: Around): OpenCall {
  const { once } = around;
  for (const pair of line.args ?? []) pair[0] = once(pair[0]);
  return {
    handle: around.handle,
    function: around.function,
    thread: line.th,
    task: line.task,
    test: around.test,
    start: line.at,
    end: undefined,
    waited: 0,
    args: line.args ?? none,
    hasArgs: line.args !== undefined,
    on: once(line.on),
    how: "none",
    value: undefined,
    after: undefined,
    message: undefined,
    place: undefined,
    children: [],
    spawned: around.spawned,
  };
}

const none: TraceCall["args"] = [];
