/** Time limits in milliseconds: for a connection, and for silence within an answer. */
export interface HttpLimits {
  readonly connectMs: number;
  readonly quietMs: number;
}

/**
 * Loads undici's `fetch`, and a dispatcher with the environment's proxies (HTTPS_PROXY, NO_PROXY). Call it with the
 * first request: most commands need no network.
 */
export async function loadHttpClient({ connectMs, quietMs }: HttpLimits) {
  const { EnvHttpProxyAgent, fetch } = await import("undici");
  const dispatcher = new EnvHttpProxyAgent({
    ...{ headersTimeout: quietMs, bodyTimeout: quietMs },
    connect: { timeout: connectMs },
  });
  return { dispatcher, fetch };
}
