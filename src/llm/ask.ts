/**
 * Performs one model call. Answers it from the recording if possible. Otherwise checks it against the budget, sends it,
 * retries it if a retry may help, and records it.
 */
import { abortAfter } from "../base/abort-after.ts";
import { hashData } from "../base/hash.ts";
import type { Redactor } from "../base/redact.ts";
import { fail } from "../base/result.ts";
import { type Budget, usdOf } from "./budget.ts";
import type { Clock } from "./clock.ts";
import type { ModelFailureKind, ProgressEvent } from "./contract.ts";
import { freeOfCharge, type Price } from "./price.ts";
import type { RawUsage, Transport, TransportResult } from "./provider.ts";
import type { RecordedAnswer, Recording } from "./recording/store.ts";
import type { Throttle } from "./throttle.ts";
import { type Patience, tryAgain } from "./try-again.ts";

/** An opened model, with its price and limits. */
export interface Route {
  /** The model's name, `PROVIDER/ID`. */
  readonly name: string;
  readonly transport: Transport;
  readonly price: Price | undefined;
  readonly contextTokens: number | undefined;
  readonly throttle: Throttle;
}

export interface AskContext {
  readonly recording: Recording | undefined;
  readonly redactor: Redactor;
  readonly patience: Patience;
  readonly clock: Clock;
  /** Calls in progress, by request. Equal requests of a recorded run get the answer of one call. */
  readonly pending: Map<string, Promise<Asked<unknown>>>;
  /** Requests whose answers were counted. An answer that is read again does not count again. */
  readonly counted: Set<string>;
}

export interface Call<T> {
  /** The request. It must not change after this call. */
  readonly request: object;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly final: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (event: ProgressEvent) => void;
  /** Called before the request is sent; not called if the recording has the answer. */
  readonly onAsking: () => void;
  readonly attempt: (outputTokens: number, signal: AbortSignal) => Promise<TransportResult<T>>;
}

export interface Asked<T> {
  readonly result: TransportResult<T>;
  /** The paid usages of this call or of the recorded one, including failed attempts, in order. */
  readonly usages: readonly RawUsage[];
  /** The usages paid for the request before this call, according to the recording, in order. */
  readonly before: readonly RawUsage[];
  /** The usages paid in this call, in order. */
  readonly fresh: readonly RawUsage[];
  readonly recorded: boolean;
}

export async function ask<T extends { readonly usage: RawUsage }>(
  route: Route,
  budget: Budget,
  call: Call<T>,
  context: AskContext,
): Promise<Asked<T>> {
  const { recording, pending, counted } = context;
  if (recording === undefined && !route.transport.repeats) return askAndPay(route, budget, call, context);
  const key = `${route.name} ${hashData(call.request)}`;
  for (let other = pending.get(key); other !== undefined; other = pending.get(key)) {
    const { result } = (await other) as Asked<T>;
    if (result.ok || result.kind !== "cancelled")
      return { result, usages: [], before: [], fresh: [], recorded: true };
    if (pending.get(key) === other) pending.delete(key);
  }
  const asked = askOnce(route, budget, { ...call, paid: counted.has(key) }, context);
  pending.set(key, asked);
  const { result } = await asked.finally(() => pending.get(key) === asked && pending.delete(key));
  if (result.ok || !ours.includes(result.kind)) counted.add(key);
  return asked;
}

/** Answers from the recording if possible. `paid`: true if this process counted the request before. */
async function askOnce<T extends { readonly usage: RawUsage }>(
  route: Route,
  budget: Budget,
  call: Call<T> & { readonly paid: boolean },
  context: AskContext,
): Promise<Asked<T>> {
  const { recording } = context;
  if (recording === undefined) return askAndPay(route, budget, call, context);
  const found = await recording.find(call.request);
  const known = found?.model === route.name ? found : undefined;
  const before = known === undefined ? [] : paidFor(known);
  const counted = call.paid ? [] : before;
  for (const usage of counted) budget.charge(usage, route.price);
  if (known !== undefined && isSettled(known))
    return { result: known.result as TransportResult<T>, usages: counted, before, fresh: [], recorded: true };
  await recording.asked(call.request);
  const { result, usages } = await askAndPay(route, budget, call, context);
  if (result.ok || !ours.includes(result.kind)) {
    const attempts = [...before, ...usages];
    await recording.answered(call.request, {
      ...{ model: route.name, result },
      ...(result.ok && attempts.length === 1 ? {} : { usages: attempts }),
    });
  }
  return { result, usages: [...counted, ...usages], before, fresh: usages, recorded: false };
}

/** Returns all usages paid until this answer or failure. */
function paidFor({ result, usages }: RecordedAnswer): readonly RawUsage[] {
  if (usages !== undefined) return usages;
  const usage = result.ok ? (result.value as { readonly usage: RawUsage }).usage : result.usage;
  return usage === undefined ? [] : [usage];
}

/** Kinds of failures that come from Millwright, not from a provider. A replay computes these failures again. */
const ours: readonly ModelFailureKind[] = ["budget", "cancelled"];

/**
 * True if another attempt would end in the same way, or if the answer was paid for. A resumed run then repeats this
 * result. Only replays use other results.
 */
function isSettled({ result }: RecordedAnswer): boolean {
  return result.ok || settled.includes(result.kind);
}

const settled: readonly ModelFailureKind[] = ["context-too-long", "refused", "bad-answer"];

async function askAndPay<T extends { readonly usage: RawUsage }>(
  route: Route,
  budget: Budget,
  call: Call<T> & { readonly paid?: boolean },
  context: AskContext,
): Promise<Asked<T>> {
  const { remote, repeats = false } = route.transport;
  const free = repeats && call.paid === true;
  call.onAsking();
  const usages: RawUsage[] = [];
  const timeLimit = abortAfter(budget.remainingMs(call.final));
  const signal = timeLimit === undefined ? call.signal : AbortSignal.any([call.signal, timeLimit]);
  const attempt = async (): Promise<TransportResult<T>> => {
    const price = remote ? route.price : (route.price ?? freeOfCharge);
    const reserved = await budget.reserve({ ...call, model: route.name, price });
    if (!reserved.ok) return reserved;
    const result = withCost(await call.attempt(reserved.value.outputTokens, signal), route.price);
    const said = result.ok ? result.value.usage : result.usage;
    const usage = free ? undefined : said;
    await reserved.value.settle(usage);
    if (usage !== undefined) usages.push(usage);
    return clean(result, context.redactor);
  };
  const result = remote
    ? await tryAgain({ ...context, ...route, ...call, attempt, signal })
    : await attempt();
  const late = !result.ok && result.kind === "cancelled" && !call.signal.aborted;
  return {
    result: late ? fail("budget", "the time limit for models was reached") : result,
    usages,
    before: [],
    fresh: usages,
    recorded: false,
  };
}

/** Adds the cost, so that readers of the recording need no price. */
function withCost<T extends { readonly usage: RawUsage }>(
  result: TransportResult<T>,
  price: Price | undefined,
): TransportResult<T> {
  const usage = result.ok ? result.value.usage : result.usage;
  const usd = usage === undefined ? undefined : usdOf(usage, price);
  if (usage === undefined || usd === undefined) return result;
  return result.ok
    ? { ...result, value: { ...result.value, usage: { ...usage, usd } } }
    : { ...result, usage: { ...usage, usd } };
}

function clean<T>(result: TransportResult<T>, redactor: Redactor): TransportResult<T> {
  return result.ok ? result : { ...result, message: redactor.text(result.message) };
}
