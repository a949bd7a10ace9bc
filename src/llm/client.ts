/** Implements the client of `contract.ts` over opened models. */
import { fail, succeed } from "../base/result.ts";
import { leastOutput } from "./budget.ts";
import type { Answer, FinishReason, ModelClient, ModelRequest, ModelResult } from "./contract.ts";
import { createEmbedder } from "./embed.ts";
import { estimateTokens } from "./price.ts";
import type { RawAnswer, RawUsage } from "./provider.ts";
import { askToRepair, callsOf, partsOf, readOutput, textOf, toFailure } from "./read-answer.ts";
import type { ClientOptions } from "./routes.ts";
import { sumUsage } from "./spending.ts";
import { askWatched } from "./watch.ts";
import { toWire } from "./wire.ts";

export function createClient(options: ClientOptions): ModelClient {
  const { routes, budget, ledger } = options;
  return {
    modelOf(role) {
      const { name, contextTokens, price, transport } = routes.byRole[role];
      return { name, contextTokens, priced: price !== undefined || !transport.remote };
    },
    generate: (request) => generate(options, request),
    embedder: createEmbedder(options),
    within: (limits) => createClient({ ...options, budget: budget.child(limits), ledger: ledger.child() }),
    watchedBy: (watcher) => createClient({ ...options, watcher }),
    spent: ledger.spent,
    left: budget.left,
  };
}

interface Taken {
  readonly raw: RawAnswer;
  readonly usages: readonly RawUsage[];
  readonly recorded: boolean;
  readonly handle: string;
}

async function generate<T>(
  options: ClientOptions,
  request: ModelRequest<T>,
): Promise<ModelResult<Answer<T>>> {
  const first = await take(options, request);
  if (!first.ok) return first;
  const { raw } = first.value;
  if (request.output === undefined || raw.finish === "calls")
    return succeed(toAnswer(options, request, [first.value], undefined));
  const reading = readOutput(textOf(raw.parts, "text"), request.output);
  if (reading.fits) return succeed(toAnswer(options, request, [first.value], reading.output));
  const second = await take(options, askToRepair(request, raw, reading.why));
  if (!second.ok) return second;
  const text = textOf(second.value.raw.parts, "text");
  const repaired = readOutput(text, request.output);
  return repaired.fits
    ? succeed(toAnswer(options, request, [first.value, second.value], repaired.output))
    : {
        ...fail("bad-answer", `the answer does not have the form "${request.output.name}": ${repaired.why}`),
        text,
      };
}

const never = new AbortController().signal;

/** Takes an answer of any content. Only a refusal counts as a failure. */
async function take<T>(options: ClientOptions, request: ModelRequest<T>): Promise<ModelResult<Taken>> {
  const { routes } = options;
  const route = routes.byRole[request.role];
  const wire = toWire(request, routes.decoding[request.role]);
  const inputTokens = estimateTokens(JSON.stringify(wire));
  const onProgress = request.onProgress ?? (() => {});
  const { result, usages, recorded, handle } = await askWatched<RawAnswer>(options, {
    ...{ role: request.role, route, sample: wire.settings.sample },
    ...(request.condensed === undefined ? {} : { condensed: request.condensed }),
    call: {
      request: wire,
      inputTokens,
      outputTokens: outputThatFits(wire.settings.maxOutputTokens, inputTokens, route.contextTokens),
      final: request.final ?? false,
      signal: request.signal ?? never,
      onProgress,
      attempt: (maxOutputTokens, signal) =>
        route.transport.generate({ request: wire, maxOutputTokens, signal, onProgress }),
    },
  });
  if (!result.ok) return toFailure(result);
  if (result.value.finish === "refused") {
    const text = textOf(result.value.parts, "text");
    return { ...fail("refused", `${route.name} declines to answer`), text };
  }
  return succeed({ raw: result.value, usages, recorded, handle });
}

/**
 * Limits the output's tokens. Many servers refuse a request if input and maximum output together exceed the context.
 */
function outputThatFits(
  wanted: number,
  inputTokens: number,
  contextTokens = Number.POSITIVE_INFINITY,
): number {
  const left = contextTokens - inputTokens;
  return left < leastOutput ? wanted : Math.min(wanted, left);
}

/** Makes the answer from the last raw answer. The usage covers all raw answers. */
function toAnswer<T>(
  { routes }: ClientOptions,
  request: ModelRequest<T>,
  taken: readonly [Taken, ...Taken[]],
  output: T | undefined,
): Answer<T> {
  const { raw, handle } = taken.at(-1) ?? taken[0];
  return {
    text: textOf(raw.parts, "text"),
    calls: callsOf(raw, request.tools ?? []),
    reasoning: textOf(raw.parts, "reasoning"),
    output,
    message: { role: "assistant", parts: partsOf(raw) },
    finish: raw.finish as FinishReason,
    model: raw.model ?? routes.byRole[request.role].name,
    handle,
    usage: sumUsage(taken.flatMap(({ usages }) => usages)),
    recorded: taken.every(({ recorded }) => recorded),
    warnings: taken.flatMap(({ raw }) => raw.warnings),
  };
}
