/** A server that restarts is waited for: what failed because the connection broke is tried again. */
import { setTimeout as delay } from "node:timers/promises";
import { isSystemError, MillwrightError } from "../base/errors.ts";
import { createRedactor } from "../base/redact.ts";

/** Of the system, and of PostgreSQL: class 08, and a server that stops or starts. */
const brokenCodes =
  /^(ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT|08\w{3}|57P0[123])$/;
const brokenTexts =
  /connection terminated|connection ended|timeout exceeded when trying to connect|not queryable|connection error|already settled/i;

export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isConnectionError);
  return (isSystemError(error) && brokenCodes.test(error.code ?? "")) || brokenTexts.test(error.message);
}

export interface Patience {
  /** Milliseconds for which a broken connection is tried again. */
  readonly patienceMs: number;
  readonly signal?: AbortSignal;
}

/** `work` may be done twice: its end may have been lost with the connection. */
export async function untilConnected<T>(
  work: () => Promise<T>,
  { patienceMs, signal }: Patience,
): Promise<T> {
  const until = Date.now() + patienceMs;
  for (let pause = 100; ; pause = Math.min(pause * 2, 2000)) {
    try {
      return await work();
    } catch (error) {
      if (!isConnectionError(error) || Date.now() + pause > until || signal?.aborted === true) throw error;
      await delay(pause);
    }
  }
}

/** The server as people may read of it, and errors about it without the password. */
export function describeServer(url: string): {
  readonly name: string;
  readonly wrap: (error: unknown) => unknown;
} {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const name = parsed === undefined ? "the queue" : `${parsed.protocol}//${parsed.host}${parsed.pathname}`;
  const secrets = [parsed?.password ?? "", parsed?.searchParams.get("password") ?? ""];
  const redactor = createRedactor([...secrets, ...secrets.map(decode)]);
  return {
    name,
    wrap(error) {
      if (!(error instanceof Error) || error instanceof MillwrightError) return error;
      if (!isConnectionError(error) && !("severity" in error)) return error;
      const texts = error instanceof AggregateError ? error.errors.map(String).join("; ") : error.message;
      return new MillwrightError("queue", `The queue ${name} cannot be used: ${redactor.text(texts)}`, {
        hint: "See that the server runs and that this machine reaches it; the same command goes on.",
      });
    },
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
