import { hashData } from "../../base/hash.ts";
import type { WireRequest } from "../provider.ts";
import { firstDifference } from "./difference.ts";
import { steadyRequest } from "./steady.ts";

/**
 * Explains why no recording fits this request. Finds the recorded request that agrees with this request for the most
 * messages, from the first on. Describes the first difference.
 */
export function explainMiss(request: WireRequest, recorded: readonly unknown[]): string {
  const [nearest] = byAgreement(request, recorded.filter(isRequest));
  if (nearest === undefined) return "the folder contains no recorded request";
  const { messages, ...rest } = nearest;
  const { messages: present, ...others } = request;
  const difference = firstDifference(
    { ...rest, messages },
    JSON.parse(JSON.stringify({ ...others, messages: present })),
  );
  if (difference === undefined) return "the run sent this request, but ended before the answer";
  const { place, recorded: before, now } = difference;
  return `it differs from the nearest recorded request at ${place}: recorded ${before}, now ${now}`;
}

/**
 * Sorts the recorded requests by their agreement with this request, the most similar first. The number of equal first
 * messages weighs most. The other fields, the number of messages and the shared words count too.
 */
export function byAgreement(request: WireRequest, recorded: readonly WireRequest[]): readonly WireRequest[] {
  return recorded
    .map((each) => ({ each, shared: agreement(each, request) }))
    .sort((a, b) => b.shared - a.shared)
    .map(({ each }) => each);
}

/** Minimum share of common words for a similar request. */
const leastSimilar = 0.8;

/**
 * Selects the recorded requests that differ from this one only in the texts for the model. They must share most words
 * of these texts. Role, instructions, tools, settings and the model's earlier answers must be equal. The most similar
 * request comes first.
 */
export function bySimilarity(request: WireRequest, recorded: readonly WireRequest[]): readonly WireRequest[] {
  const frame = frameOf(request);
  const words = wordsOf(request);
  return recorded
    .filter((each) => each.messages.length === request.messages.length && frameOf(each) === frame)
    .map((each) => ({ each, shared: sharedWords(wordsOf(each), words) }))
    .filter(({ shared }) => shared >= leastSimilar)
    .sort((a, b) => b.shared - a.shared)
    .map(({ each }) => each);
}

/** Returns a hash of the request without the texts that it reports to the model. */
function frameOf({ messages, ...rest }: WireRequest): string {
  return hashData([rest, messages.map((each) => (each.role === "assistant" ? each : each.role))]);
}

/** Counts each word in the texts that the request reports to the model. */
function wordsOf({ messages }: WireRequest): ReadonlyMap<string, number> {
  const texts = messages.flatMap((each) => {
    if (each.role === "user") return [each.text];
    return each.role === "tool" ? each.results.map(({ text }) => text) : [];
  });
  const counts = new Map<string, number>();
  for (const word of steadyRequest(texts).join(" ").split(/\s+/))
    counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Returns the share of words that both requests have, from 0 to 1. Counts each occurrence. */
function sharedWords(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let [both, either] = [0, 0];
  for (const word of new Set([...a.keys(), ...b.keys()])) {
    const [first, second] = [a.get(word) ?? 0, b.get(word) ?? 0];
    both += Math.min(first, second);
    either += (first + second) / 2;
  }
  return both / either;
}

export function isRequest(value: unknown): value is WireRequest {
  return value !== null && typeof value === "object" && "messages" in value && Array.isArray(value.messages);
}

/**
 * Returns the agreement of two requests, in order of weight: number of equal messages from the first on, agreement of
 * the rest of the request, shared words.
 */
function agreement(recorded: WireRequest, now: WireRequest): number {
  const hashes = now.messages.map(hashData);
  const at = recorded.messages.findIndex((message, index) => hashData(message) !== hashes[index]);
  const messages = at === -1 ? recorded.messages.length : at;
  const same = (["role", "system", "tools", "output", "settings"] as const).filter(
    (key) => hashData(recorded[key]) === hashData(now[key]),
  );
  const lengths = Math.abs(recorded.messages.length - now.messages.length);
  const words = sharedWords(wordsOf(recorded), wordsOf(now));
  return messages * 10 + same.length * 3 + words - Math.min(lengths, 9) / 10;
}
