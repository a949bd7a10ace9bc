import { EnvHttpProxyAgent, fetch as fetchWith } from "undici";

/** Milliseconds within which a connection stands or fails. */
const connectMs = 30_000;

/**
 * A `fetch` that waits for the first byte, and from one byte to the next, no longer than `quietMs`; Node's own ends every answer
 * that takes five minutes to begin. Proxies are those of the environment (HTTPS_PROXY, HTTP_PROXY, NO_PROXY).
 */
export function createFetch(quietMs: number): typeof globalThis.fetch {
  const dispatcher = new EnvHttpProxyAgent({
    headersTimeout: quietMs,
    bodyTimeout: quietMs,
    connect: { timeout: connectMs },
  });
  // undici's types and Node's own name the same objects twice.
  const request = fetchWith as unknown as (url: unknown, options: object) => Promise<Response>;
  return (url, options) => request(url, { ...options, dispatcher });
}
