/** Opens language servers for a long-lived process at the first question, and notifies them of later changes. */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { MillwrightError } from "../base/errors.ts";
import { fail, type Result, succeed } from "../base/result.ts";
import type { LanguageServers } from "../lsp/language-servers.ts";
import type { FileOnDisk } from "../lsp/server-session.ts";
import { absentServers } from "../lsp/with-fallback.ts";
import { copyFileInto } from "./follow-changes.ts";
import { type LanguageServerSession, withLanguageServers } from "./language-server-session.ts";
import type { TemporaryWorkspaceOptions } from "./temporary-workspace.ts";

export interface LazyServers {
  /**
   * Opens servers at their first use. `files`: relative paths of the repository's current files. If they cannot be
   * opened, for example without a sandbox, returns servers that report the reason.
   */
  of(files: readonly string[]): Promise<LanguageServers>;
  close(): Promise<void>;
}

interface Opened {
  readonly session: Promise<Result<LanguageServerSession>>;
  /** The state of the files in the copy that the servers read. */
  state: ReadonlyMap<string, string>;
  readonly close: () => Promise<void>;
}

/**
 * Maximum number of changed files for which Millwright updates the copy. With more changes (another branch), it makes a
 * new copy.
 */
const mostFollowed = 50;

export function createLazyServers(options: TemporaryWorkspaceOptions): LazyServers {
  let opened: Opened | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function current(files: readonly string[]): Promise<LanguageServers> {
    const state = readState(options.repository, files);
    if (opened !== undefined && !(await follow(opened, state, options.repository))) {
      await opened.close();
      opened = undefined;
    }
    opened ??= open(options, state);
    const session = await opened.session;
    return session.ok ? session.value.servers : absentServers(session.message);
  }
  return {
    /** Serves one caller at a time, because two callers must not change the copy at once. */
    of(files) {
      const asked = last.then(() => current(files));
      last = asked.catch(() => {});
      return asked;
    },
    async close() {
      await last;
      await opened?.close();
    },
  };
}

function open(options: TemporaryWorkspaceOptions, state: ReadonlyMap<string, string>): Opened {
  const over = Promise.withResolvers<void>();
  const ready = Promise.withResolvers<Result<LanguageServerSession>>();
  const whole = withLanguageServers(options, (session) => {
    ready.resolve(succeed(session));
    return over.promise;
  }).catch((error: unknown) => {
    if (!(error instanceof MillwrightError)) ready.reject(error);
    else ready.resolve(fail("no-server", [error.message, error.hint].filter(Boolean).join(" ")));
  });
  return {
    session: ready.promise,
    state,
    async close() {
      over.resolve();
      await whole;
    },
  };
}

/** Updates the copy to `state` and notifies the servers; false if a new copy is needed. */
async function follow(
  opened: Opened,
  state: ReadonlyMap<string, string>,
  repository: string,
): Promise<boolean> {
  const before = opened.state;
  const paths = [...new Set([...before.keys(), ...state.keys()])];
  const changed = paths.filter((path) => before.get(path) !== state.get(path));
  if (changed.length === 0) return true;
  const session = await opened.session;
  if (!session.ok || changed.length > mostFollowed) return false;
  const { checkout, servers } = session.value;
  for (const path of changed) if (!(await copyFileInto(checkout, repository, path))) return false;
  opened.state = state;
  const changes = changed.map((path) => ({ path, change: changeOf(before.get(path), state.get(path)) }));
  await servers.filesChanged(changes);
  return true;
}

function changeOf(before: string | undefined, now: string | undefined): FileOnDisk["change"] {
  return now === undefined ? "deleted" : before === undefined ? "created" : "changed";
}

/** Returns the existing files, each with a stamp that changes when somebody writes the file. */
function readState(repository: string, files: readonly string[]): Map<string, string> {
  const state = new Map<string, string>();
  for (const path of files) {
    const stat = lstatSync(join(repository, path), { throwIfNoEntry: false });
    if (stat !== undefined) state.set(path, `${stat.mtimeMs} ${stat.ctimeMs} ${stat.size}`);
  }
  return state;
}
