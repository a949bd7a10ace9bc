/**
 * Parses one line of a traced process with handwritten checks. A trace has millions of lines, and the equivalent schema
 * in `trace-lines.ts` would take ten times as long.
 */
import { type Fields, isRecord } from "../base/fields.ts";
import type { TraceLine } from "./trace-lines.ts";

/** Parses a line of a trace. Undefined if the line does not have a form that our runtimes write. */
export function readTraceLine(text: string): TraceLine | undefined {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isTraceLine(line) ? line : undefined;
}

function isTraceLine(line: unknown): line is TraceLine {
  if (!isRecord(line)) return false;
  const check = typeof line["k"] === "string" ? checks.get(line["k"]) : undefined;
  return check?.(line) === true;
}

const ways = new Set<unknown>(["return", "error", "throw", "drop"]);
const reasons = new Set<unknown>(["depth", "records", "bytes", "sampled"]);

const checks = new Map<string, (line: Fields) => boolean>([
  ["in", isEntry],
  ["out", isExit],
  ["wait", ({ c, at }) => isWhole(c) && isWhole(at)],
  ["wake", ({ c, at }) => isWhole(c) && isWhole(at)],
  ["end", ({ at }) => isWhole(at)],
  ["thread", ({ n, name, from }) => isWhole(n) && isText(name) && isAbsentOr(from, isWhole)],
  ["cut", ({ f, why, count }) => isWhole(f) && reasons.has(why) && isWhole(count)],
  ["function", ({ f, name, path, line }) => isWhole(f) && isText(name) && isText(path) && isWhole(line)],
  ["process", isProcess],
]);

function isProcess({ v, pid, parent, language, arguments: words, epoch }: Fields): boolean {
  if (v !== 1 || !isWhole(pid) || !isWhole(parent) || !isText(language)) return false;
  return Array.isArray(words) && words.every(isText) && typeof epoch === "number";
}

function isEntry({ c, f, p, th, task, test, at, args, on }: Fields): boolean {
  if (!isWhole(c) || !isWhole(f) || !isWhole(th) || !isWhole(at)) return false;
  if (!isAbsentOr(p, isWhole) || !isAbsentOr(task, isWhole)) return false;
  if (!isAbsentOr(test, isText) || !isAbsentOr(on, isText)) return false;
  return args === undefined || (Array.isArray(args) && args.every(isArgument));
}

function isExit({ c, at, how, value, after, message, place }: Fields): boolean {
  if (!isWhole(c) || !isWhole(at) || !ways.has(how)) return false;
  if (after !== undefined && !(Array.isArray(after) && after.every(isArgument))) return false;
  return isAbsentOr(value, isValue) && isAbsentOr(message, isText) && isAbsentOr(place, isText);
}

function isArgument(pair: unknown): boolean {
  return Array.isArray(pair) && pair.length === 2 && isText(pair[0]) && isValue(pair[1]);
}

/**
 * True for a value with exactly one of `j` (data), `d` (the language's text) and `t` (a type's name). It may also have
 * `cut`.
 */
function isValue(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { j, d, t, cut } = value;
  if (!isAbsentOr(cut, isWhole)) return false;
  const [only, ...others] = Object.keys(value).filter((key) => key !== "cut");
  if (others.length > 0) return false;
  return (only === "j" && j !== undefined) || (only === "d" && isText(d)) || (only === "t" && isText(t));
}

function isAbsentOr(value: unknown, check: (value: unknown) => boolean): boolean {
  return value === undefined || check(value);
}

function isWhole(value: unknown): boolean {
  return Number.isSafeInteger(value);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}
