/**
 * Adds texts to locations, so that a reader of the answer need not open the files. A location in the repository gets
 * the text of its line; another location gets its first lines.
 */
import type { CodeLocation } from "../domain/code-intelligence.ts";
import type { ServerHost } from "./server-host.ts";
import type { ServerSession } from "./server-session.ts";
import { readTexts } from "./source-texts.ts";

/**
 * Maximum number of files that Millwright reads for one answer. Below: maximum lines shown from outside the repository,
 * and characters of a line.
 */
const fileLimit = 60;
const outsideLines = 8;
const lineLimit = 300;
const contentLimitMs = 10_000;

export async function withTexts(
  host: ServerHost,
  session: ServerSession,
  locations: readonly CodeLocation[],
): Promise<CodeLocation[]> {
  const paths = [...new Set(locations.map(({ path }) => path))].slice(0, fileLimit);
  const isFile = (path: string): boolean => !/^[a-z][a-z0-9+.-]+:/i.test(path);
  const closed = paths.filter((path) => isFile(path) && session.documents.get(path) === undefined);
  const texts = await readTexts(host, closed);
  for (const path of paths) {
    const text = isFile(path) ? session.documents.get(path)?.text : await askContent(session, path);
    if (text !== undefined) texts.set(path, text);
  }
  return locations.map((location) => {
    const text = texts.get(location.path);
    return text === undefined ? location : { ...location, text: excerpt(text, location) };
  });
}

function excerpt(text: string, { range, outside }: CodeLocation): string {
  const first = range.start.line - 1;
  const lines = text.split(/\r?\n/).slice(first, first + (outside ? outsideLines : 1));
  return lines.map((line) => line.slice(0, lineLimit)).join("\n");
}

/** Asks the server for the text of its own URI, such as a class file's source. */
async function askContent({ server, connection }: ServerSession, uri: string): Promise<string | undefined> {
  const request = server.record.contentRequest;
  if (request === undefined || !uri.startsWith(`${request.scheme}:`)) return undefined;
  const answer = await connection.ask(request.method, { uri }, { limitMs: contentLimitMs });
  return answer.ok && typeof answer.value === "string" ? answer.value : undefined;
}
