/**
 * The contract of forges, which create the isolated testing workspace of RustForger (section 5.1): a clean project for
 * a reproduction. The project depends on the target by path and has the correct dependencies. A reproduction therefore
 * builds at the first attempt. Its folder is in the working copy, under a name that begins with a dot. The target's
 * builds and test runs ignore this folder, and no patch contains its files. The project may also be in a folder outside
 * the target.
 */
import type { ProjectView } from "../languages/contract.ts";

/** The default folder of a forged project, relative to the repository's root. */
export const forgeFolder = ".millwright/reproduction";

export interface ForgeRequest {
  readonly project: ProjectView;
  /** The project's folder relative to the root; "" if it is outside. */
  readonly folder: string;
  /**
   * For a project outside the target: the absolute path of the target's root. The project's files and texts are then
   * relative to its own folder.
   */
  readonly outside?: string;
  /**
   * Packages of the repository for the reproduction, by name or folder. If empty: the root's own package, or else every
   * library.
   */
  readonly packages: readonly string[];
  /** A text about the subject. Packages that it names come first. */
  readonly about: string;
  /** True if commands have no network, so that only data on this machine is available. */
  readonly offline: boolean;
}

export interface ForgedProject {
  /** The project's dependencies, as code imports them. */
  readonly imports: readonly string[];
  /**
   * Files by path relative to the repository's root. In a project outside the target, paths are relative to its own
   * folder.
   */
  readonly files: ReadonlyMap<string, string>;
  /** The path of the file for the reproduction: one of `files`. The file already contains the prelude. */
  readonly entry: string;
  /** Links to folders of the target, by path like `files`. Only for a project outside the target. */
  readonly links?: ReadonlyMap<string, string>;
  /** Files of the project that `check` creates, with resolved versions. Only for a project outside the target. */
  readonly resolved?: readonly string[];
  /**
   * A shell text that runs the reproduction, in the repository's root or in the project's own folder. It exits with the
   * reproduction's exit code.
   */
  readonly run: string;
  /**
   * The program and its arguments, for runs that find the target's code without the shell text, such as traces. Only
   * for a project outside the target.
   */
  readonly start?: readonly string[];
  /**
   * A shell text that builds or loads the created project without a reproduction. Exits with 0 if the project works.
   */
  readonly check: string;
  /** Facts for the author of the reproduction, each as a sentence. */
  readonly notes: readonly string[];
}

export interface Forge {
  /** The ecosystem's name: "cargo", "python", "npm", "go", "maven". */
  readonly ecosystem: string;
  /**
   * Extensions of the ecosystem's source files, with the dot. In a repository with several ecosystems, the one with
   * most such files comes first.
   */
  readonly extensions: readonly string[];
  /** Files that identify a repository of this kind, and their common name. */
  readonly sign: { readonly files: RegExp; readonly name: string };
  /** Returns the names or folders of packages that a request may choose in this repository. */
  packagesOf(project: ProjectView): readonly string[];
  /**
   * Returns projects, the one with most dependencies first. Millwright uses the first project whose `check` works.
   * Empty if the repository belongs to another ecosystem.
   */
  forge(request: ForgeRequest): readonly ForgedProject[];
}

/** Returns the record unchanged. The compiler thus checks each forge's record in the forge's own file. */
export function defineForge(forge: Forge): Forge {
  return forge;
}
