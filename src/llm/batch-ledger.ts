/**
 * A budget that several processes share. The user's file has the limits; a ledger next to it has the usage. Before a
 * call, a process appends the maximum use of the call; after the call, the actual use. If two processes want the same
 * amount, the process whose line comes first gets it. No process waits for another. If a process dies during a call,
 * its amount stays reserved, because the provider may have charged for the call.
 */
import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { z } from "zod";
import { isSystemError, MillwrightError } from "../base/errors.ts";
import type { Amounts, BatchLedger } from "./batch-spending.ts";
import type { BudgetLimits } from "./contract.ts";
import { openServedLedger } from "./served-ledger.ts";

export type ReadLimits = BudgetLimits & { readonly server?: string };

const limitsSchema = z.strictObject({
  usd: z.number().positive().optional(),
  tokens: z.int().positive().optional(),
  calls: z.int().positive().optional(),
  /** The socket of a process that keeps the ledger for several machines; see served-ledger.ts. */
  server: z.string().optional(),
});
const amountsSchema = z.object({ usd: z.number(), tokens: z.number(), calls: z.number() });
const lineSchema = z.object({
  id: z.string(),
  most: amountsSchema.optional(),
  used: amountsSchema.optional(),
});

/**
 * Reads the limits from `path`, and opens their ledger: the file with `.ledger` appended, or the `server` that the
 * limits name. Throws MillwrightError("usage") if the limits are unreadable or invalid.
 */
export function openBatchLedger(path: string): BatchLedger {
  const { server, ...limits } = readLimits(path);
  if (server !== undefined) return openServedLedger(server, limits);
  const ledger = `${path}.ledger`;
  const taken = (before?: string): Amounts => sum(readLines(ledger), before);
  const append = (line: z.infer<typeof lineSchema>): void => appendLine(ledger, line);
  return {
    limits,
    taken: async () => taken(),
    async hold(most) {
      const id = randomUUID();
      append({ id, most });
      const settle = async (used: Amounts): Promise<void> => append({ id, used });
      const others = taken(id);
      const fits = (["usd", "tokens", "calls"] as const).every(
        (what) => others[what] + most[what] <= (limits[what] ?? Number.POSITIVE_INFINITY),
      );
      if (fits) return { settle };
      await settle({ usd: 0, tokens: 0, calls: 0 });
      return undefined;
    },
  };
}

/**
 * Sums over all calls, or over the calls with a line before the given one: actual use for finished calls, held amounts
 * for others.
 */
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

/** Reads a batch's limits from a file. Throws MillwrightError("usage") if the file is unreadable or invalid. */
export function readLimits(path: string): ReadLimits {
  try {
    return limitsSchema.parse(JSON.parse(readFileSync(path, "utf8"))) as ReadLimits;
  } catch (error) {
    throw new MillwrightError("usage", `The budget ${path} cannot be read: ${String(error)}`, {
      cause: error,
      hint: 'Write the file as {"usd": 5, "tokens": 2000000, "calls": 400}; each field is optional.',
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

/** Parses a line; empty if a crash tore it. */
function readLine(text: string): z.infer<typeof lineSchema>[] {
  try {
    const parsed = lineSchema.safeParse(JSON.parse(text));
    return parsed.success ? [parsed.data] : [];
  } catch {
    return [];
  }
}

/** Appends a line with one call. Begins a new line, because a crash may have torn the last line. */
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
