/** Maps a provider's error to a kind for the caller. */
import { APICallError, UnsupportedFunctionalityError } from "@ai-sdk/provider";
import { fail } from "../../base/result.ts";
import type { ModelFailureKind } from "../contract.ts";
import type { TransportFailure } from "../provider.ts";

const spent =
  /insufficient[_ ](quota|credits?|balance|funds)|credit balance is too low|PerDay|requires? more credits/i;
const tooLong =
  /context_length_exceeded|(maximum|max|available) context (length|size|window)|prompt is too long|input token count|request_too_large|too many (input )?tokens|context (window|length|size)[^.]{0,40}exceed|exceeds?[^.]{0,40}context/i;
const declined =
  /content_(policy|filter)|content management policy|prohibited_content|blocked (by|due to|for) /i;
const overloaded = /overloaded|unavailable|internal_server_error|server_error|api_error/i;
const tooMany = /rate_?limit|too many requests|resource_exhausted/i;
const refusedKey = /authentication_error|permission_error|invalid_api_key|api key not valid/i;

export function classifyError(error: unknown, signal: AbortSignal): TransportFailure {
  if (signal.aborted) return fail("cancelled", "the call was cancelled");
  const message = messageOf(error);
  if (APICallError.isInstance(error)) return classifyCall(error, message);
  if (UnsupportedFunctionalityError.isInstance(error)) return fail("bad-request", message);
  if (isConnectionError(error)) return fail("network", describeConnection(error));
  if (/ended without a finish reason/i.test(message)) return fail("network", "the answer was cut off");
  const text = `${message} ${stringify(error)}`;
  const kind = kindOfText(text);
  if (kind !== undefined) return { ...fail(kind, message), ...retryAfter(text) };
  return fail("bad-answer", `the answer cannot be read: ${message}`);
}

function classifyCall(error: APICallError, message: string): TransportFailure {
  const { statusCode: status, responseBody = "", responseHeaders = {}, cause } = error;
  if (status === undefined) return fail("network", describeConnection(cause ?? error));
  const text = `${message} ${responseBody}`;
  const wait = retryAfter(text, responseHeaders);
  const said = `the provider answered ${status}: ${message}`;
  if (status < 300)
    return isConnectionError(cause)
      ? fail("network", describeConnection(cause))
      : fail("bad-answer", `the answer cannot be read: ${message}`);
  return { ...fail(kindOfStatus(status, text, wait), said), ...wait };
}

function kindOfStatus(status: number, text: string, wait: { retryAfterMs?: number }): ModelFailureKind {
  if (status === 402 || spent.test(text)) return "quota-spent";
  if (status === 429)
    return wait.retryAfterMs === undefined && /billing/i.test(text) ? "quota-spent" : "rate-limit";
  if (status === 401 || status === 403 || refusedKey.test(text)) return "auth";
  if (status === 413 || tooLong.test(text)) return "context-too-long";
  if (declined.test(text)) return "refused";
  if (status === 408) return "network";
  return status >= 500 ? "unavailable" : "bad-request";
}

/** Errors inside a stream have no status. */
function kindOfText(text: string): ModelFailureKind | undefined {
  if (spent.test(text)) return "quota-spent";
  if (tooLong.test(text)) return "context-too-long";
  if (tooMany.test(text)) return "rate-limit";
  if (refusedKey.test(text)) return "auth";
  if (declined.test(text)) return "refused";
  return overloaded.test(text) ? "unavailable" : undefined;
}

/** Reads the delay from the headers, or from the body for Google. Converts a date to a delay in milliseconds. */
function retryAfter(text: string, headers: Record<string, string> = {}): { retryAfterMs?: number } {
  const exact = Number(headers["retry-after-ms"]);
  if (headers["retry-after-ms"] !== undefined && Number.isFinite(exact)) return { retryAfterMs: exact };
  const header = headers["retry-after"];
  if (header !== undefined) {
    const ms = Number.isFinite(Number(header)) ? Number(header) * 1000 : Date.parse(header) - Date.now();
    return Number.isFinite(ms) ? { retryAfterMs: Math.max(0, ms) } : {};
  }
  const [, seconds] = /"retryDelay":\s*"(\d+(?:\.\d+)?)s"/.exec(text) ?? [];
  return seconds === undefined ? {} : { retryAfterMs: Number(seconds) * 1000 };
}

/** Recognises errors of Node's sockets and of undici, anywhere in the chain of causes. */
function isConnectionError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (
    /^(UND_ERR|E[A-Z]+|ERR_(TLS|SSL|STREAM))/.test(code) ||
    /^(terminated|fetch failed|other side closed)$/.test(error.message)
  )
    return true;
  return isConnectionError(error.cause);
}

function describeConnection(error: unknown): string {
  const chain: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause) chain.push(at.message);
  const text = [...new Set(chain)].join(": ");
  if (/headers timeout|body timeout/i.test(text)) return "the provider was silent for too long";
  return `the connection failed: ${text}`;
}

const longest = 600;

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : typeof error === "string" ? error : stringify(error);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function stringify(error: unknown): string {
  try {
    return JSON.stringify(error) ?? String(error);
  } catch {
    return String(error);
  }
}
