/** The longest that a timer can run. */
const longestMs = 2 ** 31 - 1;

/** Aborts after the milliseconds, whole or not; undefined where no timer runs that long. Timers take whole numbers alone. */
export function abortAfter(ms: number): AbortSignal | undefined {
  return ms > longestMs ? undefined : AbortSignal.timeout(Math.max(0, Math.floor(ms)));
}
