/** Somebody who answers where no server does: the graph, which knows every language, if less exactly. */
import { succeed } from "../base/result.ts";
import type { CodeCall, CodeLocation, CodeSymbol } from "../domain/code-intelligence.ts";
import type { LspResult } from "./ask-at.ts";
import type { LspFailureKind } from "./failures.ts";
import type { RoughPosition } from "./identifiers.ts";
import type { LanguageServers } from "./language-servers.ts";
import type { TypeFamily } from "./questions.ts";

/** Each resolves to undefined where it knows nothing either; what is missing is not answered. */
export interface FallbackAnswers {
  /** Who it is, as answers name it. */
  readonly by: string;
  definition?(at: RoughPosition): Promise<readonly CodeLocation[] | undefined>;
  references?(at: RoughPosition): Promise<readonly CodeLocation[] | undefined>;
  hover?(at: RoughPosition): Promise<string | undefined>;
  callers?(at: RoughPosition): Promise<readonly CodeCall[] | undefined>;
  callees?(at: RoughPosition): Promise<readonly CodeCall[] | undefined>;
  types?(at: RoughPosition): Promise<TypeFamily | undefined>;
  symbols?(path: string): Promise<readonly CodeSymbol[] | undefined>;
}

/** Failures of the server, not of the question: somebody else may do better. */
const serversFault = new Set<LspFailureKind>(["no-server", "server-ended", "timed-out", "unsupported"]);

/** The same servers; where one is missing or fails, the answer is the fallback's and says whose and why. */
export function withFallback(servers: LanguageServers, fallback: FallbackAnswers): LanguageServers {
  async function orElse<T>(
    asked: Promise<LspResult<T>>,
    ask: () => Promise<T | undefined>,
  ): Promise<LspResult<T>> {
    const answer = await asked;
    if (answer.ok || !serversFault.has(answer.kind)) return answer;
    const value = await ask();
    if (value === undefined) return answer;
    return succeed({ value, by: fallback.by, insteadOf: answer.message, isWhole: false });
  }
  return {
    ...servers,
    definition: (at, options) => orElse(servers.definition(at, options), () => ask(fallback.definition, at)),
    references: (at, options) => orElse(servers.references(at, options), () => ask(fallback.references, at)),
    hover: (at, options) => orElse(servers.hover(at, options), () => ask(fallback.hover, at)),
    callers: (at, options) => orElse(servers.callers(at, options), () => ask(fallback.callers, at)),
    callees: (at, options) => orElse(servers.callees(at, options), () => ask(fallback.callees, at)),
    types: (at, options) => orElse(servers.types(at, options), () => ask(fallback.types, at)),
    symbols: (path, options) => orElse(servers.symbols(path, options), () => ask(fallback.symbols, path)),
  };
}

async function ask<P, T>(
  question: ((parameter: P) => Promise<T | undefined>) | undefined,
  parameter: P,
): Promise<T | undefined> {
  return question?.(parameter);
}
