/** Retries work after a broken connection or an overloaded server, until the server is back. */
import { setTimeout as delay } from "node:timers/promises";
import { isSystemError, MillwrightError } from "../base/errors.ts";
import { createRedactor } from "../base/redact.ts";

/** Error codes of the operating system. */
const systemCodes = /^(ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT)$/;
/**
 * Error codes of PostgreSQL: lost connections, serialization failures, deadlocks, timeouts of idle sessions, too many
 * connections, stops and starts.
 */
const serverCodes = /^(08\w{3}|25P03|40001|40P01|53300|57P0[1235])$/;
const brokenTexts =
  /connection terminated|connection ended|timeout exceeded when trying to connect|query read timeout|not queryable|connection error|already settled/i;

export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isConnectionError);
  const code = isSystemError(error) ? (error.code ?? "") : "";
  return systemCodes.test(code) || serverCodes.test(code) || brokenTexts.test(error.message);
}

export interface Patience {
  /** Time limit for retries of a broken connection, in milliseconds. */
  readonly patienceMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Receives the error before each wait. */
  readonly onWait?: ((error: unknown) => void) | undefined;
}

/**
 * Repeats `work` until the server answers. Rethrows the connection's error once `patienceMs` is over or the signal
 * aborts, and other errors at once. `work` may take effect twice, because a connection may break after the server has
 * done the work.
 */
export async function untilConnected<T>(
  work: () => Promise<T>,
  { patienceMs, signal, onWait }: Patience,
): Promise<T> {
  const until = Date.now() + patienceMs;
  for (let pause = 100; ; pause = Math.min(pause * 2, 2000)) {
    try {
      return await work();
    } catch (error) {
      if (!isConnectionError(error) || Date.now() + pause > until || signal?.aborted === true) throw error;
      onWait?.(error);
      await delay(pause, undefined, { signal }).catch(() => {});
    }
  }
}

/**
 * Describes a server for messages: its name without user and password. `wrap` converts the server's errors to
 * MillwrightError, without the password. `tellWait` returns the reason why a process waits for the server, as a text.
 */
export function describeServer(url: string): {
  readonly name: string;
  readonly wrap: (error: unknown) => unknown;
  readonly tellWait: (error: unknown) => string;
} {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const name = parsed === undefined ? "the queue" : `${parsed.protocol}//${parsed.host}${parsed.pathname}`;
  const secrets = [parsed?.password ?? "", parsed?.searchParams.get("password") ?? ""];
  const redactor = createRedactor([...secrets, ...secrets.map(decode)]);
  const textOf = (error: Error): string =>
    redactor.text(error instanceof AggregateError ? error.errors.map(String).join("; ") : error.message);
  return {
    name,
    tellWait: (error) =>
      `the queue ${name} does not answer${error instanceof Error ? ` (${textOf(error)})` : ""}; this process waits until it does`,
    wrap(error) {
      if (!(error instanceof Error) || error instanceof MillwrightError) return error;
      if (!isConnectionError(error) && !("severity" in error)) return error;
      return new MillwrightError("queue", `The queue ${name} cannot be used: ${textOf(error)}`, {
        hint: hintFor(error),
      });
    },
  };
}

function hintFor(error: Error): string {
  const code = isSystemError(error) ? (error.code ?? "") : "";
  if (/^(28|3D)/.test(code))
    return "Check user and database in the server's address, and the password there or in PGPASSWORD.";
  if (code === "42501") return "Give the database's user the right to create schemas in this database.";
  return "Check that the server runs and that this machine can reach it. Then run the same command to continue.";
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
