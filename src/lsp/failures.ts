import { type Failure, fail } from "../base/result.ts";

export type LspFailureKind =
  | "no-server" // none for this kind of file, or it is not installed or does not work: the message says how to get it
  | "server-ended" // it crashed, or sent what is no message
  | "timed-out" // no answer in time; the request was cancelled
  | "cancelled" // by the caller
  | "unsupported" // this server cannot do that
  | "refused" // the server answered with an error
  | "no-position" // the file, the line or the identifier is not there
  | "no-answer"; // the server knows nothing about any of the positions

export type LspFailure = Failure<LspFailureKind>;

export function lspFailure(kind: LspFailureKind, message: string): LspFailure {
  return fail(kind, message);
}
