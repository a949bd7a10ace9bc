/**
 * Finds tests that pass an argument which only the patch accepts: `fee(7, 3)` if the base has `fee(weight)`. Callers on
 * the base do not pass this argument, so the reported fault may remain. Works on the text; pure except for the parser.
 */

import type { ChangedFile } from "../../code/change.ts";
import { symbolsOf } from "../../code/symbols-of.ts";
import { argumentsAt } from "../../state/assertion-text.ts";
import { readParameters } from "../texts/code-lines.ts";
import type { OwnTest } from "../texts/own-tests.ts";

/** A function to which the patch adds parameters. */
export interface Widened {
  readonly name: string;
  /** Number of parameters on the base, without the receiver. */
  readonly had: number;
  /** The first added parameter. */
  readonly added: string;
}

export async function listWidened(files: readonly ChangedFile[]): Promise<Widened[]> {
  const found: Widened[] = [];
  for (const { path, before, after, isTest } of files) {
    if (isTest || before === undefined || after === undefined) continue;
    const [old, now] = [await listParameters(path, before), await listParameters(path, after)];
    for (const [name, parameters] of now) {
      const had = old.get(name)?.length;
      const added = had === undefined ? undefined : parameters[had];
      if (had !== undefined && added !== undefined) found.push({ name, had, added });
    }
  }
  return found;
}

/**
 * Finds the first function that the test always calls with more arguments than the base accepts; undefined if there is
 * none.
 */
export function findWidenedCall({ body, around }: OwnTest, widened: readonly Widened[]): Widened | undefined {
  const text = `${around}\n${body}`;
  return widened.find(({ name, had }) => {
    const counts = countArguments(text, name);
    return counts.length > 0 && counts.every((count) => count > had);
  });
}

/** Maps function names to their parameters, in order. Omits names that several functions have. */
async function listParameters(path: string, text: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const all = new Map<string, readonly string[]>();
  const seen = new Set<string>();
  for (const { name, signature } of (await symbolsOf(path, text))?.definitions ?? []) {
    if (!signature.includes("(", signature.indexOf(name) + name.length)) continue;
    if (seen.has(name)) all.delete(name);
    else all.set(name, readParameters(signature, name));
    seen.add(name);
  }
  return all;
}

/** Counts the arguments of each call of the name. Definitions do not count as calls. */
function countArguments(text: string, name: string): number[] {
  const escaped = name.replaceAll("$", String.raw`\$`);
  const called = new RegExp(
    `(?<![\\p{L}\\p{N}_$])(?<!\\b(?:def|fn|func|function)\\s+)${escaped}\\s*\\(`,
    "gu",
  );
  const opens = [...text.matchAll(called)].map(({ 0: { length }, index }) => index + length - 1);
  return argumentsAt(text, opens).map(({ length }) => length);
}
