import { type Failure, fail } from "../base/result.ts";

export type LspFailureKind =
  | "no-server" // none for this kind of file, not installed, or not working: the message says how to get it
  | "server-ended" // it crashed, or violated the protocol
  | "timed-out" // no answer in time; the request was cancelled
  | "cancelled" // by the caller
  | "unsupported" // this server does not support that
  | "refused" // the server answered with an error
  | "no-position" // the file, the line or the identifier does not exist
  | "no-answer"; // the server has no answer for any of the positions

export type LspFailure = Failure<LspFailureKind>;

export function lspFailure(kind: LspFailureKind, message: string): LspFailure {
  return fail(kind, message);
}
