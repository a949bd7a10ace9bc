/** Asks questions without a position: for the symbols of a file, and of the project. */
import { DocumentSymbolRequest, WorkspaceSymbolRequest } from "vscode-languageserver-protocol/node";
import { succeed } from "../base/result.ts";
import type { CodeSymbol } from "../domain/code-intelligence.ts";
import { symbolsOf } from "./answers.ts";
import { answerOf, type LspResult, openFile, waitUntilReady } from "./ask-at.ts";
import type { RequestOptions } from "./connection.ts";
import { lspFailure } from "./failures.ts";
import { uriOf } from "./file-places.ts";
import type { ServerHost } from "./server-host.ts";
import type { ServerSession } from "./server-session.ts";

export async function askSymbols(
  host: ServerHost,
  session: ServerSession,
  path: string,
  options: RequestOptions,
): Promise<LspResult<readonly CodeSymbol[]>> {
  if (!session.capabilities.documentSymbolProvider) {
    return lspFailure("unsupported", `${session.server.record.name} does not list the symbols of a file.`);
  }
  const text = await openFile(host, session, path);
  if (text === undefined)
    return lspFailure(
      "no-position",
      `${path} cannot be read: it does not exist, is too large, or is a link out of the repository.`,
    );
  const uri = uriOf(host.root, path);
  const answer = await session.connection.request(
    DocumentSymbolRequest.type,
    { textDocument: { uri } },
    options,
  );
  if (!answer.ok) return answer;
  const value = symbolsOf(host.root, uri, answer.value);
  return succeed(answerOf(session, value, true));
}

/**
 * Asks for symbols of the workspace by name; fails if the server does not support this. Opens `path` first, because
 * some servers know a project only once one of its files is open.
 */
export async function askWorkspace(
  host: ServerHost,
  session: ServerSession,
  query: string,
  path: string,
  options: RequestOptions,
): Promise<LspResult<readonly CodeSymbol[]>> {
  if (!session.capabilities.workspaceSymbolProvider) {
    return lspFailure("unsupported", `${session.server.record.name} does not list the symbols of a project.`);
  }
  await openFile(host, session, path);
  const isWhole = await waitUntilReady(session);
  const answer = await session.connection.request(WorkspaceSymbolRequest.type, { query }, options);
  if (!answer.ok) return answer;
  return succeed(answerOf(session, symbolsOf(host.root, "", answer.value), isWhole));
}
