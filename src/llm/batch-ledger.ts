/**
 * One budget of several processes: a file of the user's with the limits, and beside it a ledger in which each process writes what a call
 * may use before it makes it, and what it did use after it. The order of its lines decides who was first, so that nobody waits for
 * anybody; what a process held that died in a call stays held, for the call may have been paid.
 */
import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { z } from "zod";
import { isSystemError, MillwrightError } from "../base/errors.ts";
import type { BudgetLimits } from "./contract.ts";

export interface Amounts {
  usd: number;
  tokens: number;
  calls: number;
}

export interface BatchLedger {
  readonly limits: BudgetLimits;
  /** What all processes used and hold. Throws MillwrightError("disk"). */
  taken(): Amounts;
  /** Writes the amounts down; undefined where others were first, and they are not left any more. */
  hold(most: Amounts): Hold | undefined;
}

export interface Hold {
  settle(used: Amounts): void;
}

const limitsSchema = z.strictObject({
  usd: z.number().positive().optional(),
  tokens: z.int().positive().optional(),
  calls: z.int().positive().optional(),
});
const amountsSchema = z.object({ usd: z.number(), tokens: z.number(), calls: z.number() });
const lineSchema = z.object({
  id: z.string(),
  most: amountsSchema.optional(),
  used: amountsSchema.optional(),
});

/** Where the limits are read from; the ledger is the same name with `.ledger` behind it. Throws MillwrightError("usage"). */
export function openBatchLedger(path: string): BatchLedger {
  const limits = readLimits(path);
  const ledger = `${path}.ledger`;
  const taken = (before?: string): Amounts => sum(readLines(ledger), before);
  const append = (line: z.infer<typeof lineSchema>): void => appendLine(ledger, line);
  return {
    limits,
    taken,
    hold(most) {
      const id = randomUUID();
      append({ id, most });
      const settle = (used: Amounts): void => append({ id, used });
      const others = taken(id);
      const fits = (["usd", "tokens", "calls"] as const).every(
        (what) => others[what] + most[what] <= (limits[what] ?? Number.POSITIVE_INFINITY),
      );
      if (fits) return { settle };
      settle({ usd: 0, tokens: 0, calls: 0 });
      return undefined;
    },
  };
}

/** Of all calls, or of those whose line stands before that one's: the settled ones by what they used, the others by what they hold. */
function sum(lines: readonly z.infer<typeof lineSchema>[], before: string | undefined): Amounts {
  const calls = new Map<string, Amounts>();
  for (const { id, most } of lines) {
    if (id === before) break;
    if (most !== undefined) calls.set(id, most);
  }
  for (const { id, used } of lines) if (used !== undefined && calls.has(id)) calls.set(id, used);
  const total: Amounts = { usd: 0, tokens: 0, calls: 0 };
  for (const { usd, tokens, calls: count } of calls.values()) {
    total.usd += usd;
    total.tokens += tokens;
    total.calls += count;
  }
  return total;
}

function readLimits(path: string): BudgetLimits {
  try {
    return limitsSchema.parse(JSON.parse(readFileSync(path, "utf8"))) as BudgetLimits;
  } catch (error) {
    throw new MillwrightError("usage", `The budget ${path} cannot be read: ${String(error)}`, {
      cause: error,
      hint: 'Write it as {"usd": 5, "tokens": 2000000, "calls": 400}; each field is optional.',
    });
  }
}

function readLines(path: string): z.infer<typeof lineSchema>[] {
  try {
    return readFileSync(path, "utf8").split("\n").flatMap(readLine);
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return [];
    throw diskError(path, error);
  }
}

/** None where a crash tore the line. */
function readLine(text: string): z.infer<typeof lineSchema>[] {
  try {
    const parsed = lineSchema.safeParse(JSON.parse(text));
    return parsed.success ? [parsed.data] : [];
  } catch {
    return [];
  }
}

/** In one write, behind what a crash may have torn. */
function appendLine(path: string, line: object): void {
  try {
    const file = openSync(path, "a");
    try {
      writeSync(file, `\n${JSON.stringify(line)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw diskError(path, error);
  }
}

function diskError(path: string, cause: unknown): MillwrightError {
  return new MillwrightError("disk", `The ledger ${path} cannot be used: ${String(cause)}`, { cause });
}
