import { loadHttpClient } from "../../base/http-client.ts";
import { endHeartbeats } from "./end-heartbeats.ts";

/** Time limit for opening a connection, in milliseconds. */
const connectMs = 30_000;

/**
 * Creates a `fetch` that waits at most `quietMs` milliseconds for the first byte and between bytes. If only heartbeats
 * arrive, it waits a few times as long. Node's own `fetch` ends every answer that takes five minutes to begin. Uses the
 * proxies of the environment (HTTPS_PROXY, HTTP_PROXY, NO_PROXY). Follows redirects only within one origin.
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

/** Maximum number of redirects, all within one origin. */
const mostMoves = 5;

/**
 * Follows a redirect (307, 308: repeat the request elsewhere) only within the user's configured origin. A server then
 * cannot pass on the prompt or the key. Turns other redirects into status 421 (Misdirected Request), which Millwright
 * does not retry.
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

/** Makes a response in the form of each provider's errors. */
function refuseMove(target: URL | string): Response {
  const message = `the endpoint redirects to ${target}, but Millwright follows only redirects 307 and 308 within the configured origin, at most ${mostMoves}`;
  const body = { type: "error", error: { type: "redirect", code: 421, status: "MISDIRECTED", message } };
  return Response.json(body, { status: 421 });
}

async function connectWith(quietMs: number) {
  const { dispatcher, fetch } = await loadHttpClient({ connectMs, quietMs });
  // undici's types and Node's name the same objects twice.
  return { dispatcher, request: fetch as unknown as (url: unknown, options: object) => Promise<Response> };
}
