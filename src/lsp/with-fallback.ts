/** Decides which source answers a question: the language server, or a fallback if there is no server or it fails. */
import { succeed } from "../base/result.ts";
import type { CodeCall, CodeLocation, CodeSymbol } from "../domain/code-intelligence.ts";
import type { LspResult } from "./ask-at.ts";
import { type LspFailureKind, lspFailure } from "./failures.ts";
import type { PositionCandidate, RoughPosition } from "./identifiers.ts";
import type { LanguageServers } from "./language-servers.ts";
import type { TypeFamily } from "./questions.ts";

export interface FallbackAnswer<T> {
  readonly value: T;
  /** The fallback's name in answers. */
  readonly by: string;
  /** The position that the fallback used, if the question named a place. */
  readonly position?: PositionCandidate;
}

type Ask<Asked, T> = (asked: Asked) => Promise<FallbackAnswer<T> | undefined>;

/**
 * The questions that a fallback can answer. An answer is undefined if the fallback knows none. A missing member means
 * that the fallback does not support the question.
 */
export interface FallbackAnswers {
  readonly definition?: Ask<RoughPosition, readonly CodeLocation[]>;
  readonly references?: Ask<RoughPosition, readonly CodeLocation[]>;
  readonly hover?: Ask<RoughPosition, string>;
  readonly callers?: Ask<RoughPosition, readonly CodeCall[]>;
  readonly callees?: Ask<RoughPosition, readonly CodeCall[]>;
  readonly types?: Ask<RoughPosition, TypeFamily>;
  readonly symbols?: Ask<string, readonly CodeSymbol[]>;
}

/** Failures of the server, not of the question. A fallback may succeed. */
const serversFault = new Set<LspFailureKind>([
  "no-server",
  "server-ended",
  "timed-out",
  "unsupported",
  "refused",
  "no-answer",
]);

/**
 * Adds a fallback to the servers. If a server is missing or fails, the fallback answers, and the answer gives the
 * reason.
 */
export function withFallback(servers: LanguageServers, fallback: FallbackAnswers): LanguageServers {
  async function orElse<Asked, T>(
    asked: Promise<LspResult<T>>,
    ask: Ask<Asked, T> | undefined,
    about: Asked,
  ): Promise<LspResult<T>> {
    const answer = await asked;
    if (answer.ok || !serversFault.has(answer.kind)) return answer;
    const given = await ask?.(about);
    if (given === undefined) return answer;
    return succeed({ ...given, insteadOf: answer.message, isWhole: false });
  }
  return {
    ...servers,
    definition: (at, options) => orElse(servers.definition(at, options), fallback.definition, at),
    references: (at, options) => orElse(servers.references(at, options), fallback.references, at),
    hover: (at, options) => orElse(servers.hover(at, options), fallback.hover, at),
    callers: (at, options) => orElse(servers.callers(at, options), fallback.callers, at),
    callees: (at, options) => orElse(servers.callees(at, options), fallback.callees, at),
    types: (at, options) => orElse(servers.types(at, options), fallback.types, at),
    symbols: (path, options) => orElse(servers.symbols(path, options), fallback.symbols, path),
  };
}

/** Makes language servers for a run that must not or cannot use any. Each question fails with the reason. */
export function absentServers(reason: string): LanguageServers {
  const none = async () => lspFailure("no-server", reason);
  return {
    definition: none,
    references: none,
    hover: none,
    callers: none,
    callees: none,
    types: none,
    rename: none,
    symbols: none,
    workspaceSymbols: none,
    diagnose: none,
    filesChanged: async () => {},
    close: async () => {},
  };
}
