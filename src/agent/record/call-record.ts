/**
 * Records each call of a model and of a tool. A resumed run goes through its loops again, but does not record an ended
 * call again. It recognises the call by its request and its repetition number.
 */
import type { NewRunEvent, RunEvent } from "../../domain/run-event.ts";
import type { CallEnd, CallWatch, WatchedCall } from "../../llm/contract.ts";
import { currentScope, inScope } from "./scope.ts";

export interface CallRecord {
  /** Records a request. Give this function to `ModelClient.watchedBy`. */
  watch(call: WatchedCall): CallWatch;
  /** Runs a tool that the model called in the answer to the request `handle`. */
  tool<T extends ToolEnd>(call: CalledTool, run: () => Promise<T>): Promise<T>;
}

export interface CalledTool {
  readonly handle: string;
  /** The call's id within the answer. */
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
}

interface ToolEnd {
  readonly text: string;
  readonly isError?: boolean;
  readonly end?: unknown;
}

export interface CallRecordOptions {
  /** The events of earlier processes of the run. */
  readonly events: readonly RunEvent[];
  readonly append: (event: NewRunEvent) => void;
  readonly outputs: { keep(text: string): string };
}

export function createCallRecord({ events, append, outputs }: CallRecordOptions): CallRecord {
  const earlier = readEarlier(events);
  /** Number of times that this process made each request. */
  const made = new Map<string, number>();
  /** The newest call of each request, for the tools that its answer calls. */
  const newest = new Map<string, number>();
  let { last } = earlier;
  const next = (): number => {
    last += 1;
    return last;
  };

  function watch(call: WatchedCall): CallWatch {
    const { handle, role, model, sample } = call;
    const time = (made.get(handle) ?? 0) + 1;
    made.set(handle, time);
    const known = { role, model, handle, ...(sample === undefined ? {} : { sample }), ...currentScope() };
    let order: number | undefined;
    return {
      asking() {
        order = next();
        append({ event: "call-started", order, ...known });
      },
      ended(end) {
        const before = end.repeated ? earlier.calls.get(handle)?.[time - 1] : undefined;
        if (before !== undefined) {
          newest.set(handle, before);
          return;
        }
        order ??= next();
        newest.set(handle, order);
        const usage = end.cost(earlier.paid.get(handle) ?? 0);
        earlier.paid.set(handle, (earlier.paid.get(handle) ?? 0) + usage.calls);
        append({ event: "call-ended", order, ...known, ...describeEnd(call, end), usage });
      },
    };
  }

  async function tool<T extends ToolEnd>(called: CalledTool, run: () => Promise<T>): Promise<T> {
    const { handle, id, tool: name, input } = called;
    const call = newest.get(handle);
    if (call === undefined) return run();
    const key = toolKey(call, id);
    const before = earlier.tools.get(key);
    if (before !== undefined) return inScope({ within: before }, run);
    const order = next();
    const known = { order, call, id, tool: name, about: aboutOf(input), ...currentScope() };
    append({ event: "tool-started", ...known });
    const started = performance.now();
    const reply = await inScope({ within: order }, run);
    append({
      event: "tool-ended",
      ...known,
      failed: reply.isError === true,
      ...(reply.end === undefined ? {} : { last: true }),
      ms: Math.round(performance.now() - started),
      output: outputs.keep(reply.text),
      characters: reply.text.length,
    });
    return reply;
  }

  return { watch, tool };
}

function describeEnd({ condensed }: WatchedCall, end: CallEnd) {
  const { model, recorded, ms, finish, failure, calls, retries } = end;
  return {
    ...{ model, recorded, ms, tools: [...calls] },
    ...(finish === undefined ? {} : { finish }),
    ...(failure === undefined ? {} : { failure }),
    ...(retries.length === 0 ? {} : { retries: [...retries] }),
    ...(condensed === undefined ? {} : { condensed }),
  };
}

interface Earlier {
  /** The finished calls of each request, in order. */
  readonly calls: ReadonlyMap<string, readonly number[]>;
  /** For each request, the attempts that the run already paid and counted. */
  readonly paid: Map<string, number>;
  readonly tools: ReadonlyMap<string, number>;
  /** The highest number in the order of events. */
  readonly last: number;
}

function readEarlier(events: readonly RunEvent[]): Earlier {
  const calls = new Map<string, number[]>();
  const paid = new Map<string, number>();
  const tools = new Map<string, number>();
  let last = 0;
  for (const event of events) {
    if ("order" in event) last = Math.max(last, event.order);
    if (event.event === "tool-ended") tools.set(toolKey(event.call, event.id), event.order);
    if (event.event !== "call-ended") continue;
    const { handle, order, usage } = event;
    calls.set(handle, [...(calls.get(handle) ?? []), order]);
    paid.set(handle, (paid.get(handle) ?? 0) + usage.calls);
  }
  return { calls, paid, tools, last };
}

function toolKey(call: number, id: string): string {
  return `${call} ${id}`;
}

const longestAbout = 160;

/** A tool's input for readers: its values on one line. */
function aboutOf(input: unknown): string {
  const values = input !== null && typeof input === "object" ? Object.values(input) : [input];
  // Omits empty lists, which are a schema's default.
  const said = values.filter((value) => !(Array.isArray(value) && value.length === 0));
  const text = said.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join(", ");
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > longestAbout ? `${line.slice(0, longestAbout)}…` : line;
}
