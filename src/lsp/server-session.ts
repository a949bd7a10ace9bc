/** A running server. Millwright has initialised it with the repository, and informs it about changed files. */
import { basename, extname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  DidChangeWatchedFilesNotification,
  ExitNotification,
  InitializedNotification,
  type InitializeParams,
  InitializeRequest,
  type ServerCapabilities,
  ShutdownRequest,
} from "vscode-languageserver-protocol/node";
import { type Result, succeed } from "../base/result.ts";
import { clientCapabilities } from "./client-capabilities.ts";
import { openConnection, type ServerConnection } from "./connection.ts";
import { createDiagnosticsSource, type DiagnosticsSource } from "./diagnostics.ts";
import { createDocuments, type Documents } from "./documents.ts";
import type { LspFailureKind } from "./failures.ts";
import { uriOf } from "./file-places.ts";
import type { FoundServer } from "./find-server.ts";
import { createGate, type Gate } from "./gate.ts";
import { startLimitOf } from "./language-server.ts";
import { type ReadinessWatch, watchReadiness } from "./readiness.ts";
import type { ServerHost } from "./server-host.ts";
import { answerServerRequests } from "./server-requests.ts";

export interface ServerSession {
  readonly server: FoundServer;
  readonly connection: ServerConnection;
  readonly capabilities: ServerCapabilities;
  readonly documents: Documents;
  readonly diagnostics: DiagnosticsSource;
  readonly readiness: ReadinessWatch;
  /** Controls access to the server. Questions run together; work that sends the server unsaved texts runs alone. */
  readonly gate: Gate;
  /** Methods that the server registered after its start. */
  readonly registered: ReadonlySet<string>;
  /** Tells the server which files of the repository were created, changed or removed on disk. */
  tellChanges(changes: readonly FileOnDisk[]): Promise<void>;
  /** Asks the server to end, and kills remaining processes. Never throws. */
  close(): Promise<void>;
}

export interface FileOnDisk {
  /** Path relative to the repository. */
  readonly path: string;
  readonly change: "created" | "changed" | "deleted";
}

/** Time limit for the shutdown, in milliseconds. */
const shutdownLimitMs = 2000;
const changeTypes = { created: 1, changed: 2, deleted: 3 } as const;

/**
 * Starts and initialises a server; fails if the server does not answer in time. `directory`: the server's root,
 * relative to the repository; "" is the repository itself.
 */
export async function startSession(
  host: ServerHost,
  server: FoundServer,
  directory: string,
): Promise<Result<ServerSession, LspFailureKind>> {
  const { record } = server;
  const fill = (text: string): string => text.replaceAll("{scratch}", host.scratch.inside);
  const process = host.attach({
    run: server.run.map(fill),
    directory,
    env: Object.fromEntries(Object.entries(record.env ?? {}).map(([name, value]) => [name, fill(value)])),
  });
  const connection = openConnection(record, process);
  const { protocol } = connection;
  const root = uriOf(host.root, directory);
  const registered = new Set<string>();
  answerServerRequests({
    protocol,
    settings: record.settings?.(host) ?? {},
    root: { uri: root, name: basename(root) },
    onRegistered: (method) => registered.add(method),
  });
  const readiness = watchReadiness(protocol, record.readiness);
  const started = await connection.request(InitializeRequest.type, introduction(server, root), {
    limitMs: startLimitOf(record),
  });
  if (!started.ok) {
    await connection.kill();
    return started;
  }
  const { capabilities } = started.value;
  await protocol.sendNotification(InitializedNotification.type, {});
  const canBeAsked = (): boolean =>
    capabilities.diagnosticProvider !== undefined || registered.has("textDocument/diagnostic");
  return succeed({
    server,
    connection,
    capabilities,
    readiness,
    registered,
    gate: createGate(),
    documents: createDocuments(
      protocol,
      (path) => uriOf(host.root, path),
      (path) => record.languageIds[extname(path)] ?? record.name,
    ),
    diagnostics: createDiagnosticsSource(connection, record, canBeAsked),
    async tellChanges(changes) {
      if (connection.hasEnded()) return;
      await protocol.sendNotification(DidChangeWatchedFilesNotification.type, {
        changes: changes.map(({ path, change }) => ({
          uri: uriOf(host.root, path),
          type: changeTypes[change],
        })),
      });
    },
    async close() {
      if (!connection.hasEnded()) {
        const farewell = protocol.sendRequest(ShutdownRequest.type).then(() => {
          return protocol.sendNotification(ExitNotification.type);
        });
        await Promise.race([farewell.catch(() => {}), connection.ended, delay(shutdownLimitMs)]);
      }
      await connection.kill();
    },
  });
}

function introduction({ record }: FoundServer, rootUri: string): InitializeParams {
  const experimental = record.experimentalCapabilities;
  return {
    // Not our process id: in a sandbox it does not exist, and a server that looks for it would end.
    processId: null,
    clientInfo: { name: "millwright" },
    rootUri,
    workspaceFolders: [{ uri: rootUri, name: basename(rootUri) }],
    capabilities: experimental === undefined ? clientCapabilities : { ...clientCapabilities, experimental },
    ...(record.initializationOptions === undefined
      ? {}
      : { initializationOptions: record.initializationOptions }),
  };
}
