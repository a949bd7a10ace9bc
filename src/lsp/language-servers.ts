/**
 * The interface to the language servers of one checkout for all higher layers. Positions in questions may be
 * approximate.
 */
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
  /** Milliseconds for each request to the server once it is ready. Default: the limit of the server's record. */
  readonly limitMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * The questions to language servers. They return failures instead of throwing. If a server is missing, the failure also
 * names a remedy. If a server dies during a question, Millwright restarts it, and asks the question once more.
 */
export interface LanguageServers {
  definition(at: RoughPosition, options?: AskOptions): Promise<LspResult<readonly CodeLocation[]>>;
  /** Finds the uses, without the definition itself. */
  references(at: RoughPosition, options?: AskOptions): Promise<LspResult<readonly CodeLocation[]>>;
  hover(at: RoughPosition, options?: AskOptions): Promise<LspResult<string>>;
  callers(at: RoughPosition, options?: AskOptions): Promise<LspResult<readonly CodeCall[]>>;
  callees(at: RoughPosition, options?: AskOptions): Promise<LspResult<readonly CodeCall[]>>;
  types(at: RoughPosition, options?: AskOptions): Promise<LspResult<TypeFamily>>;
  /** Returns the edits of a rename. Writes nothing. */
  rename(
    at: RoughPosition,
    newName: string,
    options?: AskOptions,
  ): Promise<LspResult<readonly CodeFileEdit[]>>;
  /** Returns the definitions of the file, as a tree if the server returns one. */
  symbols(path: string, options?: AskOptions): Promise<LspResult<readonly CodeSymbol[]>>;
  /** Finds symbols of the whole project by name, with the server of `path`. */
  workspaceSymbols(
    query: string,
    path: string,
    options?: AskOptions,
  ): Promise<LspResult<readonly CodeSymbol[]>>;
  /**
   * Returns the problems of files. If texts are given, the servers first get all of them together, and afterwards the
   * old texts again. `isWhole` is false if only some of the files' servers answer.
   */
  diagnose(files: readonly FileText[], options?: AskOptions): Promise<LspResult<readonly CodeDiagnostic[]>>;
  /**
   * Tells the servers about changed files, and reads the open ones again. Call this function after files changed on
   * disk, for example after a command.
   */
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

/** Asks the file's server. If no file is named, asks the running servers in turn until one answers. */
async function askOneOrAll<T>(
  pool: ServerPool,
  { path, name }: RoughPosition,
  ask: (session: ServerSession) => Promise<LspResult<T>>,
): Promise<LspResult<T>> {
  if (path !== undefined) return withSession(pool, path, "shared", ask);
  let last: LspResult<T> = lspFailure(
    "no-position",
    `No file is open yet. Name the file${name === undefined ? "" : ` that contains ${name}`}.`,
  );
  for (const session of pool.running()) {
    last = await session.gate.shared(() => ask(session));
    if (last.ok) return last;
  }
  return last;
}

/** Runs `work` with the file's server. If the server dies, runs `work` once more with a new server. */
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

/** Sends the server the new texts of its changed open files. */
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
