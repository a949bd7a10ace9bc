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
    const answer = await requestAtOrigin(url, (place) =>
      request(place, { ...options, dispatcher, redirect: "manual" }),
    );
    return endHeartbeats(answer, quietMs);
  };
}

/** Moves within one origin that are followed. */
const mostMoves = 5;

/**
 * Follows a move (307, 308: the same request elsewhere) within the origin that the user configured. Whoever answers there must not
 * send the prompt, or the key, on to another: such a move is answered with 421 (Misdirected Request), which is not tried again.
 */
async function requestAtOrigin(
  url: Parameters<typeof globalThis.fetch>[0],
  request: (place: string) => Promise<Response>,
): Promise<Response> {
  let place = url instanceof Request ? url.url : String(url);
  const { origin } = new URL(place);
  for (let moves = 0; ; moves += 1) {
    const answer = await request(place);
    if (answer.status < 300 || answer.status >= 400) return answer;
    const named = answer.headers.get("location") ?? "";
    const target = URL.canParse(named, place) ? new URL(named, place) : undefined;
    await answer.body?.cancel();
    const isSameRequest = answer.status === 307 || answer.status === 308;
    if (target?.origin !== origin || !isSameRequest || moves === mostMoves)
      return refuseMove(target ?? named);
    place = target.href;
  }
}

/** In the shape of each provider's errors. */
function refuseMove(target: URL | string): Response {
  const message = `the endpoint redirects to ${target}, which is not followed: prompts go only to the configured address`;
  const body = { type: "error", error: { type: "redirect", code: 421, status: "MISDIRECTED", message } };
  return Response.json(body, { status: 421 });
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
