/** Reads a host's rate limits from its answers. */

/** Milliseconds to wait after a refusal that names no time. GitHub asks for a minute after its secondary limit. */
const usualMs = 60_000;

/**
 * Returns the milliseconds to wait if the answer is a refusal for too many requests; undefined for any other answer.
 * `now`: milliseconds since 1970.
 */
export function askedWait(status: number, headers: Headers, text: string, now: number): number | undefined {
  if (status !== 429 && status !== 403) return undefined;
  const after = retryAfter(headers, now);
  if (after !== undefined) return after;
  if (isUsedUp(headers)) return untilReset(headers, now) ?? usualMs;
  const isLimit = status === 429 || /rate limit|abuse detection/i.test(text);
  return isLimit ? usualMs : undefined;
}

/**
 * Returns the time of the next allowed request, in milliseconds since 1970. Undefined if the limit allows further
 * requests now, or if the answer does not contain the time.
 */
export function nextAllowed(headers: Headers, now: number): number | undefined {
  const wait = isUsedUp(headers) ? untilReset(headers, now) : undefined;
  return wait === undefined ? undefined : now + wait;
}

function isUsedUp(headers: Headers): boolean {
  return (headers.get("x-ratelimit-remaining") ?? headers.get("ratelimit-remaining")) === "0";
}

function untilReset(headers: Headers, now: number): number | undefined {
  const seconds = Number(headers.get("x-ratelimit-reset") ?? headers.get("ratelimit-reset") ?? Number.NaN);
  // The host rounds down to whole seconds.
  return Number.isNaN(seconds) ? undefined : Math.max(0, (seconds + 1) * 1000 - now);
}

function retryAfter(headers: Headers, now: number): number | undefined {
  const text = headers.get("retry-after");
  if (text === null) return undefined;
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
