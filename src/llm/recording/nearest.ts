import { hashData } from "../../base/hash.ts";
import type { WireRequest } from "../provider.ts";
import { firstDifference } from "./difference.ts";

/**
 * Explains why no recording fits this request. Finds the recorded request with the most equal messages from the first
 * on, and the first difference.
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
  if (difference === undefined) return "the run sent it, but ended before the answer";
  const { place, recorded: before, now } = difference;
  return `it differs from the nearest recorded one at ${place}: recorded ${before}, now ${now}`;
}

/** These requests, the most similar one first. */
export function byAgreement(request: WireRequest, recorded: readonly WireRequest[]): readonly WireRequest[] {
  return recorded
    .map((each) => ({ each, shared: agreement(each, request) }))
    .sort((a, b) => b.shared - a.shared)
    .map(({ each }) => each);
}

export function isRequest(value: unknown): value is WireRequest {
  return value !== null && typeof value === "object" && "messages" in value && Array.isArray(value.messages);
}

/** Number of equal messages from the first, then agreement of the rest of the request. */
function agreement(recorded: WireRequest, now: WireRequest): number {
  const hashes = now.messages.map(hashData);
  const at = recorded.messages.findIndex((message, index) => hashData(message) !== hashes[index]);
  const messages = at === -1 ? recorded.messages.length : at;
  const same = (["role", "system", "tools", "output", "settings"] as const).filter(
    (key) => hashData(recorded[key]) === hashData(now[key]),
  );
  const lengths = Math.abs(recorded.messages.length - now.messages.length);
  return messages * 10 + same.length * 3 - Math.min(lengths, 9) / 10;
}
