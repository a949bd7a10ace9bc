/** Keeps the open files of a server, with their versions. */
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
  /** Sends the file's text to the server: opens the file, or changes it if its text differs. */
  set(path: string, text: string): Promise<OpenDocument>;
  get(path: string): OpenDocument | undefined;
  close(path: string): Promise<void>;
  /** Returns the open files, the most recently used first. */
  paths(): readonly string[];
}

/** Maximum number of open files of a server. Another file closes the least recently used one. */
const openLimit = 150;

export function createDocuments(
  protocol: ProtocolConnection,
  uriOf: (path: string) => string,
  languageIdOf: (path: string) => string,
): Documents {
  const open = new Map<string, OpenDocument>(); // moves it to the end: the last used
  const use = (path: string, document: OpenDocument): OpenDocument => {
    open.delete(path);
    open.set(path, document);
    return document;
  };
  async function close(path: string): Promise<void> {
    const known = open.get(path);
    if (known === undefined) return;
    open.delete(path);
    await protocol.sendNotification(DidCloseTextDocumentNotification.type, {
      textDocument: { uri: known.uri },
    });
  }
  return {
    get: (path) => open.get(path),
    paths: () => [...open.keys()].reverse(),
    async set(path, text) {
      const known = open.get(path);
      if (known?.text === text) return use(path, known);
      const document = use(path, { uri: uriOf(path), version: (known?.version ?? 0) + 1, text });
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
      const [oldest] = open.keys();
      if (open.size > openLimit && oldest !== undefined) await close(oldest);
      return document;
    },
    close,
  };
}
