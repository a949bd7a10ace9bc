/** Language servers for a process that lives long: opened when they are asked first, anew when the repository has changed. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { MillwrightError } from "../base/errors.ts";
import { fail, type Result, succeed } from "../base/result.ts";
import type { LanguageServers } from "../lsp/language-servers.ts";
import { withLanguageServers } from "./language-server-session.ts";
import type { TemporaryWorkspaceOptions } from "./temporary-workspace.ts";

export interface LazyServers {
  /** `files`: the repository's, relative. A failure where no sandbox can be had. */
  of(files: readonly string[]): Promise<Result<LanguageServers>>;
  close(): Promise<void>;
}

interface Opened {
  readonly servers: Promise<Result<LanguageServers>>;
  /** What the copy that they see was made of. */
  readonly state: ReadonlyMap<string, string>;
  readonly close: () => Promise<void>;
}

export function createLazyServers(options: TemporaryWorkspaceOptions): LazyServers {
  let opened: Opened | undefined;
  return {
    async of(files) {
      const state = readState(options.repository, files);
      if (opened !== undefined && !isSame(opened.state, state)) {
        await opened.close();
        opened = undefined;
      }
      opened ??= open(options, state);
      return opened.servers;
    },
    close: async () => opened?.close(),
  };
}

function open(options: TemporaryWorkspaceOptions, state: ReadonlyMap<string, string>): Opened {
  const over = Promise.withResolvers<void>();
  const ready = Promise.withResolvers<Result<LanguageServers>>();
  const whole = withLanguageServers(options, ({ servers }) => {
    ready.resolve(succeed(servers));
    return over.promise;
  }).catch((error: unknown) => {
    if (!(error instanceof MillwrightError)) ready.reject(error);
    else ready.resolve(fail("no-server", [error.message, error.hint].filter(Boolean).join(" ")));
  });
  return {
    servers: ready.promise,
    state,
    async close() {
      over.resolve();
      await whole;
    },
  };
}

function readState(repository: string, files: readonly string[]): Map<string, string> {
  return new Map(
    files.map((path) => {
      const stat = statSync(join(repository, path), { throwIfNoEntry: false });
      return [path, stat === undefined ? "" : `${stat.mtimeMs} ${stat.size}`];
    }),
  );
}

function isSame(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([path, state]) => b.get(path) === state);
}
