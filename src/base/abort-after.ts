/** The longest delay of a Node timer, in milliseconds. */
const longestMs = 2 ** 31 - 1;

/**
 * Returns a signal that aborts after `ms` milliseconds, which may be fractional. Undefined for delays longer than a
 * timer allows.
 */
export function abortAfter(ms: number): AbortSignal | undefined {
  return ms > longestMs ? undefined : AbortSignal.timeout(Math.max(0, Math.floor(ms)));
}
