/** Sends requests to a dataset hub's public HTTP interface (`/api/datasets`, `/datasets/…/resolve`). */
import { MillwrightError } from "../../base/errors.ts";
import { loadHttpClient } from "../../base/http-client.ts";
import { sanitizeForTerminal } from "../../base/terminal-text.ts";

export interface HubAccess {
  /** The address of the hub, without a slash at its end. */
  readonly endpoint: string;
  /** The user's token. Millwright sends it only to the endpoint. */
  readonly token: string | undefined;
  /** Waiting time before the first retry, in milliseconds; it doubles. */
  readonly pauseMs?: number;
}

/**
 * Reads the hub's address and the user's token from the variables of the hub's own client. Throws
 * MillwrightError("usage") if the address is not a URL.
 */
export function hubAccessOf(environment: Readonly<Record<string, string | undefined>>): HubAccess {
  const endpoint = environment.HF_ENDPOINT || "https://huggingface.co";
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ""))
    throw new MillwrightError(
      "usage",
      `HF_ENDPOINT is not an address that begins with http:// or https://: ${endpoint}`,
    );
  return { endpoint: endpoint.replace(/\/+$/, ""), token: environment.HF_TOKEN || undefined };
}

const limits = { connectMs: 30_000, quietMs: 60_000 };
let client: ReturnType<typeof loadHttpClient> | undefined;

/** Returns the response, even one with an error status. Throws the client's error if the hub cannot be reached. */
export async function requestHub(url: string, { token }: HubAccess, headers: Record<string, string> = {}) {
  client ??= loadHttpClient(limits);
  const { dispatcher, fetch } = await client;
  const own = token === undefined ? {} : { authorization: `Bearer ${token}` };
  // A compressed answer has neither the file's size nor its ranges.
  return fetch(url, { dispatcher, headers: { "accept-encoding": "identity", ...own, ...headers } });
}

/** True for a status, such as 429, for which the same request may succeed later. */
export const isTemporary = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/**
 * Makes the error for an unsuccessful response: access refused, nothing found, or another failure of the hub. `what`:
 * the dataset or file, for the message.
 */
export function refusal(status: number, what: string, { token }: HubAccess): MillwrightError {
  if (status === 401 || status === 403) {
    const hint =
      token === undefined
        ? "Check the dataset's name. A private or gated dataset needs HF_TOKEN, a token that may read it."
        : "The token in HF_TOKEN is invalid or may not read the dataset: renew it, or accept the dataset's terms on the hub.";
    return new MillwrightError("usage", `The hub refuses ${what} (status ${status})`, { hint });
  }
  if (status === 404) {
    const hint = "Check owner, name and revision. A private dataset needs HF_TOKEN.";
    return new MillwrightError("usage", `The hub does not have ${what}`, { hint });
  }
  return new MillwrightError("repository", `The hub answers ${status} for ${what}`, {
    hint: "Try again later. The same command continues a download.",
  });
}

export function unreachable(what: string, { endpoint }: HubAccess, cause: unknown): MillwrightError {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const reason = sanitizeForTerminal(inner instanceof Error ? inner.message : String(inner));
  return new MillwrightError("repository", `${what} cannot be read from ${endpoint}: ${reason}`, {
    cause,
    hint: "Check the network and HF_ENDPOINT. The same command continues a download.",
  });
}
