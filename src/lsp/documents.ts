/** The files that a server sees as an editor has them, with their versions. */
import {
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  type ProtocolConnection,
} from "vscode-languageserver-protocol/node";

export interface OpenDocument {
  readonly uri: string;
  readonly version: number;
  readonly text: string;
}

export interface Documents {
  /** The file has this text from now on: it is opened, or changed where it had another. */
  set(path: string, text: string): Promise<OpenDocument>;
  get(path: string): OpenDocument | undefined;
  close(path: string): Promise<void>;
  /** Those that are open, the last opened first. */
  paths(): readonly string[];
}

export function createDocuments(
  protocol: ProtocolConnection,
  uriOf: (path: string) => string,
  languageIdOf: (path: string) => string,
): Documents {
  const open = new Map<string, OpenDocument>();
  return {
    get: (path) => open.get(path),
    paths: () => [...open.keys()].reverse(),
    async set(path, text) {
      const known = open.get(path);
      if (known?.text === text) return known;
      const document = { uri: uriOf(path), version: (known?.version ?? 0) + 1, text };
      open.set(path, document);
      const { uri, version } = document;
      if (known === undefined) {
        const languageId = languageIdOf(path);
        await protocol.sendNotification(DidOpenTextDocumentNotification.type, {
          textDocument: { uri, languageId, version, text },
        });
      } else {
        await protocol.sendNotification(DidChangeTextDocumentNotification.type, {
          textDocument: { uri, version },
          contentChanges: [{ text }],
        });
      }
      return document;
    },
    async close(path) {
      const known = open.get(path);
      if (known === undefined) return;
      open.delete(path);
      await protocol.sendNotification(DidCloseTextDocumentNotification.type, {
        textDocument: { uri: known.uri },
      });
    },
  };
}
