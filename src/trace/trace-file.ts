/**
 * The file of a whole trace, in JSON Lines. The first line contains the request and the command. Then follow the
 * original lines of each process; the first line of a process describes it. The last line says how the command ended.
 */

import { z } from "zod";
import { describeReadError, MillwrightError } from "../base/errors.ts";
import { parseJson } from "../base/parse-json.ts";
import { readGivenFile } from "../base/regular-file.ts";
import { readTraceLine } from "./read-line.ts";
import { readProcess } from "./read-process.ts";
import type { CalledFunction, TraceProcess } from "./trace-model.ts";
import { showPath } from "./two-projects.ts";

const functionSchema = z.object({
  id: z.int(),
  path: z.string(),
  line: z.int(),
  endLine: z.int(),
  name: z.string(),
  level: z.enum(["values", "return", "calls", "none"]),
  reason: z.string().optional(),
  group: z.enum(["function", "test", "left-out"]),
});

export const traceHeadSchema = z.object({
  k: z.literal("trace"),
  schema: z.literal("millwright.trace-file/1"),
  target: z.string(),
  /** The project's root as the command saw it. Millwright shows places in the project relative to this root. */
  root: z.string().optional(),
  /**
   * For a trace over two projects: the base of relative places, and the second project as the command saw it and as the
   * user has it.
   */
  base: z.string().optional(),
  second: z.object({ root: z.string(), place: z.string() }).optional(),
  command: z.array(z.string()),
  /** The start of the recording, in ISO 8601. */
  startedAt: z.string(),
  /** Functions of the plan, by the language of the processes that refer to them by id. */
  functions: z.array(z.object({ languages: z.array(z.string()), functions: z.array(functionSchema) })),
});
export type TraceHead = z.infer<typeof traceHeadSchema>;

export const commandEndSchema = z.object({
  k: z.literal("command"),
  end: z.enum(["exited", "signalled", "out-of-memory", "timed-out", "aborted"]),
  exitCode: z.int().nullable(),
  milliseconds: z.number(),
  /** Failed tests of the trace, according to the command's output. */
  failedTests: z.array(z.string()).optional(),
});
export type CommandEnded = z.infer<typeof commandEndSchema>;

export interface Trace {
  readonly head: TraceHead;
  /** The command's end; undefined if the file was truncated. */
  readonly command: CommandEnded | undefined;
  readonly processes: readonly TraceProcess[];
}

export interface TraceParts {
  readonly head: TraceHead;
  readonly command: CommandEnded;
  /** The recorded lines of each process. */
  readonly texts: readonly string[];
}

export function writeTraceText({ head, command, texts }: TraceParts): string {
  const whole = texts.map((text) => (text === "" || text.endsWith("\n") ? text : `${text}\n`));
  return `${JSON.stringify(head)}\n${whole.join("")}${JSON.stringify(command)}\n`;
}

/** Parses a stored trace. Undefined if the text is not a trace. */
export function readTraceText(text: string): Trace | undefined {
  const end = text.indexOf("\n");
  const head = traceHeadSchema.safeParse(parseJson(text.slice(0, end === -1 ? text.length : end))).data;
  if (head === undefined) return undefined;
  const body = end === -1 ? "" : text.slice(end + 1);
  const lastStart = body.lastIndexOf("\n", body.length - 2) + 1;
  const command = commandEndSchema.safeParse(parseJson(body.slice(lastStart))).data;
  const texts = splitProcesses(command === undefined ? body : body.slice(0, lastStart));
  return { head, command, processes: readProcesses(head, texts) };
}

export function readProcesses(
  head: Pick<TraceHead, "functions" | "root" | "base" | "second">,
  texts: readonly string[],
): TraceProcess[] {
  const known = new Map<string, ReadonlyMap<number, CalledFunction>>();
  const functionsOf = (language: string): ReadonlyMap<number, CalledFunction> => {
    const own = head.functions.find(({ languages }) => languages.includes(language));
    const functions = known.get(language) ?? new Map(own?.functions.map((each) => [each.id, each]));
    known.set(language, functions);
    return functions;
  };
  const shown = (path: string): string => showPath(path, head);
  return texts.flatMap((text, index) => {
    const process = readProcess({ text, functionsOf, number: index + 1, shown });
    return process === undefined ? [] : [process];
  });
}

/** Reads a trace's file. Throws MillwrightError("usage") if the file cannot be read, or is not a trace. */
export async function readTraceFile(path: string): Promise<Trace> {
  let text: string;
  try {
    text = readGivenFile(path).toString("utf8");
  } catch (cause) {
    throw new MillwrightError("usage", `${path} cannot be read: ${describeReadError(cause)}`, { cause });
  }
  const trace = readTraceText(text);
  if (trace !== undefined) return trace;
  throw new MillwrightError("usage", `${path} is not a trace that millwright wrote`, {
    hint: "`millwright trace` can write a trace to a file.",
  });
}

/** The mark of a line that describes a process. A recorded object may contain it, too. */
const processStart = '"k":"process"';

function splitProcesses(body: string): string[] {
  const starts: number[] = [];
  for (let at = body.indexOf(processStart); at !== -1; ) {
    const start = body.lastIndexOf("\n", at) + 1;
    const next = body.indexOf("\n", at);
    const end = next === -1 ? body.length : next;
    if (readTraceLine(body.slice(start, end))?.k === "process") starts.push(start);
    at = body.indexOf(processStart, end);
  }
  return starts.map((start, index) => body.slice(start, starts[index + 1] ?? body.length));
}
