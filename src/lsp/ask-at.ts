/**
 * Asks one question about an approximate position. Opens the file, and tries the candidates for the position until the
 * server answers.
 */
import { type Result, succeed } from "../base/result.ts";
import type { RequestOptions } from "./connection.ts";
import { type LspFailure, type LspFailureKind, lspFailure } from "./failures.ts";
import { toPosition } from "./file-places.ts";
import { type PositionCandidate, positionCandidates, type RoughPosition } from "./identifiers.ts";
import { startLimitOf } from "./language-server.ts";
import { isLanguageWord } from "./language-words.ts";
import type { Question } from "./questions.ts";
import type { ServerHost } from "./server-host.ts";
import type { ServerSession } from "./server-session.ts";
import { readTexts } from "./source-texts.ts";

export interface Answer<T> {
  readonly value: T;
  /** The server's name and version, or the source that answered in its place. */
  readonly by: string;
  /** The language server's failure, if another source answered. */
  readonly insteadOf?: string;
  /** The position that Millwright used, with its origin; absent if the question names no position. */
  readonly position?: PositionCandidate;
  /**
   * False if the answer may be incomplete: the server was still indexing, a server did not answer, or another source
   * answered.
   */
  readonly isWhole: boolean;
  /**
   * A problem of the project or of the server's environment, in the server's words. The server's errors may then be
   * false.
   */
  readonly caution?: string;
}

export type LspResult<T> = Result<Answer<T>, LspFailureKind>;

export async function askAt<T>(
  host: ServerHost,
  session: ServerSession,
  question: Question<T>,
  wanted: RoughPosition,
  options: RequestOptions,
): Promise<LspResult<T>> {
  // A server may announce its capabilities only once it is ready.
  if (!canAnswer(session, question)) await waitUntilReady(session);
  if (!canAnswer(session, question)) {
    return lspFailure(
      "unsupported",
      `${session.server.record.name} does not answer this question: ${question.what}.`,
    );
  }
  const text = wanted.path === undefined ? undefined : await openFile(host, session, wanted.path);
  const candidates = findCandidates(session, wanted, text);
  if (candidates.length === 0) return lspFailure("no-position", nothingThere(wanted, text));
  const isWhole = await waitUntilReady(session);
  let refusal: LspFailure | undefined;
  for (const position of candidates) {
    const document = session.documents.get(position.path);
    if (document === undefined) continue;
    const at = { textDocument: { uri: document.uri }, position: toPosition(position) };
    const answer = await question.ask({ root: host.root, session, options, at });
    if (answer.ok && answer.value !== undefined) {
      return succeed({ ...answerOf(session, answer.value, isWhole), position });
    }
    // A server may refuse a position where nothing can be renamed or called: try the next.
    if (!answer.ok && answer.kind !== "refused") return answer;
    if (!answer.ok) refusal ??= answer;
  }
  if (refusal !== undefined) return refusal;
  const tried = candidates.map(({ path, line, name }) => `${name} (${path}:${line})`);
  return lspFailure("no-answer", `${nameOf(session)} knows no ${question.what} of ${tried.join(", ")}.`);
}

export function waitUntilReady({ readiness, server }: ServerSession): Promise<boolean> {
  return readiness.wait(startLimitOf(server.record));
}

/**
 * Returns the file's text, and opens the file for the server if it is not open yet. Undefined if the file cannot be
 * read.
 */
export async function openFile(
  host: ServerHost,
  { documents }: ServerSession,
  path: string,
): Promise<string | undefined> {
  const known = documents.get(path);
  if (known !== undefined) return known.text;
  const text = (await readTexts(host, [path])).get(path);
  if (text !== undefined) await documents.set(path, text);
  return text;
}

export function answerOf<T>(session: ServerSession, value: T, isWhole: boolean): Answer<T> {
  const caution = session.readiness.caution();
  return { value, by: nameOf(session), isWhole, ...(caution === undefined ? {} : { caution }) };
}

function nameOf({ server }: ServerSession): string {
  return server.version.includes(server.record.name)
    ? server.version
    : `${server.record.name} ${server.version}`.trim();
}

function canAnswer<T>({ server, capabilities, registered }: ServerSession, question: Question<T>): boolean {
  if (server.record.lacks?.includes(question.capability)) return false;
  const capability = capabilities[question.capability];
  return (capability !== undefined && capability !== false) || registered.has(question.method);
}

function findCandidates(
  { documents }: ServerSession,
  wanted: RoughPosition,
  text: string | undefined,
): PositionCandidate[] {
  const opened = new Map(documents.paths().map((path) => [path, documents.get(path)?.text ?? ""]));
  // For `Class.method` or `a::b`, the text at a position is the last part.
  const name = wanted.name?.split(/::|[.#]/).findLast((part) => part !== "");
  const rough = name === undefined ? wanted : { ...wanted, name };
  return positionCandidates(rough, text, opened, isLanguageWord);
}

function nothingThere({ path, line, name }: RoughPosition, text: string | undefined): string {
  if (path === undefined)
    return name === undefined
      ? "The question names neither a file nor a symbol. Name the file."
      : `No open file contains \`${name}\`. Name the file.`;
  if (text === undefined)
    return `${path} cannot be read: it does not exist, is too large, or is a link out of the repository.`;
  const what = name === undefined ? "no name" : `nothing called ${name}`;
  const where = line === undefined ? "" : ` on or near line ${line}`;
  return `${path} has ${what}${where}${name === undefined ? "" : ", and the files opened before do not have it either"}.`;
}
