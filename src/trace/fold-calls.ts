/**
 * Folds repeated calls, so that a trace shows them once. Folds neighbours, or groups of neighbours, that call the same
 * functions and end the same way.
 */
import { once } from "../base/once.ts";
import type { CalledFunction, TraceCall } from "./trace-model.ts";

export interface FoldedCalls {
  /** The calls of the first round: one call, or a short repeating sequence. */
  readonly calls: readonly TraceCall[];
  /** Number of rounds; 1 if nothing is folded. */
  readonly times: number;
  /** The last call of the last round. */
  readonly last: TraceCall;
}

/** Maximum length of a repeating group. */
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

/** The repeated group at a position that covers most calls. Of equally good groups, the shortest. */
function findRepeats(shapes: readonly number[], at: number): { length: number; times: number } {
  let best = { length: 1, times: 1 };
  for (let length = 1; length <= longestGroup; length += 1) {
    let times = 1;
    while (isSame(shapes, at, at + length * times, length)) times += 1;
    if (times > 1 && length * times > best.length * best.times) best = { length, times };
  }
  return best;
}

function isSame(shapes: readonly number[], first: number, second: number, length: number): boolean {
  if (second + length > shapes.length) return false;
  for (let index = 0; index < length; index += 1) {
    if (shapes[first + index] !== shapes[second + index]) return false;
  }
  return true;
}

/** Depth to which the folding compares calls. Below it, calls count as equal. */
const comparedDepth = 3;
/** A hash of a call, its inner calls and their ends, without values. */
const shapeOf = once((call: TraceCall): number => describe(call, comparedDepth));

function describe(call: TraceCall, depth: number): number {
  let shape = mix(numberOfFunction(call.function), numberOf(call.how));
  shape = mix(mix(shape, numberOf(call.spawned ?? "")), numberOf(call.test ?? ""));
  if (depth === 0) return shape;
  // The number of repetitions below does not matter: a loop of three equals one of five.
  let before: number | undefined;
  for (const child of call.children) {
    const below = describe(child, depth - 1);
    if (below !== before) shape = mix(shape, below);
    before = below;
  }
  return shape;
}

const numberOfFunction = once((called: CalledFunction): number =>
  numberOf(`${called.path}:${called.line} ${called.name}`),
);

/**
 * Combines two 32-bit hashes. With a chance of one in billions, different neighbours collide and Millwright folds them.
 */
function mix(a: number, b: number): number {
  const mixed = Math.imul(a ^ (b >>> 15) ^ b, 0x85eb_ca6b);
  return Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
}

function numberOf(text: string): number {
  let number = 0;
  for (let index = 0; index < text.length; index += 1) number = mix(number, text.charCodeAt(index) + 1);
  return number;
}
