/**
 * Converts the lines of one process to its calls. Counts and skips incomplete lines, and lines that no runtime wrote.
 */
import { basename } from "node:path";
import type { Language } from "../languages/contract.ts";
import { languages } from "../languages/languages.generated.ts";
import { type LineOf, type OpenCall, openCall } from "./open-call.ts";
import { readTraceLine } from "./read-line.ts";
import type { TraceLine } from "./trace-lines.ts";
import type { CalledFunction, CutCalls, TraceCall, TraceProcess } from "./trace-model.ts";

interface Reading {
  readonly number: number;
  readonly shown: (path: string) => string;
  /** True for a test program of Rust's libtest. */
  readonly isLibtest: boolean;
  /** By id: the plan's functions, and (`functions`) also those of the process's own lines. */
  readonly planned: ReadonlyMap<number, CalledFunction>;
  readonly functions: Map<number, CalledFunction>;
  readonly once: <T extends string | undefined>(text: T) => T;
  readonly calls: Map<number, OpenCall>;
  /** The depth of each call in the tree; absent for 1. */
  readonly depths: Map<number, number>;
  readonly threads: Map<number, string>;
  readonly spawners: Map<number, number>;
  /** The start of the wait, for each waiting call. */
  readonly waiting: Map<number, number>;
  readonly roots: TraceCall[];
  readonly cuts: Map<string, CutCalls>;
  ended: boolean;
}

export interface ProcessText {
  /** Complete lines, and at most one incomplete line. The first line describes the process. */
  readonly text: string;
  /** The functions of a language's plan, by id. */
  readonly functionsOf: (language: string) => ReadonlyMap<number, CalledFunction>;
  readonly number: number;
  /** The readable form of a path from a runtime. */
  readonly shown?: (path: string) => string;
}

/** Reads the trace of one process. Undefined if the text does not begin with the line that describes a process. */
export function readProcess({
  text,
  functionsOf,
  number,
  shown = (path) => path,
}: ProcessText): TraceProcess | undefined {
  const headEnd = endOfLine(text, 0);
  const head = readTraceLine(text.slice(0, headEnd));
  if (head?.k !== "process") return undefined;
  const reading: Reading = {
    number,
    shown,
    isLibtest: head.language === "rust" && /\/deps\/[^/]+$/.test(head.arguments[0] ?? ""),
    planned: functionsOf(head.language),
    functions: new Map(),
    once: keepOnce(),
    calls: new Map(),
    depths: new Map(),
    threads: new Map(),
    spawners: new Map(),
    waiting: new Map(),
    roots: [],
    cuts: new Map(),
    ended: false,
  };
  let unreadable = 0;
  for (let start = headEnd + 1, end = start; start < text.length; start = end + 1) {
    end = endOfLine(text, start);
    if (end === start) continue;
    const line = readTraceLine(text.slice(start, end));
    if (line === undefined) unreadable += 1;
    else take(reading, line);
  }
  return {
    number,
    pid: head.pid,
    parentPid: head.parent,
    language: head.language,
    label: labelOf(head.arguments, head.language),
    arguments: head.arguments,
    epoch: head.epoch,
    threads: reading.threads,
    roots: reading.roots,
    calls: reading.calls.size,
    cuts: [...reading.cuts.values()],
    ended: reading.ended,
    unreadable,
  };
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end === -1 ? text.length : end;
}

function take(reading: Reading, line: TraceLine): void {
  switch (line.k) {
    case "function":
      reading.functions.set(line.f, { name: line.name, path: reading.shown(line.path), line: line.line });
      break;
    case "thread":
      reading.threads.set(line.n, line.name);
      if (line.from !== undefined) reading.spawners.set(line.n, line.from);
      break;
    case "in":
      enter(reading, line);
      break;
    case "out":
      leave(reading, line);
      break;
    case "wait":
    case "wake":
      suspend(reading, line);
      break;
    case "cut":
      reading.cuts.set(`${line.f} ${line.why}`, {
        function: functionOf(reading, line.f),
        why: line.why,
        count: line.count,
      });
      break;
    case "end":
      reading.ended = true;
      break;
    case "process":
      break; // a second one adds nothing
  }
}

function enter(reading: Reading, line: LineOf<"in">): void {
  const spawner = line.p ?? reading.spawners.get(line.th);
  const parent = spawner === undefined ? undefined : reading.calls.get(spawner);
  const call = openCall(line, {
    handle: `${reading.number}.${line.c}`,
    function: functionOf(reading, line.f),
    test: reading.once(line.test) ?? parent?.test ?? testOfThread(reading, line.th),
    spawned: parent === undefined ? undefined : spawnOf(parent, line),
    once: reading.once,
  });
  reading.calls.set(line.c, call);
  const depth = spawner === undefined || parent === undefined ? 1 : 1 + (reading.depths.get(spawner) ?? 1);
  if (parent === undefined || depth > deepest) {
    reading.depths.delete(line.c);
    reading.roots.push(call);
    return;
  }
  reading.depths.set(line.c, depth);
  parent.children.push(call);
}

/**
 * Maximum depth of a tree, above the limit of the runtimes. Tasks that spawn tasks have no such limit, such as a timer
 * that starts itself again. Deeper calls begin a further tree.
 */
const deepest = 1000;

/** The test that a thread runs. libtest names a test's thread after the test. */
function testOfThread({ isLibtest, threads, spawners }: Reading, thread: number): string | undefined {
  const name = threads.get(thread);
  return isLibtest && name !== "main" && name !== "" && !spawners.has(thread) ? name : undefined;
}

function spawnOf(parent: TraceCall, line: LineOf<"in">): "thread" | "task" | undefined {
  if (line.task !== undefined && line.task !== parent.task) return "task";
  return line.th !== parent.thread && line.task === undefined ? "thread" : undefined;
}

function leave(reading: Reading, line: LineOf<"out">): void {
  const call = reading.calls.get(line.c);
  if (call === undefined) return;
  wake(reading, call, line);
  call.end = line.at;
  call.how = line.how;
  call.value = line.value;
  call.after = line.after;
  call.message = line.message;
  call.place = line.place === undefined ? undefined : reading.once(reading.shown(line.place));
}

function suspend(reading: Reading, line: LineOf<"wait" | "wake">): void {
  const call = reading.calls.get(line.c);
  if (call === undefined) return;
  if (line.k === "wait") reading.waiting.set(line.c, line.at);
  else wake(reading, call, line);
}

function wake({ waiting }: Reading, call: OpenCall, { c, at }: { c: number; at: number }): void {
  const since = waiting.get(c);
  if (since === undefined) return;
  call.waited += at - since;
  waiting.delete(c);
}

function functionOf({ functions, planned }: Reading, id: number): CalledFunction {
  const known = functions.get(id) ?? planned.get(id);
  if (known !== undefined) return known;
  const unknown = { name: `function ${id}`, path: "", line: 0 };
  functions.set(id, unknown);
  return unknown;
}

/** Returns the first instance of equal texts. */
function keepOnce(): Reading["once"] {
  const known = new Map<string | undefined, string>();
  return <T extends string | undefined>(text: T): T => {
    if (text === undefined) return text;
    const first = known.get(text) as T | undefined;
    if (first === undefined) known.set(text, text);
    return first ?? text;
  };
}

const givesCode = /^(-[A-Za-z]*c|-e|-p|-pe|--eval|--print)$/;
const interpreters = new RegExp(
  `^(?:${languages.flatMap((language: Language) => language.interpreters ?? []).join("|")})$`,
);

/**
 * A process's label: `parser` for `target/debug/deps/parser-0123456789abcdef`. For an interpreter, the script, or the
 * option with its code.
 */
function labelOf(words: readonly string[], language: string): string {
  const script = words.findIndex((word) => !word.startsWith("-") && !interpreters.test(basename(word)));
  const [program = language] = words;
  const option = words[script - 1] ?? "";
  if (givesCode.test(option)) return `${basename(program)} ${option}`;
  return basename(words[script] ?? program).replace(/-[0-9a-f]{16}$/, "");
}
