/** A language server as a record: for which files, how it is found and started, how it says that it is ready. */

import type { ServerCapabilities } from "vscode-languageserver-protocol/node";

/** A program that speaks the protocol on its standard streams. */
export interface ServerProgram {
  readonly program: string;
  /** `{scratch}` stands for a writable folder outside the repository, the workspace's own; in `env` too. */
  readonly arguments: readonly string[];
  /**
   * A program of the same folder with arguments, that prints the version and ends with 0: what is there need not work. Without
   * it the program is tried by starting it.
   */
  readonly version?: readonly string[];
  /** Whether this version speaks the protocol. Default: all do. */
  readonly accepts?: (version: string) => boolean;
}

/**
 * How it says that its answers are whole.
 * - `at-once`: it holds a request until it can answer it.
 * - `progress`: it reports what it does (`$/progress`), and is ready when it does nothing any more.
 * - a notification of its own, and what it says then.
 */
export type Readiness =
  | "at-once"
  | "progress"
  | {
      readonly notification: string;
      readonly isReady: (parameters: unknown) => boolean;
      /** What it says is wrong with the project or its own surroundings, so that its errors may be false. */
      readonly caution?: (parameters: unknown) => string | undefined;
    };

export interface LanguageServer {
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** The protocol's language identifier of each extension: `{ ".py": "python" }`. */
  readonly languageIds: Readonly<Record<string, string>>;
  /** The first that is there and accepted is taken, each of them searched in all places. */
  readonly programs: readonly ServerProgram[];
  /** How to get it, a sentence. */
  readonly remedy: string;
  readonly readiness: Readiness;
  /**
   * Files of which one marks a project's root: the outermost folder above a file that has one is the server's root.
   * Default: the repository's own root.
   */
  readonly rootFiles?: readonly string[];
  readonly initializationOptions?: unknown;
  /** Beside the protocol's own. */
  readonly experimentalCapabilities?: Readonly<Record<string, unknown>>;
  /** What it is told when it asks for its configuration, by section. */
  readonly settings?: (project: ServerProject) => Readonly<Record<string, unknown>>;
  /** What is behind a refusal that says little to who did not write the server. */
  readonly explain?: (refusal: string) => string | undefined;
  /** What it claims to answer and answers with something else: nobody asks it for that. */
  readonly lacks?: readonly (keyof ServerCapabilities)[];
  /** Added to the project's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds for its first answer, and again until it is ready: indexing a large project takes its time. Default 60,000. */
  readonly startLimitMs?: number;
  /** Milliseconds for an answer where the caller names no limit. Default 30,000. */
  readonly requestLimitMs?: number;
  /**
   * Milliseconds after which a file of which it has said nothing has the problems that it named last, or none: it repeats no list
   * and publishes no empty one. Default: it always says something.
   */
  readonly silentAfterMs?: number;
  /** Sent for the text of a location that is no file: `jdt://…`. */
  readonly contentRequest?: { readonly scheme: string; readonly method: string };
}

/** The repository that a server is started for. */
export interface ServerProject {
  /** Absolute, as the server sees it. */
  readonly root: string;
  /** A path relative to the root. */
  exists(path: string): boolean;
}

/** Identity, for inference. */
export function defineLanguageServer(server: LanguageServer): LanguageServer {
  return server;
}

export function startLimitOf({ startLimitMs = 60_000 }: LanguageServer): number {
  return startLimitMs;
}
