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
import type { Gate } from "./gate.ts";
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
import { createServerPool, type ServerPool } from "./server-pool.ts";
import type { FileOnDisk, ServerSession } from "./server-session.ts";
import { readTexts } from "./source-texts.ts";

export interface AskOptions {
  /** Milliseconds for each request to the server, after it is ready. Default: its record's. */
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

export function createLanguageServers(host: ServerHost, servers: readonly LanguageServer[]): LanguageServers {
  const pool = createServerPool(host, servers);
  const ask = <T>(question: Question<T>, at: RoughPosition, options: AskOptions = {}) =>
    askOneOrAll(pool, at, (session) => askAt(host, session, question, at, limited(session, options)));
  const locate = (question: Question<readonly CodeLocation[]>, at: RoughPosition, options: AskOptions = {}) =>
    askOneOrAll(pool, at, async (session) => {
      const answer = await askAt(host, session, question, at, limited(session, options));
      if (!answer.ok) return answer;
      return succeed({ ...answer.value, value: await withTexts(host, session, answer.value.value) });
    });
  return {
    definition: (at, options) => locate(definition, at, options),
    references: (at, options) => locate(references, at, options),
    hover: (at, options) => ask(hover, at, options),
    callers: (at, options) => ask(callers, at, options),
    callees: (at, options) => ask(callees, at, options),
    types: (at, options) => ask(types, at, options),
    rename: (at, newName, options) => ask(rename(newName), at, options),
    symbols: (path, options) =>
      withSession(pool, path, "shared", (session) =>
        askSymbols(host, session, path, limited(session, options)),
      ),
    workspaceSymbols: (query, path, options) =>
      withSession(pool, path, "shared", (session) =>
        askWorkspace(host, session, query, path, limited(session, options)),
      ),
    async diagnose(files, options) {
      const groups = [...Map.groupBy(files, ({ path }) => pool.keyOf(path)).values()];
      const answers = groups.map((group) =>
        withSession(pool, group[0]?.path ?? "", "alone", (session) =>
          diagnoseFiles(host, session, group, limited(session, options)),
        ),
      );
      return joinDiagnoses(await Promise.all(answers));
    },
    async filesChanged(changes) {
      await pool.tellChanges(changes);
      const sessions = pool.running();
      await Promise.all(sessions.map((session) => session.gate.alone(() => reread(host, session, changes))));
    },
    close: () => pool.close(),
  };
}

/** Asks the file's server; where no file is named, those that run, one after the other, until one answers. */
async function askOneOrAll<T>(
  pool: ServerPool,
  { path, name }: RoughPosition,
  ask: (session: ServerSession) => Promise<LspResult<T>>,
): Promise<LspResult<T>> {
  if (path !== undefined) return withSession(pool, path, "shared", ask);
  let last: LspResult<T> = lspFailure(
    "no-position",
    `No file was opened before: give the file of ${name ?? "the place"}.`,
  );
  for (const session of pool.running()) {
    last = await session.gate.shared(() => ask(session));
    if (last.ok) return last;
  }
  return last;
}

/** Runs `work` with the file's server, and once more with a new one when it has died of it. */
async function withSession<T>(
  pool: ServerPool,
  path: string,
  how: keyof Gate,
  work: (session: ServerSession) => Promise<LspResult<T>>,
): Promise<LspResult<T>> {
  for (let attempt = 1; ; attempt++) {
    const started = await pool.sessionOf(path);
    if (!started.ok) return started;
    const session = started.value;
    const answer = await session.gate[how](() => work(session));
    if (answer.ok || answer.kind !== "server-ended" || attempt === 2) return answer;
  }
}

function limited({ server }: ServerSession, { limitMs, signal }: AskOptions = {}): RequestOptions {
  return { limitMs: limitMs ?? server.record.requestLimitMs ?? 30_000, signal };
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
