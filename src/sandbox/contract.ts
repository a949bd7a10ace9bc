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

/** Limits for each command with all its processes. They do not limit the sum of simultaneous commands. */
export interface SandboxLimits {
  readonly memoryBytes: number;
  /** Number of cores; may be a fraction. */
  readonly cpus: number;
  readonly processes: number;
}

export interface SandboxSpec {
  /** The run to which the sandbox belongs. The sandbox labels its objects with it, so that `sweep` finds leftovers. */
  readonly owner: string;
  readonly mounts: readonly Mount[];
  /**
   * A host folder for the state of this sandbox only. It contains the `/tmp` and the home folder that commands see.
   * They last as long as the sandbox. The folder must exist; the caller removes it after `close`.
   */
  readonly stateDirectory: string;
  /** Off unless the user allows it. `local` cannot switch it off, and warns about that. */
  readonly network: boolean;
  readonly limits: SandboxLimits;
  /** docker: an image with the project's toolchain. Default: the host's own toolchain, mounted read-only. */
  readonly image?: string;
  /** The active Python virtual environment in the user's shell (`VIRTUAL_ENV`): part of the host's toolchain. */
  readonly virtualEnvironment?: string | undefined;
}

export interface Command {
  /** A program with its arguments, or a text for `sh -c`. */
  readonly run: readonly string[] | string;
  /** Absolute path inside the sandbox. */
  readonly cwd: string;
  /** The whole environment: the command gets nothing else, except variables that the back end needs. */
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
  /** Ending it closes the process's standard input. Data written after the process has gone is dropped. */
  readonly stdin: Writable;
  /**
   * Its standard output, with back-pressure. It ends once the process is gone; data unread a second later may be lost.
   */
  readonly stdout: Readable;
  /** The last 64 KiB of its standard error so far. */
  stderr(): string;
  /**
   * Resolves once it and all processes that it started are gone; "aborted" if we killed it. Rejects with
   * MillwrightError("sandbox") if the sandbox cannot start it, breaks, or is closed.
   */
  readonly exited: Promise<AttachedEnd>;
  /** Kills it with all processes that it started; returns once they are gone. May be called twice. Never throws. */
  kill(): Promise<void>;
}

export type AttachedEnd = Pick<CommandResult, "end" | "exitCode" | "durationMs">;

export interface Sandbox {
  readonly name: string;
  /**
   * A writable folder inside for HOME, at the user's own path, so that a toolchain in the home folder keeps its path.
   */
  readonly home: string;
  /** Variables that the toolchain needs in addition to the caller's: those of an image (PATH …), else none. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Runs one command with its standard input closed. Returns once it and all processes that it started are gone,
   * including setsid children. Several commands may run at once. Exit codes are those of a shell: 127 if the command
   * was not found, 126 if it could not be executed or `cwd` does not exist. Standard error says which. Throws
   * MillwrightError("sandbox") if the sandbox itself is broken (daemon gone …).
   */
  execute(command: Command): Promise<CommandResult>;
  /**
   * Starts a long-lived command whose standard input and output belong to the caller. Isolation, limits and the end of
   * its process tree are the same as for `execute`, and both may run at once. A command that cannot be found or
   * executed ends as with `execute`.
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
      readonly reason: string /** Instructions to install it. */;
      readonly remedy: string;
    };

/** An image that is present locally. */
export interface HeldImage {
  /** Changes whenever the image does. */
  readonly id: string;
  readonly bytes: number;
  /** True if this call pulled it. */
  readonly wasPulled: boolean;
}

export interface ImageStore {
  /**
   * Pulls the image if it is missing. Throws MillwrightError ("disk" or "sandbox") with the registry's reason, or
   * AbortError once the signal fires.
   */
  ensure(name: string, signal: AbortSignal): Promise<HeldImage>;
  /** Removes the image unless a container uses it. Never throws. */
  remove(name: string): Promise<void>;
}

export interface SandboxProvider {
  readonly name: string;
  readonly description: string;
  /** `auto` takes the available provider with the highest strength. */
  readonly strength: number;
  /** False if code inside can reach everything that the user can. */
  readonly boundary: boolean;
  /** Opens a sandbox as a test, in at most a second if it works; never throws. */
  probe(): Promise<Availability>;
  /** Absent if the provider runs no images. */
  readonly images?: ImageStore;
  /** Throws MillwrightError with a remedy: "sandbox", or "disk" if the host's disk is the reason. */
  open(spec: SandboxSpec): Promise<Sandbox>;
  /**
   * Removes leftovers of sandboxes (containers, volumes, processes, control groups) whose process has ended and whose
   * owner is not alive; returns their names. Never touches what another living process created, whoever its owner is.
   */
  sweep(isAlive: (owner: string) => boolean): Promise<readonly string[]>;
}

/** Returns the record unchanged, with its inferred type. */
export function defineSandbox<const Provider extends SandboxProvider>(provider: Provider): Provider {
  return provider;
}
