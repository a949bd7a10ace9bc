/**
 * Converts a trace to data for its HTML page. The data is compact: keys are short, values are texts, and each function
 * occurs once.
 */

import { countOf } from "../../base/count.ts";
import type { Trace } from "../trace-file.ts";
import type { TraceCall, TraceProcess } from "../trace-model.ts";
import { renderEnd, renderValue } from "./call.ts";
import { countBelow } from "./tree.ts";

/** Maximum number of calls that a browser can handle. */
const mostCalls = 60_000;
const longestValue = 2000;

interface PageCall {
  /** The call's handle, and its function's index in the list. */
  readonly h: string;
  readonly f: number;
  readonly a?: readonly (readonly [string, string])[];
  readonly e: string;
  /** 1 if the call failed. */
  readonly x?: 1;
  /** The call's duration in nanoseconds. */
  readonly t?: number;
  readonly s?: string;
  readonly n?: string;
  readonly c?: readonly PageCall[];
}

export interface PageData {
  readonly command: string;
  readonly end: string;
  readonly functions: readonly { readonly name: string; readonly place: string }[];
  readonly processes: readonly {
    readonly title: string;
    readonly calls: readonly PageCall[];
    readonly cut: number;
  }[];
  /** Number of calls that do not fit on the page. */
  readonly hidden: number;
}

interface Making {
  readonly functions: Map<string, number>;
  readonly list: { name: string; place: string }[];
  left: number;
  hidden: number;
}

export function makePageData({ head, command, processes }: Trace): PageData {
  const making: Making = { functions: new Map(), list: [], left: mostCalls, hidden: 0 };
  const shown = processes
    .filter(({ calls, cuts }) => calls > 0 || cuts.length > 0)
    .map((process) => ({
      title: `process ${process.number}: ${process.label} (pid ${process.pid}), ${countOf(process.calls, "call")}`,
      calls: process.roots.flatMap((root) => makeCall(root, process, making)),
      cut: process.cuts.reduce((sum, { count }) => sum + count, 0),
    }));
  return {
    command: head.command.join(" "),
    end: command === undefined ? "cut off" : `${command.end}, exit code ${command.exitCode ?? "none"}`,
    functions: making.list,
    processes: shown,
    hidden: making.hidden,
  };
}

function makeCall(call: TraceCall, process: TraceProcess, making: Making): PageCall[] {
  making.left -= 1;
  if (making.left < 0) {
    making.hidden += 1 + countBelow(call);
    return [];
  }
  const f = numberOf(call, making);
  const children = call.children.flatMap((child) => makeCall(child, process, making));
  const note =
    call.spawned === "thread" ? `thread ${process.threads.get(call.thread) ?? call.thread}` : call.spawned;
  return [
    {
      h: call.handle,
      f,
      ...(call.hasArgs
        ? { a: call.args.map(([name, value]) => [name, renderValue(call, value, longestValue)] as const) }
        : {}),
      e: renderEnd(call, longestValue).trim(),
      ...(call.how === "return" ? {} : { x: 1 as const }),
      ...(call.end === undefined ? {} : { t: call.end - call.start }),
      ...(call.test === undefined ? {} : { s: call.test }),
      ...(note === undefined ? {} : { n: note }),
      ...(children.length === 0 ? {} : { c: children }),
    },
  ];
}

function numberOf({ function: { name, path, line } }: TraceCall, { functions, list }: Making): number {
  const place = path === "" ? "" : `${path}:${line}`;
  const key = `${name} ${place}`;
  const known = functions.get(key);
  if (known !== undefined) return known;
  list.push({ name, place });
  functions.set(key, list.length - 1);
  return list.length - 1;
}
