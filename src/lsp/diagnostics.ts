/**
 * Gets the problems that a server sees in an open file. Requests them if the server supports that, and otherwise waits
 * for them.
 */
import { setTimeout as delay } from "node:timers/promises";
import {
  type Diagnostic,
  DocumentDiagnosticRequest,
  PublishDiagnosticsNotification,
} from "vscode-languageserver-protocol/node";
import { type Result, succeed } from "../base/result.ts";
import type { RequestOptions, ServerConnection } from "./connection.ts";
import type { OpenDocument } from "./documents.ts";
import { type LspFailureKind, lspFailure } from "./failures.ts";
import type { LanguageServer } from "./language-server.ts";

export interface DiagnosticsSource {
  of(document: OpenDocument, options: RequestOptions): Promise<Result<readonly Diagnostic[], LspFailureKind>>;
}

interface Published {
  readonly version: number | undefined;
  /** The time in milliseconds, as `performance.now` gives it. */
  readonly at: number;
  readonly items: readonly Diagnostic[];
}

/**
 * Milliseconds without a further list after which the last list counts as complete. Some servers first report quick
 * findings.
 */
const quietMs = 300;
const lookMs = 20;

/**
 * Creates the source of a server's diagnostics. `canBeAsked` returns true if the server answers requests for
 * diagnostics; a server may announce this only after its start.
 */
export function createDiagnosticsSource(
  connection: ServerConnection,
  { name, silentAfterMs = Number.POSITIVE_INFINITY }: Pick<LanguageServer, "name" | "silentAfterMs">,
  canBeAsked: () => boolean,
): DiagnosticsSource {
  const published = new Map<string, Published>();
  const changed = new Map<string, { readonly version: number; readonly at: number }>();
  connection.protocol.onNotification(PublishDiagnosticsNotification.type, ({ uri, version, diagnostics }) => {
    published.set(uri, { version, at: performance.now(), items: diagnostics });
  });

  function lastFor({ uri, version }: OpenDocument): Published | undefined {
    const last = published.get(uri);
    if (last === undefined) return undefined;
    const since = changed.get(uri)?.at ?? 0;
    return (last.version === undefined ? last.at >= since : last.version >= version) ? last : undefined;
  }
  async function wait(document: OpenDocument, { limitMs, signal }: RequestOptions) {
    const begun = performance.now();
    while (performance.now() < begun + limitMs) {
      if (connection.hasEnded()) return lspFailure("server-ended", await connection.ended);
      if (signal?.aborted) return lspFailure("cancelled", "The request was cancelled.");
      const last = lastFor(document);
      if (last !== undefined && performance.now() - last.at > quietMs) return succeed(last.items);
      if (performance.now() - begun > silentAfterMs) return succeed(published.get(document.uri)?.items ?? []);
      await delay(lookMs);
    }
    return lspFailure("timed-out", `${name} did not report the file's problems in ${limitMs / 1000} s.`);
  }
  return {
    async of(document, options) {
      const { uri, version } = document;
      if (changed.get(uri)?.version !== version) {
        // A list for the earlier text, from a server that names no version, is outdated.
        const isFirst = changed.get(uri) === undefined;
        changed.set(uri, { version, at: isFirst ? 0 : performance.now() });
      }
      if (!canBeAsked()) return wait(document, options);
      const answer = await connection.request(
        DocumentDiagnosticRequest.type,
        { textDocument: { uri } },
        options,
      );
      if (!answer.ok) return answer;
      // Not by its kind, which gopls leaves empty.
      return succeed("items" in answer.value ? answer.value.items : []);
    },
  };
}
