/**
 * The servers of one checkout. Starts a server when a question first needs it, shares it, and restarts it after
 * crashes, up to a limit.
 */
import { extname, posix } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Result } from "../base/result.ts";
import { type LspFailureKind, lspFailure } from "./failures.ts";
import { isInRepository } from "./file-places.ts";
import {
  type FoundServer,
  findServer,
  type MissingServer,
  probeText,
  searchFolders,
  versionLimitMs,
} from "./find-server.ts";
import type { LanguageServer } from "./language-server.ts";
import type { ServerHost } from "./server-host.ts";
import { type FileOnDisk, type ServerSession, startSession } from "./server-session.ts";

export interface ServerPool {
  /**
   * Returns the server of a file, and starts it if needed. Fails with "no-server", or with the failure of its start.
   */
  sessionOf(path: string): Promise<Result<ServerSession, LspFailureKind>>;
  /** Returns a key that is equal for files of the same server; undefined if no server supports the file. */
  keyOf(path: string): string | undefined;
  /** Returns the running servers. */
  running(): readonly ServerSession[];
  tellChanges(changes: readonly FileOnDisk[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * Number of successive crashes after which Millwright abandons a server. Below: milliseconds before the first restart,
 * which each restart doubles.
 */
const crashLimit = 4;
const firstPauseMs = 200;
/** Milliseconds of life after which a crash does not count as successive. */
const stableMs = 60_000;

interface Slot {
  session: Promise<Result<ServerSession, LspFailureKind>> | undefined;
  running: ServerSession | undefined;
  crashes: number;
  startedAt: number;
}

export function createServerPool(host: ServerHost, servers: readonly LanguageServer[]): ServerPool {
  const slots = new Map<string, Slot>();
  const searches = new Map<string, Promise<FoundServer | MissingServer>>();
  let isClosed = false;

  function search(record: LanguageServer): Promise<FoundServer | MissingServer> {
    const known = searches.get(record.name);
    if (known !== undefined) return known;
    const started = findServer(record, searchFolders(host.root, host.environment), (argv) =>
      probeIn(host, argv),
    );
    searches.set(record.name, started);
    return started;
  }
  async function start(slot: Slot, record: LanguageServer, directory: string) {
    const found = await search(record);
    if ("reason" in found) return missing(found);
    if (slot.crashes > 0) await delay(firstPauseMs * 2 ** (slot.crashes - 1));
    if (isClosed) return lspFailure("no-server", "The servers of this workspace were closed.");
    slot.startedAt = performance.now();
    const started = await startSession(host, found, directory);
    if (!started.ok) {
      onEnd(slot);
      return started;
    }
    slot.running = started.value;
    void started.value.connection.ended.then(() => onEnd(slot));
    return started;
  }
  function onEnd(slot: Slot): void {
    slot.crashes = performance.now() - slot.startedAt > stableMs ? 1 : slot.crashes + 1;
    slot.session = undefined;
    slot.running = undefined;
  }
  function place(path: string) {
    const record = servers.find(({ languageIds }) => extname(path) in languageIds);
    if (record === undefined) return undefined;
    const directory = rootOf(host, record, path);
    return { record, directory, key: `${record.name} ${directory}` };
  }
  return {
    keyOf: (path) => place(path)?.key,
    async sessionOf(path) {
      if (!isInRepository(path)) {
        return lspFailure("no-position", `${path} is outside the repository.`);
      }
      const found = place(path);
      if (found === undefined) {
        return lspFailure("no-server", `There is no language server for ${extname(path) || path}.`);
      }
      const { record, directory, key } = found;
      const slot = slots.get(key) ?? { session: undefined, running: undefined, crashes: 0, startedAt: 0 };
      slots.set(key, slot);
      if (slot.session === undefined && slot.crashes >= crashLimit) {
        return lspFailure(
          "server-ended",
          `${record.name} ended ${slot.crashes} times in a row, so Millwright does not restart it.`,
        );
      }
      slot.session ??= start(slot, record, directory);
      return slot.session;
    },
    running: () => [...slots.values()].flatMap(({ running }) => running ?? []),
    async tellChanges(changes) {
      await Promise.all([...slots.values()].map(({ running }) => running?.tellChanges(changes)));
    },
    async close() {
      isClosed = true;
      const sessions = await Promise.all([...slots.values()].map(({ session }) => session));
      await Promise.all(sessions.map((started) => (started?.ok ? started.value.close() : undefined)));
    },
  };
}

function missing({ record, reason }: MissingServer) {
  return lspFailure(
    "no-server",
    `No ${record.title}: ${reason.replace(/\.$/, "")}.${forPeople}${record.remedy}`,
  );
}

const forPeople = " How to get it: ";

/** Removes the remedy from a message, for readers who cannot install a server. */
export function withoutRemedy(message: string): string {
  const at = message.indexOf(forPeople);
  return at < 0 ? message : message.slice(0, at);
}

async function probeIn(host: ServerHost, argv: readonly string[]) {
  const result = await host.execute({ run: argv, timeoutMs: versionLimitMs });
  return { exitCode: result.exitCode, text: probeText(result) };
}

/** Returns the outermost folder above the file that contains one of the record's files; "" is the repository. */
function rootOf(host: ServerHost, { rootFiles }: LanguageServer, path: string): string {
  if (rootFiles === undefined) return "";
  const names = posix.dirname(path).split("/");
  const folders = ["", ...names.map((_, index) => names.slice(0, index + 1).join("/"))];
  const hasRootFile = (folder: string): boolean =>
    rootFiles.some((file) => host.exists(posix.join(folder, file)));
  const found = folders.find(hasRootFile);
  return found === undefined || found === "." ? "" : found;
}
