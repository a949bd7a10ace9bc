/** A language server as a record: its files, and its ways to be found, to start and to report that it is ready. */

import type { ServerCapabilities } from "vscode-languageserver-protocol/node";

/** A program that speaks the protocol on its standard streams. */
export interface ServerProgram {
  readonly program: string;
  /**
   * The program's arguments. Here and in `env`, `{scratch}` stands for the workspace's writable folder outside the
   * repository.
   */
  readonly arguments: readonly string[];
  /**
   * A program in the same folder, with arguments, that prints the version and exits with 0. It shows that the installed
   * server works. Default: no check.
   */
  readonly version?: readonly string[];
  /** True if this version speaks the protocol. Default: true for each version. */
  readonly accepts?: (version: string) => boolean;
}

/**
 * The way in which a server shows that its answers are complete.
 * - `at-once`: it delays each answer until the answer is complete.
 * - `progress`: it reports its work (`$/progress`), and is ready when no work is in progress.
 * - its own notification: the server sends it, and `isReady` reads its parameters.
 */
export type Readiness =
  | "at-once"
  | "progress"
  | {
      readonly notification: string;
      readonly isReady: (parameters: unknown) => boolean;
      /**
       * Returns a problem of the project or of the server's environment, in the server's words. The server's errors may
       * then be false.
       */
      readonly caution?: (parameters: unknown) => string | undefined;
    };

export interface LanguageServer {
  readonly name: string;
  /** The server's name for people. */
  readonly title: string;
  /** The protocol's language identifier for each extension: `{ ".py": "python" }`. */
  readonly languageIds: Readonly<Record<string, string>>;
  /** Millwright takes the first program that is installed and accepted. It searches all folders for each program. */
  readonly programs: readonly ServerProgram[];
  /** A sentence with instructions to install the server. */
  readonly remedy: string;
  readonly readiness: Readiness;
  /**
   * Files that mark a project's root. The server's root is the outermost folder above a file that contains one of them.
   * Default: the repository's root.
   */
  readonly rootFiles?: readonly string[];
  readonly initializationOptions?: unknown;
  /** Client capabilities in addition to the protocol's own. */
  readonly experimentalCapabilities?: Readonly<Record<string, unknown>>;
  /** Returns the configuration that the server may request, by section. */
  readonly settings?: (project: ServerProject) => Readonly<Record<string, unknown>>;
  /** Explains a short error message of the server; undefined if it has no explanation for the message. */
  readonly explain?: (refusal: string) => string | undefined;
  /** Capabilities that the server announces but answers wrongly. Millwright does not use these capabilities. */
  readonly lacks?: readonly (keyof ServerCapabilities)[];
  /** Variables in addition to the project's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Time limit in milliseconds for the first answer, and again for the server's start: indexing a large project takes
   * time. Default 60,000.
   */
  readonly startLimitMs?: number;
  /** Milliseconds for an answer if the caller sets no limit. Default 30,000. */
  readonly requestLimitMs?: number;
  /**
   * For a server that does not publish unchanged or empty lists of a file's problems. After this many milliseconds of
   * silence, the last list counts; without a list, an empty one. Default: the server always publishes a list.
   */
  readonly silentAfterMs?: number;
  /** The request for the text of a location that is not a file: `jdt://…`. */
  readonly contentRequest?: { readonly scheme: string; readonly method: string };
}

/** The project for which Millwright starts a server. */
export interface ServerProject {
  /** The project's absolute path, as the server sees it. */
  readonly root: string;
  /** True for an existing path, relative to the root. */
  exists(path: string): boolean;
}

/** Returns the record unchanged. The compiler thus checks each server's record in the server's own file. */
export function defineLanguageServer(server: LanguageServer): LanguageServer {
  return server;
}

export function startLimitOf({ startLimitMs = 60_000 }: LanguageServer): number {
  return startLimitMs;
}
