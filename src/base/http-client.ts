/** Time limits in milliseconds: for making a connection, and for a silent server before or within its answer. */
export interface HttpLimits {
  readonly connectMs: number;
  readonly quietMs: number;
}

/**
 * Loads undici's `fetch`, and creates a dispatcher with the environment's proxies (HTTPS_PROXY, NO_PROXY). Call this
 * only when the first request is due: most commands need no network.
 */
export async function loadHttpClient({ connectMs, quietMs }: HttpLimits) {
  const { EnvHttpProxyAgent, fetch } = await import("undici");
  const dispatcher = new EnvHttpProxyAgent({
    ...{ headersTimeout: quietMs, bodyTimeout: quietMs },
    connect: { timeout: connectMs },
  });
  return { dispatcher, fetch };
}
