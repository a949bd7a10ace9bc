/**
 * Connects to a running server. Each request has a time limit. If the server ends, the connection reports the reason.
 */
import {
  CancellationTokenSource,
  createProtocolConnection,
  ErrorCodes,
  type ProtocolConnection,
  type ProtocolRequestType,
  ResponseError,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";
import type { Result } from "../base/result.ts";
import { succeed } from "../base/result.ts";
import type { AttachedProcess } from "../sandbox/contract.ts";
import { type LspFailureKind, lspFailure } from "./failures.ts";
import type { LanguageServer } from "./language-server.ts";
import { createMessageReader } from "./message-reader.ts";

export interface RequestOptions {
  /** Milliseconds until the request is cancelled. */
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface ServerConnection {
  readonly protocol: ProtocolConnection;
  /** Sends a request. Never rejects, and resolves at the limit at the latest. */
  request<P, R, PR, E, RO>(
    type: ProtocolRequestType<P, R, PR, E, RO>,
    parameters: P,
    options: RequestOptions,
  ): Promise<Result<R, LspFailureKind>>;
  /** Like `request`, for a method outside the protocol. */
  ask(method: string, parameters: unknown, options: RequestOptions): Promise<Result<unknown, LspFailureKind>>;
  /** Resolves with the reason once the server has ended. */
  readonly ended: Promise<string>;
  hasEnded(): boolean;
  /** Kills the server; returns once all its processes are gone. */
  kill(): Promise<void>;
}

const silent = { error: () => {}, warn: () => {}, info: () => {}, log: () => {} };

/** The parts of a server that messages need. */
type Server = Pick<LanguageServer, "name" | "explain">;

export function openConnection(server: Server, process: AttachedProcess): ServerConnection {
  const { name } = server;
  const reader = createMessageReader(process.stdout);
  const protocol = createProtocolConnection(reader, new StreamMessageWriter(process.stdin), silent);
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  let isOver = false;
  const end = (reason: string): void => {
    isOver = true;
    resolve(`${name} ended: ${reason}${lastWords(process)}`);
  };
  reader.onError((error) => {
    end(error.message);
    void process.kill();
  });
  process.exited.then(
    ({ end: how, exitCode }) => end(how === "exited" ? `exit code ${exitCode}` : how),
    (error: unknown) => end(error instanceof Error ? error.message : String(error)),
  );
  void ended.then(() => protocol.dispose());
  const silence = watchSilence(process);
  protocol.listen();

  async function ask<R>(
    method: string,
    parameters: unknown,
    options: RequestOptions,
  ): Promise<Result<R, LspFailureKind>> {
    if (isOver) return lspFailure("server-ended", await ended);
    const askedAt = performance.now();
    const cancellation = new CancellationTokenSource();
    const answer = protocol.sendRequest<R>(method, parameters, cancellation.token).then(
      (value) => succeed(value),
      async (error: unknown) => failureOf(server, error, isOver ? await ended : undefined),
    );
    const stop = watch(name, options, ended);
    const first = await Promise.race([answer, stop.happened]);
    stop.dispose();
    if (!first.ok && first.kind !== "refused" && !isOver) cancellation.cancel();
    if (first.ok || first.kind !== "timed-out" || !silence.isStuck(askedAt, options.limitMs)) return first;
    end("it seems to be stuck");
    void process.kill();
    return lspFailure(first.kind, `${first.message} The server seems to be stuck: Millwright restarts it.`);
  }
  return {
    protocol,
    ended,
    hasEnded: () => isOver,
    kill: () => process.kill(),
    ask,
    request: <P, R, PR, E, RO>(
      type: ProtocolRequestType<P, R, PR, E, RO>,
      parameters: P,
      options: RequestOptions,
    ) => ask<R>(type.method, parameters, options),
  };
}

/**
 * Recognises a stuck server. Two successive questions ran out of time, and the server has written nothing since the
 * first half of the first question's time.
 */
function watchSilence({ stdout }: AttachedProcess) {
  let heardAt = 0;
  let suspectedAt: number | undefined;
  stdout.on("data", () => {
    heardAt = performance.now();
  });
  return {
    /** True if the server is stuck. Call this function when a question's time is over. */
    isStuck(askedAt: number, limitMs: number): boolean {
      const now = performance.now();
      const isSilent = now - heardAt >= limitMs / 2;
      const isSecond = suspectedAt !== undefined && heardAt < suspectedAt && suspectedAt <= askedAt;
      suspectedAt = isSilent ? now : undefined;
      return isSilent && isSecond;
    },
  };
}

/** Resolves with the failure when the time is over, the caller aborts, or the server has gone. */
function watch(name: string, { limitMs, signal }: RequestOptions, ended: Promise<string>) {
  const { promise, resolve } = Promise.withResolvers<ReturnType<typeof lspFailure>>();
  const onAbort = (): void => resolve(lspFailure("cancelled", "The request was cancelled."));
  const timer = setTimeout(() => {
    resolve(lspFailure("timed-out", `${name} did not answer in ${limitMs / 1000} s.`));
  }, limitMs);
  if (signal?.aborted) onAbort();
  signal?.addEventListener("abort", onAbort, { once: true });
  void ended.then((reason) => resolve(lspFailure("server-ended", reason)));
  return {
    happened: promise,
    dispose() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    },
  };
}

function failureOf({ name, explain }: Server, error: unknown, end: string | undefined) {
  if (end !== undefined) return lspFailure("server-ended", end);
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ResponseError && error.code === ErrorCodes.MethodNotFound) {
    return lspFailure("unsupported", `${name} does not answer that question.`);
  }
  const code = error instanceof ResponseError ? ` (${error.code})` : "";
  const meaning = explain?.(message);
  return lspFailure(
    "refused",
    `${name} refused: ${message}${code}${meaning === undefined ? "" : `: ${meaning}`}`,
  );
}

/** Returns the last informative line of standard error. */
function lastWords(process: AttachedProcess): string {
  const line = process
    .stderr()
    .split("\n")
    .findLast((text) => text.trim() !== "");
  return line === undefined ? "" : `; its last output: ${line.trim().slice(0, 300)}`;
}
