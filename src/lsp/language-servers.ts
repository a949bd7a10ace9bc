/** The language servers of one checkout, asked about code by rough positions: what everything above this folder uses. */
import { succeed } from "../base/result.ts";
import type {
  CodeCall,
  CodeDiagnostic,
  CodeFileEdit,
  CodeLocation,
  CodeSymbol,
} from "../domain/code-intelligence.ts";
import { askAt, type LspResult } from "./ask-at.ts";
import { askSymbols, askWorkspace } from "./ask-symbols.ts";
import type { RequestOptions } from "./connection.ts";
import { diagnoseFiles, type FileText, joinDiagnoses } from "./diagnose.ts";
import { lspFailure } from "./failures.ts";
import { createGate, type Gate } from "./gate.ts";
import type { RoughPosition } from "./identifiers.ts";
import type { LanguageServer } from "./language-server.ts";
import { withTexts } from "./located-texts.ts";
import {
  callees,
  callers,
  definition,
  hover,
  type Question,
  references,
  rename,
  type TypeFamily,
  types,
} from "./questions.ts";
import type { ServerHost } from "./server-host.ts";
import { createServerPool } from "./server-pool.ts";
import type { FileOnDisk, ServerSession } from "./server-session.ts";
import { readTexts } from "./source-texts.ts";

export interface AskOptions {
  /** Milliseconds for each request to the server, after it is ready. Default 30,000. */
  readonly limitMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * Every answer is data: where there is no server, or it fails, the failure says so and how to get it, and the caller can ask
 * the graph instead. A server that dies over a question is started again and asked once more.
 */
export interface LanguageServers {
  definition(at: RoughPosition, options?: AskOptions): Promise<LspResult<readonly CodeLocation[]>>;
  /** The uses, without the definition itself. */
  references(at: RoughPosition, options?: AskOptions): Promise<LspResult<readonly CodeLocation[]>>;
  hover(at: RoughPosition, options?: AskOptions): Promise<LspResult<string>>;
  callers(at: RoughPosition, options?: AskOptions): Promise<LspResult<readonly CodeCall[]>>;
  callees(at: RoughPosition, options?: AskOptions): Promise<LspResult<readonly CodeCall[]>>;
  types(at: RoughPosition, options?: AskOptions): Promise<LspResult<TypeFamily>>;
  /** The edits that a rename needs; nothing is written. */
  rename(
    at: RoughPosition,
    newName: string,
    options?: AskOptions,
  ): Promise<LspResult<readonly CodeFileEdit[]>>;
  /** What the file defines, as a tree where the server gives one. */
  symbols(path: string, options?: AskOptions): Promise<LspResult<readonly CodeSymbol[]>>;
  /** Symbols of the whole project by name, asked of the server of `path`. */
  workspaceSymbols(
    query: string,
    path: string,
    options?: AskOptions,
  ): Promise<LspResult<readonly CodeSymbol[]>>;
  /**
   * The problems of files, with the texts given where they are: shown to the servers together, and taken back. Where only some
   * of the files' servers answer, `isWhole` is false.
   */
  diagnose(files: readonly FileText[], options?: AskOptions): Promise<LspResult<readonly CodeDiagnostic[]>>;
  /** Must be called when files were changed on disk (a tree was laid, a command wrote): open files are read again. */
  filesChanged(changes: readonly FileOnDisk[]): Promise<void>;
  close(): Promise<void>;
}

const requestLimitMs = 30_000;

export function createLanguageServers(host: ServerHost, servers: readonly LanguageServer[]): LanguageServers {
  const pool = createServerPool(host, servers);
  const gates = new WeakMap<ServerSession, Gate>();
  const gateOf = (session: ServerSession): Gate => {
    const gate = gates.get(session) ?? createGate();
    gates.set(session, gate);
    return gate;
  };

  /** Runs `work` with the file's server, and once more with a new one when it has died of it. */
  async function withSession<T>(
    path: string,
    how: keyof Gate,
    work: (session: ServerSession) => Promise<LspResult<T>>,
  ): Promise<LspResult<T>> {
    for (let attempt = 1; ; attempt++) {
      const started = await pool.sessionOf(path);
      if (!started.ok) return started;
      const session = started.value;
      const answer = await gateOf(session)[how](() => work(session));
      if (answer.ok || answer.kind !== "server-ended" || attempt === 2) return answer;
    }
  }
  const ask = <T>(question: Question<T>, at: RoughPosition, options: AskOptions = {}) =>
    withSession(at.path, "shared", (session) => askAt(host, session, question, at, limited(options)));

  async function locate(
    question: Question<readonly CodeLocation[]>,
    at: RoughPosition,
    options: AskOptions = {},
  ): Promise<LspResult<readonly CodeLocation[]>> {
    return withSession(at.path, "shared", async (session) => {
      const answer = await askAt(host, session, question, at, limited(options));
      if (!answer.ok) return answer;
      const value = await withTexts(host, session, answer.value.value);
      return succeed({ ...answer.value, value });
    });
  }
  return {
    definition: (at, options) => locate(definition, at, options),
    references: (at, options) => locate(references, at, options),
    hover: (at, options) => ask(hover, at, options),
    callers: (at, options) => ask(callers, at, options),
    callees: (at, options) => ask(callees, at, options),
    types: (at, options) => ask(types, at, options),
    rename: (at, newName, options) => ask(rename(newName), at, options),
    symbols: (path, options) =>
      withSession(path, "shared", (session) => askSymbols(host, session, path, limited(options))),
    workspaceSymbols: (query, path, options) =>
      withSession(path, "shared", (session) => askWorkspace(host, session, query, path, limited(options))),
    async diagnose(files, options) {
      const groups = Map.groupBy(files, ({ path }) => pool.keyOf(path));
      return joinDiagnoses(
        await Promise.all(
          [...groups.values()].map(([first, ...others]) =>
            first === undefined
              ? lspFailure("no-position", "No file was named.")
              : withSession(first.path, "alone", (session) =>
                  diagnoseFiles(host, session, [first, ...others], limited(options)),
                ),
          ),
        ),
      );
    },
    async filesChanged(changes) {
      await pool.tellChanges(changes);
      await Promise.all(
        pool.running().map((session) => gateOf(session).alone(() => reread(host, session, changes))),
      );
    },
    close: () => pool.close(),
  };
}

function limited({ limitMs = requestLimitMs, signal }: AskOptions = {}): RequestOptions {
  return { limitMs, signal };
}

/** Gives the server the new texts of those of its open files that were changed. */
async function reread(
  host: ServerHost,
  { documents, connection }: ServerSession,
  changes: readonly FileOnDisk[],
): Promise<void> {
  const open = changes.map(({ path }) => path).filter((path) => documents.get(path) !== undefined);
  if (open.length === 0 || connection.hasEnded()) return;
  const texts = await readTexts(host, open);
  for (const path of open) {
    const text = texts.get(path);
    if (text === undefined) await documents.close(path);
    else await documents.set(path, text);
  }
}
