/**
 * The isolated testing workspace (RustForger, section 5.1): a clean project beside the target, which depends on it by path and has the
 * right dependencies, so that a reproduction builds at the first try. It stands in a folder of the working copy whose name begins with a
 * dot, where no build and no test run of the target looks; nothing of it reaches a patch.
 */
import type { ProjectView } from "../languages/contract.ts";

/** Where a forged project stands, relative to the repository's root, unless something else is asked for. */
export const forgeFolder = ".millwright/reproduction";

export interface ForgeRequest {
  readonly project: ProjectView;
  /** Relative to the root. */
  readonly folder: string;
  /** Packages of the repository that the reproduction is about, by name or folder; empty: the root's own, else every library. */
  readonly packages: readonly string[];
  /** What the reproduction is about, in words: of many packages those that it names come first. */
  readonly about: string;
  /** True where commands reach no network: what is not on the machine cannot be asked for. */
  readonly offline: boolean;
}

export interface ForgedProject {
  /** What it depends on, as code names it in an import. */
  readonly imports: readonly string[];
  /** Files by path relative to the repository's root. */
  readonly files: ReadonlyMap<string, string>;
  /** The file of the reproduction itself: one of `files`, which has the prelude in it. */
  readonly entry: string;
  /** Text for a shell in the repository's root; ends with the reproduction's own exit code. */
  readonly run: string;
  /** Likewise: builds, or loads, the project as it was forged without running a reproduction; 0 where it works. */
  readonly check: string;
  /** What whoever writes the reproduction has to know, a sentence each. */
  readonly notes: readonly string[];
}

export interface Forge {
  /** "cargo", "python", "npm", "go", "maven". */
  readonly ecosystem: string;
  /** Of its source files, with the dot: where a repository is of several kinds, the one with most of them comes first. */
  readonly extensions: readonly string[];
  /** Projects from the one that offers most to the one that asks for least; the first whose `check` works is taken. Empty: not its kind. */
  forge(request: ForgeRequest): readonly ForgedProject[];
}

/** Identity, for inference. */
export function defineForge(forge: Forge): Forge {
  return forge;
}
