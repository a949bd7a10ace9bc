/**
 * A budget for models. Millwright makes a call only if the rest of the budget covers the call's maximum use. It
 * reserves this amount until the actual use is known. The limits of a child budget apply in addition to those of its
 * parents; the parents count the child's use too.
 */
import { fail, succeed } from "../base/result.ts";
import type { Amounts, BatchLedger } from "./batch-spending.ts";
import type { BudgetLimits, ModelResult } from "./contract.ts";
import { costOf, highestCost, type Price } from "./price.ts";
import type { RawUsage } from "./provider.ts";

export interface Budget {
  /** Reserves the call's maximum use; fails with "budget" if too little is left. */
  reserve(call: PlannedCall): Promise<ModelResult<Reservation>>;
  /** Counts usage that an earlier process of the run paid. Never refuses. The batch has already counted this usage. */
  charge(usage: RawUsage, price: Price | undefined): void;
  /** Returns the milliseconds of wall time that a call may take; Infinity without a limit. */
  remainingMs(final: boolean): number;
  /** Returns the amounts left for calls that are not `final`; a field is absent without a limit. */
  left(): { readonly usd?: number; readonly tokens?: number };
  /** Makes a child budget. `keepBack`: see BudgetOptions; default 0. */
  child(limits: BudgetLimits, keepBack?: number): Budget;
}

export interface PlannedCall {
  /** The model's name, for messages. */
  readonly model: string;
  readonly price: Price | undefined;
  readonly inputTokens: number;
  /** The requested number of output tokens. */
  readonly outputTokens: number;
  /** True if the call may use the reserve. */
  readonly final: boolean;
}

export interface Reservation {
  /** The output tokens that the budget can pay, at most the requested number. */
  readonly outputTokens: number;
  /** Ends the reservation. Counts the actual usage, or nothing if there was no answer. */
  settle(usage: RawUsage | undefined): Promise<void>;
}

/** Minimum number of output tokens: a shorter answer is useless. */
export const leastOutput = 512;

export interface BudgetOptions {
  /** The share of each limit that only `final` calls may use. */
  readonly keepBack: number;
  readonly now: () => number;
  /** The budget shared with other processes; it applies in addition to the limits. */
  readonly batch?: BatchLedger | undefined;
}

interface Account {
  readonly limits: Required<BudgetLimits>;
  readonly keepBack: number;
  readonly started: number;
  readonly used: Amounts;
  readonly held: Amounts;
}

export function createBudget(limits: BudgetLimits, options: BudgetOptions): Budget {
  return budgetOf([openAccount(limits, options.keepBack, options.now())], options);
}

/** Makes a budget. `accounts`: the budget's own account and those of its parents. */
function budgetOf(accounts: readonly Account[], options: Pick<BudgetOptions, "now" | "batch">): Budget {
  const { now, batch } = options;
  const remainingMs = (final: boolean): number =>
    Math.min(...accounts.map((account) => leftMs(account, now(), final)));
  return {
    async reserve(call) {
      if (remainingMs(call.final) <= 0) return fail("budget", "the time limit for models was reached");
      return batch === undefined ? reserve(accounts, call) : reserveOfBatch(batch, accounts, call);
    },
    charge(usage, price) {
      for (const account of accounts) count(account, usage, price);
    },
    remainingMs,
    left() {
      const leastOf = (what: "usd" | "tokens"): number =>
        Math.max(0, Math.min(...accounts.map((account) => leftOf(account, what, false))));
      const [usd, tokens] = [leastOf("usd"), leastOf("tokens")];
      return { ...(Number.isFinite(usd) ? { usd } : {}), ...(Number.isFinite(tokens) ? { tokens } : {}) };
    },
    child: (limits, keepBack = 0) => budgetOf([...accounts, openAccount(limits, keepBack, now())], options),
  };
}

function openAccount(limits: BudgetLimits, keepBack: number, started: number): Account {
  const none = Number.POSITIVE_INFINITY;
  const { usd = none, tokens = none, calls = none, ms = none } = limits;
  return {
    limits: { usd, tokens, calls, ms },
    keepBack,
    started,
    used: nothing(),
    held: nothing(),
  };
}

/** Maximum number of attempts to reserve amounts before other processes do. */
const mostTries = 8;

/**
 * Reserves amounts of the batch's budget, which never exceed the rest. Serves processes in the order in which they ask.
 */
async function reserveOfBatch(
  batch: BatchLedger,
  accounts: readonly Account[],
  call: PlannedCall,
): Promise<ModelResult<Reservation>> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const shared = { ...openAccount(batch.limits, 0, 0), used: await batch.taken() };
    const reserved = reserve([...accounts, shared], call);
    if (!reserved.ok) return reserved;
    const hold = await batch.hold(shared.held);
    if (hold === undefined) {
      await reserved.value.settle(undefined);
      continue;
    }
    const { outputTokens, settle } = reserved.value;
    return succeed({
      outputTokens,
      async settle(usage) {
        await settle(usage);
        await hold.settle(usage === undefined ? nothing() : amountsOf(usage, call.price));
      },
    });
  }
  return fail("budget", "other runs used up the batch's limit");
}

const nothing = (): Amounts => ({ usd: 0, tokens: 0, calls: 0 });

function reserve(accounts: readonly Account[], call: PlannedCall): ModelResult<Reservation> {
  const left = (what: keyof Amounts) =>
    Math.min(...accounts.map((account) => leftOf(account, what, call.final)));
  const [usd, tokens, calls] = [left("usd"), left("tokens"), left("calls")];
  if (calls < 1) return fail("budget", "the limit of model calls was reached");
  if (usd !== Number.POSITIVE_INFINITY && call.price === undefined)
    return fail(
      "budget",
      `the price of ${call.model} is unknown, so a cost limit cannot be enforced: give the price in "modelPrices" of the settings`,
    );
  const outputTokens = Math.min(call.outputTokens, tokens - call.inputTokens, affordable(call, usd));
  if (outputTokens < Math.min(call.outputTokens, leastOutput)) {
    const what = tokens - call.inputTokens < leastOutput ? "tokens" : "cost";
    const amount =
      what === "cost"
        ? `${Math.max(0, usd).toFixed(4)} US dollars`
        : `${Math.max(0, Math.floor(tokens))} tokens`;
    return fail(
      "budget",
      `a call with about ${call.inputTokens} input tokens may exceed the limit of ${what}: ${amount} are left`,
    );
  }
  const hold: Amounts = {
    usd: call.price === undefined ? 0 : highestCost(call.price, call.inputTokens, outputTokens),
    tokens: call.inputTokens + outputTokens,
    calls: 1,
  };
  for (const { held } of accounts) add(held, hold, 1);
  let open = true;
  return succeed({
    outputTokens,
    async settle(usage) {
      if (!open) return;
      open = false;
      for (const account of accounts) {
        add(account.held, hold, -1);
        if (usage !== undefined) count(account, usage, call.price);
      }
    },
  });
}

/** Returns the output tokens that the rest of the budget can pay. */
function affordable({ price, inputTokens }: PlannedCall, usd: number): number {
  if (price === undefined || usd === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
  const left = usd - highestCost(price, inputTokens, 0);
  const each = highestCost(price, inputTokens, 1_000_000) - highestCost(price, inputTokens, 0);
  if (left < 0) return Number.NEGATIVE_INFINITY;
  return each === 0 ? Number.POSITIVE_INFINITY : Math.floor((left / each) * 1e6);
}

function leftOf({ limits, keepBack, used, held }: Account, what: keyof Amounts, final: boolean): number {
  const limit = limits[what];
  if (limit === Number.POSITIVE_INFINITY) return limit;
  const kept = final ? 0 : limit * keepBack;
  return limit - (what === "calls" ? Math.ceil(kept) : kept) - used[what] - held[what];
}

function leftMs({ limits, keepBack, started }: Account, now: number, final: boolean): number {
  return started + limits.ms * (final ? 1 : 1 - keepBack) - now;
}

function count({ used }: Account, usage: RawUsage, price: Price | undefined): void {
  add(used, amountsOf(usage, price), 1);
}

function amountsOf(usage: RawUsage, price: Price | undefined): Amounts {
  return { usd: usdOf(usage, price) ?? 0, tokens: usage.input + usage.output, calls: 1 };
}

/**
 * Returns the cost that the provider reports, or else the cost computed from the price; undefined if the price is
 * unknown.
 */
export function usdOf(usage: RawUsage, price: Price | undefined): number | undefined {
  return usage.usd ?? (price === undefined ? undefined : costOf(price, usage));
}

function add(to: Amounts, amounts: Amounts, sign: 1 | -1): void {
  to.usd += sign * amounts.usd;
  to.tokens += sign * amounts.tokens;
  to.calls += sign * amounts.calls;
}
