/**
 * The isolated testing workspace (RustForger, section 5.1): a clean project beside the target, which depends on it by path and has the
 * right dependencies, so that a reproduction builds at the first try. It stands in a folder of the working copy whose name begins with a
 * dot, where no build and no test run of the target looks, and nothing of it reaches a patch; or in a folder outside of the target.
 */
import type { ProjectView } from "../languages/contract.ts";

/** Where a forged project stands, relative to the repository's root, unless something else is asked for. */
export const forgeFolder = ".millwright/reproduction";

export interface ForgeRequest {
  readonly project: ProjectView;
  /** Relative to the root; "" where it is outside. */
  readonly folder: string;
  /** The absolute path of the target's root for a project that stands outside of it: its files and texts are relative to its own folder then. */
  readonly outside?: string;
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
  /** Files by path relative to the repository's root, or to the project's own folder where that is outside. */
  readonly files: ReadonlyMap<string, string>;
  /** The file of the reproduction itself: one of `files`, which has the prelude in it. */
  readonly entry: string;
  /** Links to folders of the target, likewise: only of what is outside. */
  readonly links?: ReadonlyMap<string, string>;
  /** Files that `check` leaves and that belong to the project: what was resolved. Only of what is outside. */
  readonly resolved?: readonly string[];
  /** Text for a shell in the repository's root, or in the project's own folder; ends with the reproduction's own exit code. */
  readonly run: string;
  /** The program and its arguments where the target's code is found already, as under a trace of it. Only of what is outside. */
  readonly start?: readonly string[];
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
  /** Files that tell a repository of this kind, and what people call them. */
  readonly sign: { readonly files: RegExp; readonly name: string };
  /** What a request may choose of this repository: the packages' names, or folders. */
  packagesOf(project: ProjectView): readonly string[];
  /** Projects from the one that offers most to the one that asks for least; the first whose `check` works is taken. Empty: not its kind. */
  forge(request: ForgeRequest): readonly ForgedProject[];
}

/** Identity, for inference. */
export function defineForge(forge: Forge): Forge {
  return forge;
}
