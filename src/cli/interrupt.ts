import { interruptedExitCode, MillwrightError } from "../base/errors.ts";

/**
 * Handles Ctrl-C and SIGTERM. The first one aborts the returned `signal`: the run stops, and the user can resume it.
 * The second one ends the process at once.
 */
export function listenForInterrupts(): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(interruptedExitCode);
    process.stderr.write("\nstopping … (interrupt again to stop at once)\n");
    controller.abort();
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return {
    signal: controller.signal,
    stop() {
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
    },
  };
}

/**
 * Runs work that the user can interrupt through `signal`. Turns any error after the interrupt into
 * MillwrightError("interrupted").
 */
export async function withInterrupts<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal, stop } = listenForInterrupts();
  try {
    return await work(signal);
  } catch (error) {
    const isSaid = error instanceof MillwrightError && error.code === "interrupted";
    if (!signal.aborted || isSaid) throw error;
    throw new MillwrightError("interrupted", "Stopped.", { cause: error });
  } finally {
    stop();
  }
}
