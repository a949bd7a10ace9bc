/**
 * Finds problems in new texts of files, without writing them to disk. Sends these texts to the server, and afterwards
 * the texts on disk again.
 */
import type { Diagnostic } from "vscode-languageserver-protocol/node";
import { succeed } from "../base/result.ts";
import type { CodeDiagnostic } from "../domain/code-intelligence.ts";
import { diagnosticOf } from "./answers.ts";
import { answerOf, type LspResult, waitUntilReady } from "./ask-at.ts";
import type { RequestOptions } from "./connection.ts";
import { lspFailure } from "./failures.ts";
import type { ServerHost } from "./server-host.ts";
import type { ServerSession } from "./server-session.ts";
import { readTexts } from "./source-texts.ts";

export interface FileText {
  /** Path relative to the repository. */
  readonly path: string;
  /** The file's new text; undefined means the text on disk. */
  readonly text?: string;
}

/**
 * Finds the problems of files that this session's server supports, with the given texts. The caller needs exclusive use
 * of the session, because other questions would see these texts too.
 */
export async function diagnoseFiles(
  host: ServerHost,
  session: ServerSession,
  files: readonly FileText[],
  options: RequestOptions,
): Promise<LspResult<readonly CodeDiagnostic[]>> {
  const { documents, diagnostics } = session;
  const isWhole = await waitUntilReady(session);
  const onDisk = await readTexts(
    host,
    files.map(({ path }) => path),
  );
  try {
    const opened = [];
    for (const { path, text = onDisk.get(path) } of files) {
      if (text !== undefined) opened.push({ path, document: await documents.set(path, text) });
    }
    const answers = await Promise.all(
      opened.map(async ({ path, document }) => ({ path, found: await diagnostics.of(document, options) })),
    );
    const all: CodeDiagnostic[] = [];
    for (const { path, found } of answers) {
      if (!found.ok) return found;
      all.push(...found.value.map((item: Diagnostic) => diagnosticOf(path, item)).sort(byPlace));
    }
    return succeed(answerOf(session, all, isWhole));
  } finally {
    for (const { path } of files) {
      const text = onDisk.get(path);
      if (text === undefined) await documents.close(path);
      else await documents.set(path, text);
    }
  }
}

/** Sorts problems by place: servers list them by kind, or in the order of their search. */
function byPlace({ range: { start: a } }: CodeDiagnostic, { range: { start: b } }: CodeDiagnostic): number {
  return a.line - b.line || a.column - b.column;
}

/** Combines the answers of several servers. If no server answered, returns the first failure. */
export function joinDiagnoses(
  answers: readonly LspResult<readonly CodeDiagnostic[]>[],
): LspResult<readonly CodeDiagnostic[]> {
  const [first] = answers;
  if (first === undefined) return lspFailure("no-position", "No file was named.");
  const given = answers.flatMap((answer) => (answer.ok ? [answer.value] : []));
  if (given.length === 0) return first;
  const cautions = given.flatMap(({ caution }) => caution ?? []);
  return succeed({
    value: given.flatMap(({ value }) => value),
    by: given.map(({ by }) => by).join(", "),
    isWhole: given.length === answers.length && given.every(({ isWhole }) => isWhole),
    ...(cautions.length === 0 ? {} : { caution: cautions.join("; ") }),
  });
}
