import { endHeartbeats } from "./end-heartbeats.ts";

/** Milliseconds within which a connection stands or fails. */
const connectMs = 30_000;

/**
 * A `fetch` that waits for the first byte, and from one byte to the next, no longer than `quietMs`, a few times as long where all that
 * comes are heartbeats; Node's own ends every answer
 * that takes five minutes to begin. Proxies are those of the environment (HTTPS_PROXY, HTTP_PROXY, NO_PROXY).
 */
export function createFetch(quietMs: number): typeof globalThis.fetch {
  let loading: ReturnType<typeof connectWith> | undefined;
  return async (url, options) => {
    loading ??= connectWith(quietMs);
    const { request, dispatcher } = await loading;
    return endHeartbeats(await request(url, { ...options, dispatcher }), quietMs);
  };
}

/** Loaded with the first call: commands that ask no model start without it. */
async function connectWith(quietMs: number) {
  const { EnvHttpProxyAgent, fetch } = await import("undici");
  const dispatcher = new EnvHttpProxyAgent({
    headersTimeout: quietMs,
    bodyTimeout: quietMs,
    connect: { timeout: connectMs },
  });
  // undici's types and Node's own name the same objects twice.
  return { dispatcher, request: fetch as unknown as (url: unknown, options: object) => Promise<Response> };
}
