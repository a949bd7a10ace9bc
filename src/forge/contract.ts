/**
 * The contract of forges, which create the isolated testing workspace of RustForger (section 5.1): a clean project for
 * a reproduction. The project depends on the target by path and has the correct dependencies, so that a reproduction
 * builds at the first attempt. Its folder is in the working copy, under a name that begins with a dot. The target's
 * builds and test runs ignore this folder, and no patch contains its files. The project may also be in a folder outside
 * the target.
 */
import type { ProjectView } from "../languages/contract.ts";

/** The default folder of a forged project, relative to the repository's root. */
export const forgeFolder = ".millwright/reproduction";

export interface ForgeRequest {
  readonly project: ProjectView;
  /** Relative to the root; "" if it is outside. */
  readonly folder: string;
  /**
   * For a project outside the target: the absolute path of the target's root. Its files and texts are then relative to
   * its own folder.
   */
  readonly outside?: string;
  /** Packages of the repository for the reproduction, by name or folder; empty: the root's own, else every library. */
  readonly packages: readonly string[];
  /** The subject in words: among many packages, those that it names come first. */
  readonly about: string;
  /** True if commands have no network: only data on this machine is available. */
  readonly offline: boolean;
}

export interface ForgedProject {
  /** Its dependencies, as code imports them. */
  readonly imports: readonly string[];
  /** Files by path relative to the repository's root, or to the project's own folder if it is outside. */
  readonly files: ReadonlyMap<string, string>;
  /** The file of the reproduction: one of `files`, which contains the prelude. */
  readonly entry: string;
  /** Links to folders of the target, in the same form. Only for a project outside. */
  readonly links?: ReadonlyMap<string, string>;
  /** Files of the project that `check` creates: resolved versions. Only for a project outside. */
  readonly resolved?: readonly string[];
  /**
   * Text for a shell in the repository's root, or in the project's own folder; exits with the reproduction's own exit
   * code.
   */
  readonly run: string;
  /** The program and its arguments if the target's code is already found, as in a trace. Only for a project outside. */
  readonly start?: readonly string[];
  /**
   * A text like `run` that builds or loads the project as created, without running a reproduction; exits with 0 if it
   * works.
   */
  readonly check: string;
  /** Facts for the author of the reproduction, one sentence each. */
  readonly notes: readonly string[];
}

export interface Forge {
  /** "cargo", "python", "npm", "go", "maven". */
  readonly ecosystem: string;
  /**
   * Extensions of its source files, with the dot: for a repository of several kinds, the one with most such files comes
   * first.
   */
  readonly extensions: readonly string[];
  /** Files that identify a repository of this kind, and their common name. */
  readonly sign: { readonly files: RegExp; readonly name: string };
  /** The names or folders of packages that a request may choose in this repository. */
  packagesOf(project: ProjectView): readonly string[];
  /**
   * Projects from the one with most dependencies to the one with fewest; the first whose `check` works is used. Empty:
   * the repository is of another kind.
   */
  forge(request: ForgeRequest): readonly ForgedProject[];
}

/** Returns the record unchanged. Makes the compiler check it as a `Forge` where it is defined. */
export function defineForge(forge: Forge): Forge {
  return forge;
}
