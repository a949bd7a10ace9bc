/** Repeated calls told once: neighbours, or groups of neighbours, that call the same functions and end the same way. */
import { hashText } from "../base/hash.ts";
import type { TraceCall } from "./trace-model.ts";

export interface FoldedCalls {
  /** The first round: one call, or the few that come again and again. */
  readonly calls: readonly TraceCall[];
  /** 1: nothing was folded. */
  readonly times: number;
  /** The last call of the last round. */
  readonly last: TraceCall;
}

/** Calls in a group that repeats. */
const longestGroup = 4;

export function foldCalls(calls: readonly TraceCall[]): FoldedCalls[] {
  const shapes = calls.map(shapeOf);
  const folded: FoldedCalls[] = [];
  for (let at = 0; at < calls.length; ) {
    const { length, times } = findRepeats(shapes, at);
    const group = calls.slice(at, at + length);
    const last = calls[at + length * times - 1];
    if (last === undefined) break;
    folded.push({ calls: group, times, last });
    at += length * times;
  }
  return folded;
}

/** The group that begins at a place and covers most; the shortest of equals. */
function findRepeats(shapes: readonly string[], at: number): { length: number; times: number } {
  let best = { length: 1, times: 1 };
  for (let length = 1; length <= longestGroup; length += 1) {
    let times = 1;
    while (isSame(shapes, at, at + length * times, length)) times += 1;
    if (times > 1 && length * times > best.length * best.times) best = { length, times };
  }
  return best;
}

function isSame(shapes: readonly string[], first: number, second: number, length: number): boolean {
  if (second + length > shapes.length) return false;
  for (let index = 0; index < length; index += 1) {
    if (shapes[first + index] !== shapes[second + index]) return false;
  }
  return true;
}

/** Longer ones are told by their hash. */
const longestShape = 1000;
/** Deeper than this, calls count as the same. */
const comparedDepth = 3;
const known = new WeakMap<TraceCall, string>();

/** What was called below and how it ended, without values. */
function shapeOf(call: TraceCall): string {
  const present = known.get(call);
  if (present !== undefined) return present;
  const shape = describe(call, comparedDepth);
  known.set(call, shape);
  return shape;
}

function describe(call: TraceCall, depth: number): string {
  const own = `${call.function.path}:${call.function.line} ${call.function.name} ${call.how} ${call.spawned ?? ""} ${call.test ?? ""}`;
  if (depth === 0 || call.children.length === 0) return own;
  // How often the same comes in a row below does not matter: a loop of three is like one of five.
  const below = call.children.map((child) => describe(child, depth - 1));
  const shape = `${own}(${below.filter((each, index) => each !== below[index - 1]).join(",")})`;
  return shape.length > longestShape ? hashText(shape) : shape;
}
