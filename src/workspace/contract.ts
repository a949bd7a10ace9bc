/**
 * A workspace is a private copy of a repository, whose commands run in a sandbox. `openWorkspace` returns it, and all
 * higher layers use it.
 */
import type { Result } from "../base/result.ts";
import type { Candidate } from "../domain/candidate.ts";
import type { OwnProgram } from "../languages/contract.ts";
import type {
  AttachedProcess,
  CommandResult,
  Mount,
  MountSupport,
  SandboxLimits,
  SandboxProvider,
} from "../sandbox/contract.ts";
import type { PathNames } from "./path-names.ts";

export interface TreeEntry {
  /** Relative path, with `/`. A path that is not UTF-8 has git's quoted form. Millwright never edits such a file. */
  readonly path: string;
  /** Git's mode of the file: `100644`, `100755` or `120000`. */
  readonly mode: string;
  readonly blob: string;
}

export interface FileChange {
  readonly path: string;
  /** The whole new content; null deletes the file. */
  readonly content: string | Uint8Array | null;
  /** The file's mode. Default: the existing mode, or `100644` for a new file. */
  readonly mode?: "100644" | "100755" | "120000";
}

/** The trees of one run: git objects in a private store that nothing inside the sandbox can see. */
export interface TreeStore {
  list(tree: string): Promise<readonly TreeEntry[]>;
  /** Returns the file's bytes; undefined if it does not exist. */
  read(tree: string, path: string): Promise<Buffer | undefined>;
  /**
   * Returns the tree with the changes applied. Throws MillwrightError for a path outside the tree (`..`, absolute,
   * `.git`).
   */
  write(tree: string, changes: readonly FileChange[]): Promise<string>;
  /** Renders a unified diff that `git apply` accepts (including binary files); "" if the trees are equal. */
  diff(from: string, to: string): Promise<string>;
  stat(from: string, to: string): Promise<readonly { path: string; added: number; removed: number }[]>;
  /** Applies a unified diff to `tree` and returns the new tree. */
  apply(tree: string, patch: string): Promise<Result<string, "patch-rejected">>;
  /**
   * Applies the candidates to `base` in this order, each by three-way merge against its parent's tree (or the base's).
   * Accepts any subset of candidates, even without their parents. A conflict names the paths and the candidates.
   */
  compose(
    base: string,
    candidates: readonly Candidate[],
    treeOf: (id: string) => string,
  ): Promise<Result<string, "conflict">>;
}

export interface WorkspaceCommand {
  readonly run: readonly string[] | string;
  /** The command's folder, relative to the repository's root; default the root. */
  readonly directory?: string;
  /** Variables in addition to the rebuilt environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly outputBytes?: number;
  readonly signal?: AbortSignal;
}

/** One working folder with a sandbox around it. Two checkouts of a workspace can run commands simultaneously. */
export interface Checkout {
  /**
   * The working folder's host path. Commands may have placed hostile files there, such as links to other folders. Read
   * trees instead of this folder.
   */
  readonly folder: string;
  /** The repository's root as commands inside see it (the user's own path, if the sandbox can mount). */
  readonly root: string;
  /** The path of our runtime files inside the sandbox. Commands can only read them. */
  readonly runtime: string;
  /**
   * Returns variables with the paths of our compiled programs; none for programs that each checkout compiles itself.
   */
  findPrograms(programs: readonly OwnProgram[]): Promise<Readonly<Record<string, string>>>;
  /**
   * A scratch folder outside the repository, as two paths of the same folder. Commands write to it, and the host reads
   * it.
   */
  readonly scratch: { readonly inside: string; readonly host: string };
  /**
   * The folder in which the host opens report channels. Commands see this folder. In a sandbox with isolation, they
   * cannot change it.
   */
  readonly channels: { readonly inside: string; readonly host: string };
  /** A folder for commands' temporary files, as two paths of the same folder. Nobody has created it yet. */
  readonly temporary: { readonly inside: string; readonly host: string };
  /** Names of this checkout's paths, for models and people. They are the same in every sandbox and run. */
  readonly names: PathNames;
  /**
   * Makes the folder's files equal to the tree. Removes changes and additions of earlier commands, except in ignored
   * folders (`node_modules`, `target`, `.venv`). Writes only files that differ, with a new mtime.
   */
  lay(tree: string): Promise<void>;
  /**
   * Returns the folder's current files as a tree. Omits files that git ignores, unless a laid tree contains them.
   * `leftOut` lists other omitted paths for people: pipes, huge files, a `.git`. No command may run meanwhile.
   */
  take(): Promise<{ readonly tree: string; readonly leftOut: readonly string[] }>;
  /**
   * Lists the files of the laid tree that commands changed, replaced or deleted, even if they restored the content. No
   * command may run meanwhile.
   */
  damaged(): readonly string[];
  execute(command: WorkspaceCommand): Promise<CommandResult>;
  /** Starts a long-lived command, such as a language server, in the same environment; see Sandbox. */
  attach(command: Omit<WorkspaceCommand, "timeoutMs" | "outputBytes">): AttachedProcess;
  /** The variables of all commands, to which each command adds its own. */
  readonly environment: Readonly<Record<string, string>>;
  /** True for a path of the working folder, including ignored ones. */
  exists(path: string): boolean;
  /**
   * Returns the mounts that show this folder in another checkout's sandbox. Changes to ignored folders go to the host
   * folder `changes`.
   */
  mountsBeside(changes: string): readonly Mount[];
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Checkouts of other repositories, which this checkout's commands also see, each at its own root. */
  readonly beside?: readonly Checkout[];
  /** Folders of the host that commands also see, read-only, each at its own path. */
  readonly shown?: readonly string[];
  /**
   * True to keep the files equal to the tree's byte for byte, because the host reads them. A sandbox may be unable to
   * show the copy at the repository's path. By default, files with this path then get the copy's path instead. `take`
   * restores the repository's path.
   */
  readonly isReadHere?: boolean;
}

export interface Workspace {
  /** The user's repository, by its real path. The workspace never writes to it. */
  readonly repository: string;
  /** The repository's name for models and people: its path, or the path that a run had elsewhere. */
  readonly shownRoot: string;
  /** The private host folder of this workspace. */
  readonly directory: string;
  /** The tree of the repository at the beginning of the run: tracked, changed and untracked files. */
  readonly base: string;
  readonly trees: TreeStore;
  /** True if commands of each checkout have their own processes and network, and see nothing of other checkouts. */
  readonly isolated: boolean;
  /** The commit of HEAD, if there is one. */
  readonly commit: string | undefined;
  /**
   * Returns notes for people: paths that the copy omits (pipes, unreadable files …) and slow steps. The list grows as
   * checkouts are opened.
   */
  notices(): readonly string[];
  /**
   * Opens a new working folder that contains the base. In a kept workspace, the first call returns the kept folder,
   * with the last laid tree.
   */
  openCheckout(options?: OpenOptions): Promise<Checkout>;
  /** Closes all checkouts and removes the working folders. Keeps the trees for `resume`. */
  close(): Promise<void>;
}

/** The sandbox that a workspace opens around each of its checkouts. */
export interface WorkspaceSandbox {
  readonly provider: SandboxProvider;
  /** The mounts that the provider supports, from its probe. */
  readonly mounts: MountSupport;
  /** The run's id; see SandboxSpec. */
  readonly owner: string;
  readonly network: boolean;
  readonly limits: SandboxLimits;
  readonly image?: SandboxImage;
}

/** A container image with the project's toolchain. */
export interface SandboxImage {
  readonly name: string;
  /**
   * The absolute folder of the project in the image. Packages in the image name this folder, so sandboxes show the
   * checkout there. Default: the repository's own path.
   */
  readonly root?: string | undefined;
  /** Folders that come before the folders of the image's PATH. */
  readonly path?: readonly string[] | undefined;
}
