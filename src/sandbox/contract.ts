/** The sandbox contract: a place for untrusted commands. It knows nothing of git, tests or tasks. */
import type { Readable, Writable } from "node:stream";
import type { CapturedOutput } from "../base/captured-output.ts";

/**
 * A path that the sandbox shows at `target`.
 * - `read-only`, `read-write`: the host's file or folder `source`.
 * - `overlay`: the host's folder `source`; nothing writes to it. The sandbox stores changes in the host folder
 *   `changes`: in `upper`, in the format of overlayfs, and in `work`. Requires the mount support "overlay".
 *
 * A mount may be inside another mount's target (a folder of the workspace). Mounts happen in the given order, and no
 * mount may hide an earlier one. The sandbox creates a missing mount point inside a read-write mount, also on the host.
 */
export type Mount =
  | { readonly mode: "read-only" | "read-write"; readonly source: string; readonly target: string }
  | { readonly mode: "overlay"; readonly source: string; readonly changes: string; readonly target: string };

/** Limits for each command with all its processes. They do not limit the sum over simultaneous commands. */
export interface SandboxLimits {
  readonly memoryBytes: number;
  /** Number of cores; may be a fraction. */
  readonly cpus: number;
  readonly processes: number;
}

export interface SandboxSpec {
  /**
   * The id of the run to which the sandbox belongs. The sandbox labels its objects with this id, so that `sweep` finds
   * leftovers.
   */
  readonly owner: string;
  readonly mounts: readonly Mount[];
  /**
   * A host folder for the state of this sandbox only. It contains the `/tmp` and the home folder that commands see.
   * They last as long as the sandbox. The folder must exist; the caller removes it after `close`.
   */
  readonly stateDirectory: string;
  /**
   * True if commands have a network; only if the user allows it. `local` cannot remove the network, and warns about
   * that.
   */
  readonly network: boolean;
  readonly limits: SandboxLimits;
  /**
   * An image with the project's toolchain: for docker its name, for bubblewrap a root folder or a layer that Millwright
   * built. Default: the host's own toolchain, mounted read-only.
   */
  readonly image?: string;
  /** The active Python virtual environment in the user's shell (`VIRTUAL_ENV`): part of the host's toolchain. */
  readonly virtualEnvironment?: string | undefined;
}

export interface Command {
  /** A program with its arguments, or a text for `sh -c`. */
  readonly run: readonly string[] | string;
  /** Absolute path inside the sandbox. */
  readonly cwd: string;
  /** The whole environment of the command. The back end adds only variables that it needs. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Bytes kept of each stream, half from its start and half from its end. Default 1 MiB. */
  readonly outputBytes?: number;
  readonly signal?: AbortSignal;
}

export type CommandEnd =
  | "exited" // by itself; see exitCode
  | "signalled" // by a signal that it or the kernel sent; derived from exitCode (128 + number)
  | "out-of-memory" // it failed and the kernel killed part of it at the memory limit, if the back end can detect that
  | "timed-out" // the whole tree was killed at the limit
  | "aborted"; // the whole tree was killed because the caller's signal fired

export interface CommandResult {
  readonly end: CommandEnd;
  /** null after a time-out or an abort. */
  readonly exitCode: number | null;
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  readonly durationMs: number;
}

/** An interactive command. It has no time limit, and runs until it ends, is killed, or the sandbox closes. */
export type AttachedCommand = Omit<Command, "timeoutMs" | "outputBytes">;

export interface AttachedProcess {
  /**
   * The process's standard input. Ending this stream closes the input. The sandbox drops data written after the process
   * has gone.
   */
  readonly stdin: Writable;
  /**
   * The process's standard output, with back-pressure. It ends once the process is gone. Data unread a second later may
   * be lost.
   */
  readonly stdout: Readable;
  /** Returns the last 64 KiB of the process's standard error so far. */
  stderr(): string;
  /**
   * Resolves once the process and all processes that it started are gone; "aborted" if we killed the process. Rejects
   * with MillwrightError("sandbox") if the sandbox cannot start the process, breaks, or is closed.
   */
  readonly exited: Promise<AttachedEnd>;
  /**
   * Kills the process with all processes that it started. Returns once they are gone. May be called twice. Never
   * throws.
   */
  kill(): Promise<void>;
}

export type AttachedEnd = Pick<CommandResult, "end" | "exitCode" | "durationMs">;

export interface Sandbox {
  readonly name: string;
  /**
   * A writable folder inside the sandbox, for HOME. It has the user's own path, so that a toolchain in the home folder
   * keeps its path.
   */
  readonly home: string;
  /**
   * Variables that the toolchain needs in addition to the caller's: an image's variables (PATH …), or none without an
   * image.
   */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Runs one command with its standard input closed. Returns once the command and all processes that it started are
   * gone, including setsid children. Several commands may run at once. Exit codes are those of a shell: 127 if the
   * command was not found, 126 if it could not be executed or `cwd` does not exist. Standard error contains the reason.
   * Throws MillwrightError("sandbox") if the sandbox itself is broken (daemon gone …).
   */
  execute(command: Command): Promise<CommandResult>;
  /**
   * Starts a long-lived command whose standard input and output belong to the caller. Isolation, limits and the end of
   * its process tree are the same as for `execute`. Both kinds of commands may run at once. A command that cannot be
   * found or executed ends as with `execute`.
   */
  attach(command: AttachedCommand): AttachedProcess;
  /** Removes everything that the sandbox created outside `stateDirectory`. May be called twice. Never throws. */
  close(): Promise<void>;
}

/**
 * The mounts that a sandbox supports.
 * - "overlay": every kind of mount, at any target.
 * - "bind": all kinds except `overlay`, at any target.
 * - "none": the sandbox sees the host's paths, so each mount's target must equal its source. The sandbox does not
 *   enforce that a read-only mount stays unchanged.
 */
export type MountSupport = "overlay" | "bind" | "none";

export type Availability =
  | {
      readonly available: true;
      /** Version and limits, for people. */
      readonly detail: string;
      readonly warnings: readonly string[];
      readonly mounts: MountSupport;
    }
  | {
      readonly available: false;
      readonly reason: string;
      /** Instructions to make it available. */
      readonly remedy: string;
    };

/** An image that is present locally. */
export interface HeldImage {
  /** The image's id, which changes whenever the image does. */
  readonly id: string;
  readonly bytes: number;
  /** True if this call pulled the image. */
  readonly wasPulled: boolean;
}

/** An image that a command makes from another image. */
export interface ImageLayer {
  /** The new image's name. */
  readonly name: string;
  /** The name of the image below. */
  readonly from: string;
  /** Shell command. It runs as root, with a network. */
  readonly run: string;
  /** A host folder that the command reads as its working folder; undefined: the root folder. */
  readonly files: string | undefined;
  /** A host folder for the state of this build only. The caller removes it. */
  readonly stateDirectory: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly limits: SandboxLimits;
  /** Time limit in milliseconds. */
  readonly limitMs: number;
}

export interface ImageStore {
  /** True if images are folders of this machine: no registry has them, and a base may be the host's own programs, `/`. */
  readonly holdsFolders: boolean;
  /** Names a layer by the hash of its inputs. `directory`: a folder for layers that are folders. */
  nameLayer(directory: string, hash: string): string;
  /** Returns the image if it is present, otherwise undefined. Throws MillwrightError("sandbox") without a daemon. */
  find(name: string): Promise<Omit<HeldImage, "wasPulled"> | undefined>;
  /**
   * Pulls the image if it is missing. Throws MillwrightError ("disk" or "sandbox") with the registry's reason, or
   * AbortError once the signal aborts.
   */
  ensure(name: string, signal: AbortSignal): Promise<HeldImage>;
  /**
   * Asks the registry about a missing image. Returns the reason if the registry gives no answer; undefined if the image
   * is present, if the registry answers, or if the daemon cannot ask. Throws MillwrightError("sandbox") without a daemon.
   */
  findLack(name: string): Promise<string | undefined>;
  /**
   * Builds the image. Throws MillwrightError("repository") if the command fails, MillwrightError("sandbox") without a
   * daemon, or AbortError once the signal aborts.
   */
  build(layer: ImageLayer, signal: AbortSignal): Promise<void>;
  /** Removes the image unless a container uses it. Never throws. */
  remove(name: string): Promise<void>;
}

export interface SandboxProvider {
  readonly name: string;
  readonly description: string;
  /** The sandbox's strength: `auto` selects the available provider with the highest one. */
  readonly strength: number;
  /** False if code in the sandbox can access everything that the user can. */
  readonly boundary: boolean;
  /** Opens a sandbox as a test, in at most a second if it works; never throws. */
  probe(): Promise<Availability>;
  /** The store of images; absent if the provider runs no images. */
  readonly images?: ImageStore;
  /**
   * Opens a sandbox. Throws MillwrightError with a remedy: "disk" if the host's disk is the reason, otherwise
   * "sandbox".
   */
  open(spec: SandboxSpec): Promise<Sandbox>;
  /**
   * Removes leftovers of sandboxes (containers, volumes, processes, control groups): those whose process has ended and
   * whose owner is not alive. Returns their names. Never touches objects that another living process created, whoever
   * their owner is.
   */
  sweep(isAlive: (owner: string) => boolean): Promise<readonly string[]>;
}

/** Returns the record unchanged, with its inferred type. */
export function defineSandbox<const Provider extends SandboxProvider>(provider: Provider): Provider {
  return provider;
}
