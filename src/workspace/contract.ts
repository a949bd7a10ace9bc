/** A repository inside a sandbox: what `openWorkspace` returns, and what everything above works with. */
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
  /** Relative, `/`; bytes that are no UTF-8 are kept as git quotes them and such files are never edited. */
  readonly path: string;
  /** `100644`, `100755`, `120000`. */
  readonly mode: string;
  readonly blob: string;
}

export interface FileChange {
  readonly path: string;
  /** The whole new content; null deletes the file. */
  readonly content: string | Uint8Array | null;
  /** Default: the mode that it has, `100644` for a new file. */
  readonly mode?: "100644" | "100755" | "120000";
}

/** Trees of one run: git objects in a private store that nothing inside the sandbox can see. */
export interface TreeStore {
  list(tree: string): Promise<readonly TreeEntry[]>;
  /** The file's bytes, or undefined where there is none. */
  read(tree: string, path: string): Promise<Buffer | undefined>;
  /** The tree with the changes laid on it. Throws MillwrightError for a path outside the tree (`..`, absolute, `.git`). */
  write(tree: string, changes: readonly FileChange[]): Promise<string>;
  /** Unified diff that `git apply` takes (binary files included); "" when equal. */
  diff(from: string, to: string): Promise<string>;
  stat(from: string, to: string): Promise<readonly { path: string; added: number; removed: number }[]>;
  /** The tree that a unified diff makes of `tree`. */
  apply(tree: string, patch: string): Promise<Result<string, "patch-rejected">>;
  /**
   * Lays the candidates, in this order, on `base`, three-way against each one's parent's tree (the base's where it has none):
   * any subset, whatever they were made from. A conflict names the paths and the candidates.
   */
  compose(
    base: string,
    candidates: readonly Candidate[],
    treeOf: (id: string) => string,
  ): Promise<Result<string, "conflict">>;
}

export interface WorkspaceCommand {
  readonly run: readonly string[] | string;
  /** Relative to the repository's root; default the root. */
  readonly directory?: string;
  /** Added to the rebuilt environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly outputBytes?: number;
  readonly signal?: AbortSignal;
}

/** One working folder with a sandbox around it. Two checkouts of a workspace can run commands at the same time. */
export interface Checkout {
  /** The working folder's host path. Commands may have made its files hostile (links out of it): trees are read, not this. */
  readonly folder: string;
  /** The repository's root as commands inside see it (the user's own path, where the sandbox can mount). */
  readonly root: string;
  /** Our runtime files as commands inside see them, read-only. */
  readonly runtime: string;
  /** The variables that say where programs of ours lie compiled; none for what each checkout compiles itself. */
  findPrograms(programs: readonly OwnProgram[]): Promise<Readonly<Record<string, string>>>;
  /** A scratch folder outside the repository, written by commands and read by the host: the two names of the same folder. */
  readonly scratch: { readonly inside: string; readonly host: string };
  /** Where the host opens the channels of reports; commands see it and, where the sandbox is a boundary, cannot change it. */
  readonly channels: { readonly inside: string; readonly host: string };
  /** A folder for temporary files of commands, not made yet: the two names of it. */
  readonly temporary: { readonly inside: string; readonly host: string };
  /** What paths of this checkout are called where a model or a person reads them: the same in every sandbox and run. */
  readonly names: PathNames;
  /**
   * Makes the folder's files those of the tree: whatever earlier commands wrote to them, or added beside them, is gone;
   * ignored folders (`node_modules`, `target`, `.venv`) stay. Only files that differ are written, and they get a new mtime.
   */
  lay(tree: string): Promise<void>;
  /**
   * The folder's files as they are now, as a tree, and what was left out of it (pipes, huge files, a `.git`), for people. What git
   * ignores is no part of it, unless a tree that was laid has it. No command may run meanwhile.
   */
  take(): Promise<{ readonly tree: string; readonly leftOut: readonly string[] }>;
  execute(command: WorkspaceCommand): Promise<CommandResult>;
  /** A long-lived command, such as a language server, in the same surroundings; see Sandbox. */
  attach(command: Omit<WorkspaceCommand, "timeoutMs" | "outputBytes">): AttachedProcess;
  /** The variables that commands get, before their own are added. */
  readonly environment: Readonly<Record<string, string>>;
  /** True for a path of the working folder, ignored ones included. */
  exists(path: string): boolean;
  /** What shows this folder in another checkout's sandbox, with changes of ignored folders of its own in the host folder `changes`. */
  mountsBeside(changes: string): readonly Mount[];
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Checkouts of other repositories that commands of this one see too, each at its own root. */
  readonly beside?: readonly Checkout[];
  /** Folders of the host that commands see too, read-only, each at its own path. */
  readonly shown?: readonly string[];
  /**
   * Its files are read on the host, and are those of the tree to the byte. Otherwise, where the sandbox cannot show the copy at the
   * repository's path, files that name this path name the copy, and are taken with the name again.
   */
  readonly isReadHere?: boolean;
}

export interface Workspace {
  /** The user's repository, by its real path; never written. */
  readonly repository: string;
  /** What it is called where a model or a person reads it: its path, or the one that a run had elsewhere. */
  readonly shownRoot: string;
  /** The private host folder of this workspace. */
  readonly directory: string;
  /** The tree of the repository as the user had it when the run began: tracked, changed and untracked files. */
  readonly base: string;
  readonly trees: TreeStore;
  /** Whether commands of each checkout have processes and a network of their own, and see nothing of those in others. */
  readonly isolated: boolean;
  /** The commit that HEAD names, where there is one. */
  readonly commit: string | undefined;
  /** For people: what was left out of the copy (pipes, unreadable files …) and what was slow. Grows as checkouts are opened. */
  notices(): readonly string[];
  /** A new working folder with the base laid in it; of a kept workspace the first is the kept one, with whatever was laid last. */
  openCheckout(options?: OpenOptions): Promise<Checkout>;
  /** Closes all checkouts and removes the working folders; the trees stay for `resume`. */
  close(): Promise<void>;
}

/** The sandbox that a workspace opens around each of its checkouts. */
export interface WorkspaceSandbox {
  readonly provider: SandboxProvider;
  /** What the provider's probe said. */
  readonly mounts: MountSupport;
  /** The run, see SandboxSpec. */
  readonly owner: string;
  readonly network: boolean;
  readonly limits: SandboxLimits;
  readonly image?: SandboxImage;
}

/** A container image with the project's toolchain. */
export interface SandboxImage {
  readonly name: string;
  /**
   * The folder in which the image has the project, absolute. Packages that are installed there name it, so the checkout is shown at
   * this path. Default: the repository's own path.
   */
  readonly root?: string | undefined;
  /** Folders that come before those of the image's PATH. */
  readonly path?: readonly string[] | undefined;
}
