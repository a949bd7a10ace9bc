/**
 * Creates the `fetch` that the clients of all hosts use. It contacts only the configured API, takes known pages from
 * disk, waits for rate limits, and repeats failed requests.
 */
import { setTimeout as delay } from "node:timers/promises";
import { MillwrightError } from "../base/errors.ts";
import { loadHttpClient } from "../base/http-client.ts";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import { MissingError } from "./contract.ts";
import { askedWait, nextAllowed } from "./limits.ts";
import type { Page, PageName, Pages } from "./pages.ts";

export interface ForgePatience {
  /** The wait after a request's first failure, in milliseconds. Each further failure doubles it. */
  readonly pauseMs: number;
  /** Maximum wait in milliseconds. If the host asks for a longer wait, the reading ends. */
  readonly longestWaitMs: number;
}

/** The usual waits, in milliseconds. The longest exceeds an hour, because GitHub's rate limit is per hour. */
export const usualPatience: ForgePatience = { pauseMs: 1000, longestWaitMs: 65 * 60_000 };

export interface ForgeFetchOptions {
  readonly api: string;
  readonly pages: Pages;
  readonly tokenVariable: string;
  readonly hasToken: boolean;
  readonly signal: AbortSignal;
  readonly patience: ForgePatience;
  /** Receives a line for people. */
  onProgress(text: string): void;
}

/** Maximum numbers: successive failures of one request, waits for one request, and redirects. */
const most = { failures: 5, waits: 3, moves: 5 };
const limits = { connectMs: 30_000, quietMs: 60_000 };
let client: ReturnType<typeof loadHttpClient> | undefined;
/** Headers that Millwright stores, because clients read them. */
const kept = /^(?:content-type|link|x-(?:total|page|per-page|next-page|prev-page|total-pages|total-count))$/;

interface Sent {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export function createForgeFetch(options: ForgeFetchOptions): typeof globalThis.fetch {
  const { api, pages, signal } = options;
  const { origin } = new URL(api);
  const send = createSender(options);
  return async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input);
    if (new URL(url).origin !== origin) throw elsewhere(origin, url);
    const { method = "GET", body } = init;
    const name: PageName = { method, url, body: typeof body === "string" ? body : "" };
    const known = await pages.find(name);
    if (known !== undefined && pages.isFresh(known)) return respond(known);
    const headers = new Headers(init.headers);
    if (known?.etag !== undefined) headers.set("if-none-match", known.etag);
    const answer = await send(name, headers);
    signal.throwIfAborted();
    if (answer.status === 304 && known !== undefined) {
      const page = { ...known, at: Date.now() };
      await pages.keep(name, page);
      return respond(page);
    }
    if (answer.status < 200 || answer.status >= 300) throw refusal(answer, url, options);
    const page = pageOf(answer);
    // GraphQL reports errors with status 200.
    if (method === "GET" || !/"errors"\s*:/.test(answer.text)) await pages.keep(name, page);
    return respond(page);
  };
}

function pageOf({ headers, text }: Sent): Page {
  const etag = headers.get("etag");
  const read = Object.fromEntries([...headers].filter(([header]) => kept.test(header)));
  return { ...(etag === null ? {} : { etag }), headers: read, body: text, at: Date.now() };
}

function respond({ headers, body }: Page): Response {
  return new Response(body, { status: 200, headers });
}

/**
 * Creates a function that sends one request, and repeats it after temporary failures, up to a limit. The function
 * returns each answer that a repetition cannot change.
 */
function createSender({ api, signal, patience, onProgress, tokenVariable, hasToken }: ForgeFetchOptions) {
  const { host } = new URL(api);
  /**
   * The time of the next allowed request, in milliseconds since 1970. By HTTP method, because hosts count GraphQL
   * requests (POST) separately.
   */
  const allowedFrom = new Map<string, number>();
  const wait = async (ms: number, why: string): Promise<void> => {
    if (ms > patience.longestWaitMs) {
      const more = hasToken ? "" : ` Set ${tokenVariable}: hosts allow more requests with a token.`;
      throw new MillwrightError("repository", `${host} allows no more requests for ${durationOf(ms)}`, {
        hint: `Run the same command again after that time: it continues where it stopped.${more}`,
      });
    }
    onProgress(`${host}: ${why}; waiting ${durationOf(ms)}`);
    await delay(ms, undefined, { signal });
  };
  return async (name: PageName, headers: Headers): Promise<Sent> => {
    let [failures, waits] = [0, 0];
    for (;;) {
      signal.throwIfAborted();
      const left = (allowedFrom.get(name.method) ?? 0) - Date.now();
      if (left > 0) await wait(left, "the rate limit is used up");
      let problem: string;
      try {
        const answer = await requestAtOrigin(name, headers, signal);
        const now = Date.now();
        const asked = askedWait(answer.status, answer.headers, answer.text, now);
        const next = nextAllowed(answer.headers, now);
        if (next !== undefined && asked === undefined) allowedFrom.set(name.method, next);
        if (asked !== undefined) {
          waits += 1;
          if (waits > most.waits) throw overLimit(host);
          await wait(asked, `too many requests (status ${answer.status})`);
          continue;
        }
        if (answer.status < 500 && answer.status !== 408) return answer;
        problem = `status ${answer.status}`;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof MillwrightError) throw error;
        problem = reasonOf(error);
      }
      failures += 1;
      if (failures >= most.failures) throw broken(host, problem);
      await wait(patience.pauseMs * 2 ** (failures - 1), problem);
    }
  };
}

/**
 * Sends a request. Follows redirects of GET requests only, and only within the origin, so that no other host gets the
 * token.
 */
async function requestAtOrigin(
  { method, url, body }: PageName,
  headers: Headers,
  signal: AbortSignal,
): Promise<Sent> {
  client ??= loadHttpClient(limits);
  const { fetch, dispatcher } = await client;
  let place = new URL(url);
  for (let moves = 0; ; moves += 1) {
    const answer = await fetch(place.href, {
      ...{ method, dispatcher, signal, redirect: "manual", headers: Object.fromEntries(headers) },
      ...(body === "" ? {} : { body }),
    });
    const isMove = answer.status >= 300 && answer.status < 400 && answer.status !== 304;
    if (!isMove)
      return { status: answer.status, headers: new Headers([...answer.headers]), text: await answer.text() };
    await answer.body?.cancel();
    const named = answer.headers.get("location") ?? "";
    const target = URL.canParse(named, place.href) ? new URL(named, place) : undefined;
    if (target?.origin !== place.origin || method !== "GET" || moves === most.moves)
      throw elsewhere(place.origin, named);
    place = target;
  }
}

function refusal(
  { status, headers }: Sent,
  url: string,
  { tokenVariable, hasToken }: ForgeFetchOptions,
): Error {
  const { host, pathname } = new URL(url);
  if (status === 404 || status === 410) return new MissingError(`${host} has no ${pathname}`);
  if (status === 401 || status === 403) {
    const scopes = headers.get("x-accepted-oauth-scopes") ?? "";
    const needed = scopes === "" ? "" : ` It needs the scope ${sanitizeForTerminal(scopes)}.`;
    const hint = hasToken
      ? `${tokenVariable} is set, but the token is wrong, has expired, or lacks permission.${needed}`
      : `Set ${tokenVariable} to a token that may read the repository.`;
    return new MillwrightError("usage", `${host} refuses ${pathname} (status ${status})`, { hint });
  }
  return new MillwrightError("repository", `${host} answers ${status} for ${pathname}`, {
    hint: "Check the address of the host. The same command continues where it stopped.",
  });
}

function elsewhere(origin: string, target: string): MillwrightError {
  const place = URL.canParse(target) ? new URL(target).origin : target;
  return new MillwrightError(
    "usage",
    `${origin} redirects to ${sanitizeForTerminal(place)}, and Millwright does not follow this redirect`,
    {
      hint: "Only the configured host gets requests and the token. If the repository has moved, give the address of its new page.",
    },
  );
}

function overLimit(host: string): MillwrightError {
  return new MillwrightError("repository", `${host} still refuses requests after ${most.waits} waits`, {
    hint: "Run the same command again later: it continues where it stopped.",
  });
}

function broken(host: string, problem: string): MillwrightError {
  return new MillwrightError("repository", `${host} cannot be read: ${problem} (${most.failures} attempts)`, {
    hint: "Check the network, HTTPS_PROXY and the address of the host. The same command continues where it stopped.",
  });
}

function reasonOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return sanitizeForTerminal(inner instanceof Error ? inner.message : String(inner));
}

function durationOf(ms: number): string {
  return ms < 90_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.ceil(ms / 60_000)} min`;
}
