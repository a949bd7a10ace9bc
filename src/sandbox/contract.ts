/** The sandbox contract: a place in which commands run that nobody has read. It knows nothing of git, tests or tasks. */
import type { Readable, Writable } from "node:stream";
import type { CapturedOutput } from "../base/captured-output.ts";

/**
 * What the sandbox shows at `target`.
 * - `read-only`, `read-write`: the host's file or folder `source`.
 * - `overlay`: the host's folder `source` with changes kept in `changes` (a host folder that the sandbox fills: `upper` in
 *   the format of overlayfs, and `work`); `source` is never written. Only where the sandbox's mount support is "overlay".
 * A mount may lie inside another one's target (a folder of the workspace): they are mounted in the order given, and none
 * may hide an earlier one. A mount point that is missing inside a read-write mount is made there, on the host too.
 */
export type Mount =
  | { readonly mode: "read-only" | "read-write"; readonly source: string; readonly target: string }
  | { readonly mode: "overlay"; readonly source: string; readonly changes: string; readonly target: string };

/** They hold for each command with all that it starts, not for the sum of commands that run at once. */
export interface SandboxLimits {
  readonly memoryBytes: number;
  /** Cores, may be a fraction. */
  readonly cpus: number;
  readonly processes: number;
}

export interface SandboxSpec {
  /** The run that it belongs to: the label under which leftovers are found and swept. */
  readonly owner: string;
  readonly mounts: readonly Mount[];
  /**
   * A host folder of this sandbox alone for its own state, among it the `/tmp` and the home folder that commands see and
   * that last as long as the sandbox; it exists, and whoever gave it removes it after `close`.
   */
  readonly stateDirectory: string;
  /** Off unless the user allows it. `local` cannot switch it off and says so. */
  readonly network: boolean;
  readonly limits: SandboxLimits;
  /** docker: an image that has the project's toolchain. Default: the host's own toolchain, mounted read-only. */
  readonly image?: string;
  /** Python's virtual environment that is active in the user's shell (`VIRTUAL_ENV`): part of the host's toolchain. */
  readonly virtualEnvironment?: string | undefined;
}

export interface Command {
  /** A program with its arguments, or text for `sh -c`. */
  readonly run: readonly string[] | string;
  /** Absolute path inside the sandbox. */
  readonly cwd: string;
  /** The whole environment: nothing else reaches the command but what the back end itself needs. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Bytes kept of each stream, half from its start and half from its end. Default 1 MiB. */
  readonly outputBytes?: number;
  readonly signal?: AbortSignal;
}

export type CommandEnd =
  | "exited" // by itself; see exitCode
  | "signalled" // by a signal that it or the kernel sent; see exitCode (128 + number, from which it is told)
  | "out-of-memory" // it failed and the kernel killed part of it at the memory limit, where the back end can tell
  | "timed-out" // the whole tree was killed at the limit
  | "aborted"; // the whole tree was killed because the caller's signal fired

export interface CommandResult {
  readonly end: CommandEnd;
  /** null when it was timed out or aborted. */
  readonly exitCode: number | null;
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  readonly durationMs: number;
}

/** A command that is talked to while it runs. It has no time limit: it lives until it ends, is killed, or the sandbox closes. */
export type AttachedCommand = Omit<Command, "timeoutMs" | "outputBytes">;

export interface AttachedProcess {
  /** Ending it closes the process's standard input. What is written after the process has gone is dropped. */
  readonly stdin: Writable;
  /** Its standard output, with back-pressure; it ends when the process is gone. What is unread a second later may be lost. */
  readonly stdout: Readable;
  /** The last 64 KiB of its standard error so far. */
  stderr(): string;
  /**
   * Resolves when it and all that it started are gone; "aborted" when we killed it. Rejects with MillwrightError("sandbox")
   * when it cannot be started for a reason of the sandbox's, or the sandbox broke or was closed.
   */
  readonly exited: Promise<AttachedEnd>;
  /** Kills it with all that it started; returns when they are gone. May be called twice. Never throws. */
  kill(): Promise<void>;
}

export type AttachedEnd = Pick<CommandResult, "end" | "exitCode" | "durationMs">;

export interface Sandbox {
  readonly name: string;
  /** A writable folder inside for HOME: the user's own path, so that a toolchain in the home folder is where it was. */
  readonly home: string;
  /** What the toolchain inside needs beside the caller's variables: an image's own (PATH …), else empty. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Runs one command with its standard input closed, and returns when it and all that it started are gone, setsid children
   * too. Several may run at once. A command that cannot be found ends with exit code 127, one that cannot be executed with
   * 126, as a shell has it; a `cwd` that is not there is 126 too, and standard error says so. Throws MillwrightError("sandbox") when the sandbox itself is broken (daemon gone …).
   */
  execute(command: Command): Promise<CommandResult>;
  /**
   * Starts a long-lived command whose standard input and output are the caller's: same isolation, limits and end of its whole
   * tree as for `execute`, beside which it runs. A command that cannot be found or executed ends as `execute` has it.
   */
  attach(command: AttachedCommand): AttachedProcess;
  /** Removes everything that the sandbox made outside `stateDirectory`. May be called twice. Never throws. */
  close(): Promise<void>;
}

/**
 * "overlay": every kind of mount, at any target. "bind": all but `overlay`. "none": the sandbox sees the host's paths as
 * they are; each mount's target must equal its source and its mode is not enforced.
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
  | { readonly available: false; readonly reason: string /** How to get it. */; readonly remedy: string };

/** An image that is there. */
export interface HeldImage {
  /** It changes when the image does. */
  readonly id: string;
  readonly bytes: number;
  /** True where it was not there before. */
  readonly wasPulled: boolean;
}

export interface ImageStore {
  /**
   * Pulls the image where it is missing. Throws MillwrightError, "disk" or "sandbox", with the registry's reason, and AbortError once
   * the signal fires.
   */
  ensure(name: string, signal: AbortSignal): Promise<HeldImage>;
  /** Removes it unless a container uses it. Never throws. */
  remove(name: string): Promise<void>;
}

export interface SandboxProvider {
  readonly name: string;
  readonly description: string;
  /** `auto` takes the available provider with the highest. */
  readonly strength: number;
  /** False when code inside can reach what the user can reach. */
  readonly boundary: boolean;
  /** Tries for real (a second at most where it works); never throws. */
  probe(): Promise<Availability>;
  /** Absent where it runs no images. */
  readonly images?: ImageStore;
  /** Throws MillwrightError, "sandbox" or, where the host's disk is the reason, "disk", with what to do. */
  open(spec: SandboxSpec): Promise<Sandbox>;
  /**
   * Removes what sandboxes left behind (containers, volumes, processes, control groups) whose process has ended and whose
   * owner is not alive; returns what. What another living process made is never touched, whoever its owner is.
   */
  sweep(isAlive: (owner: string) => boolean): Promise<readonly string[]>;
}

/** Identity, for inference. */
export function defineSandbox<const Provider extends SandboxProvider>(provider: Provider): Provider {
  return provider;
}
