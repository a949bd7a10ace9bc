/** The lines of one process to its calls. A torn or foreign line is counted and passed over. */
import { basename } from "node:path";
import { readTraceLine } from "./read-line.ts";
import type { TraceLine } from "./trace-lines.ts";
import type { CalledFunction, CutCalls, TraceCall, TraceProcess } from "./trace-model.ts";

type LineOf<K extends TraceLine["k"]> = Extract<TraceLine, { k: K }>;

/** A call while it is being read. */
type OpenCall = { -readonly [K in keyof Omit<TraceCall, "children">]: TraceCall[K] } & {
  children: OpenCall[];
  waitingSince?: number;
};

interface Reading {
  readonly number: number;
  /** What places inside the project begin with. */
  readonly prefix: string | undefined;
  /** A program that the compiler made of tests. */
  readonly isLibtest: boolean;
  readonly functions: Map<number, CalledFunction>;
  readonly calls: Map<number, OpenCall>;
  readonly threads: Map<number, string>;
  readonly spawners: Map<number, number>;
  readonly roots: OpenCall[];
  readonly cuts: Map<string, CutCalls>;
  ended: boolean;
}

export interface ProcessText {
  /** Complete lines and at most one torn one; the first is the process's. */
  readonly text: string;
  /** The functions of the plan of a language, by id. */
  readonly functionsOf: (language: string) => ReadonlyMap<number, CalledFunction>;
  readonly number: number;
  readonly root?: string | undefined;
}

/** undefined where the text does not begin with a process's line. */
export function readProcess({ text, functionsOf, number, root }: ProcessText): TraceProcess | undefined {
  const lines = text.split("\n");
  const head = readTraceLine(lines[0] ?? "");
  if (head?.k !== "process") return undefined;
  const reading: Reading = {
    number,
    prefix: root === undefined ? undefined : `${root}/`,
    isLibtest: head.language === "rust" && /\/deps\/[^/]+$/.test(head.arguments[0] ?? ""),
    functions: new Map(functionsOf(head.language)),
    calls: new Map(),
    threads: new Map(),
    spawners: new Map(),
    roots: [],
    cuts: new Map(),
    ended: false,
  };
  let unreadable = 0;
  for (const text of lines.slice(1)) {
    if (text === "") continue;
    const line = readTraceLine(text);
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

function take(reading: Reading, line: TraceLine): void {
  switch (line.k) {
    case "function":
      reading.functions.set(line.f, { name: line.name, path: line.path, line: line.line });
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
      break; // a second one says nothing new
  }
}

function enter(reading: Reading, line: LineOf<"in">): void {
  const spawner = line.p ?? reading.spawners.get(line.th);
  const parent = spawner === undefined ? undefined : reading.calls.get(spawner);
  const spawned = parent === undefined ? undefined : spawnOf(parent, line);
  const call: OpenCall = {
    handle: `${reading.number}.${line.c}`,
    function: functionOf(reading, line.f),
    thread: line.th,
    ...(line.task === undefined ? {} : { task: line.task }),
    ...testOf(line.test ?? parent?.test ?? testOfThread(reading, line.th)),
    start: line.at,
    end: undefined,
    waited: 0,
    args: line.args ?? [],
    hasArgs: line.args !== undefined,
    ...(line.on === undefined ? {} : { on: line.on }),
    how: "none",
    children: [],
    ...(spawned === undefined ? {} : { spawned }),
  };
  reading.calls.set(line.c, call);
  (parent?.children ?? reading.roots).push(call);
}

/** libtest calls a test's thread as the test. */
function testOfThread({ isLibtest, threads, spawners }: Reading, thread: number): string | undefined {
  const name = threads.get(thread);
  return isLibtest && name !== "main" && name !== "" && !spawners.has(thread) ? name : undefined;
}

function testOf(test: string | undefined): { test?: string } {
  return test === undefined ? {} : { test };
}

function spawnOf(parent: OpenCall, line: LineOf<"in">): "thread" | "task" | undefined {
  if (line.task !== undefined && line.task !== parent.task) return "task";
  return line.th !== parent.thread && line.task === undefined ? "thread" : undefined;
}

function leave({ calls, prefix }: Reading, line: LineOf<"out">): void {
  const call = calls.get(line.c);
  if (call === undefined) return;
  if (call.waitingSince !== undefined) call.waited += line.at - call.waitingSince;
  delete call.waitingSince;
  call.end = line.at;
  call.how = line.how;
  if (line.value !== undefined) call.value = line.value;
  if (line.message !== undefined) call.message = line.message;
  if (line.place !== undefined) {
    const isInside = prefix !== undefined && line.place.startsWith(prefix);
    call.place = isInside ? line.place.slice(prefix.length) : line.place;
  }
}

function suspend({ calls }: Reading, line: LineOf<"wait" | "wake">): void {
  const call = calls.get(line.c);
  if (call === undefined) return;
  if (line.k === "wait") call.waitingSince = line.at;
  else if (call.waitingSince !== undefined) {
    call.waited += line.at - call.waitingSince;
    delete call.waitingSince;
  }
}

function functionOf({ functions }: Reading, id: number): CalledFunction {
  return functions.get(id) ?? { name: `function ${id}`, path: "", line: 0 };
}

const interpreters = /^(python[\d.]*|pypy[\d.]*|node|go|ruby|java)$/;

/** `target/debug/deps/parser-0123456789abcdef` is `parser`; of an interpreter, the script. */
function labelOf(words: readonly string[], language: string): string {
  const names = words.filter((word) => !word.startsWith("-")).map((word) => basename(word));
  const name = names.find((word) => !interpreters.test(word)) ?? names[0] ?? language;
  return name.replace(/-[0-9a-f]{16}$/, "");
}
