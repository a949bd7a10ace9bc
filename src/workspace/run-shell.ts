/** A shell session: each command runs in a new shell, in the working folder where the last one ended. */
import { closeSync, constants, fstatSync, mkdirSync, openSync, readSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { renderOutput } from "../base/captured-output.ts";
import { isSystemError } from "../base/errors.ts";
import type { CommandEnd } from "../sandbox/contract.ts";
import type { Checkout } from "./contract.ts";

export interface ShellCommand {
  /** The command's text. Like `stdout` and `stderr`, it has names in place of real paths; see PathNames. */
  readonly text: string;
  /** The folder in which the command begins, relative to the repository's root. Created if it is gone. */
  readonly directory: string;
  readonly timeoutMs: number;
  /** Bytes kept of each stream, half from its start and half from its end. */
  readonly outputBytes: number;
  readonly signal: AbortSignal;
}

export interface ShellEnd {
  readonly end: CommandEnd;
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /**
   * The working folder at the command's end, relative to the root. After a time-out, the folder in which the command
   * began. The root if the command was killed otherwise, or ended outside the root.
   */
  readonly directory: string;
}

/** Shell text that starts Bash if it is installed, because people and models write Bash. */
const starter = `if command -v bash >/dev/null 2>&1; then exec bash -c "$0" bash "$@"; fi; exec sh -c "$0" sh "$@"`;
/**
 * Shell text that puts the project's own programs first in PATH, as an activated virtual environment does. The shell
 * then finds test commands that the project has installed. Run this text in the project's root.
 */
export const ownProgramsFirst = `for millwright_bin in node_modules/.bin .venv/bin venv/bin; do [ -d "$PWD/$millwright_bin" ] && PATH="$PWD/$millwright_bin:$PATH"; done
export PATH; unset millwright_bin`;
/**
 * Shell text for a user's build cache that is not writable. Without a cache, Go builds nothing that depends on another
 * module.
 */
const goCache = `if { [ -f go.mod ] || ls */go.mod; } >/dev/null 2>&1 && command -v go >/dev/null 2>&1; then . "$4/go/cache.sh"; unset cache own making; fi`;
/**
 * Shell text that runs the command. Creates the working folder: it may have been empty, and removed when Millwright
 * laid another tree.
 */
const script = `millwright_text=$1 millwright_file=$2
${ownProgramsFirst}; ${goCache}; cd "$3" 2>/dev/null || { mkdir -p "$3" && cd "$3"; }; shift 4
trap 'pwd -P > "$millwright_file"' EXIT
eval "$millwright_text"`;

const longestPath = 4096;

/**
 * Runs a shell command. Returns when all its processes are gone. Throws the sandbox's errors, and AbortError for the
 * caller's signal.
 */
export async function runShell(checkout: Checkout, command: ShellCommand): Promise<ShellEnd> {
  const name = "working-folder";
  const file = join(checkout.scratch.host, name);
  rmSync(file, { recursive: true, force: true });
  const { names, temporary } = checkout;
  mkdirSync(temporary.host, { recursive: true, mode: 0o700 });
  const from = command.directory === "" ? "." : command.directory;
  const result = await checkout.execute({
    run: [
      "sh",
      "-c",
      starter,
      script,
      names.meant(command.text),
      `${checkout.scratch.inside}/${name}`,
      from,
      checkout.runtime,
    ],
    env: { TMPDIR: temporary.inside },
    timeoutMs: command.timeoutMs,
    outputBytes: command.outputBytes,
    signal: command.signal,
  });
  command.signal.throwIfAborted();
  const { end, exitCode } = result;
  const directory = end === "timed-out" ? command.directory : directoryOf(checkout, readPath(file));
  return {
    end,
    exitCode,
    stdout: names.show(renderOutput(result.stdout)),
    stderr: names.show(renderOutput(result.stderr)),
    directory,
  };
}

function directoryOf({ root }: Checkout, path: string): string {
  const inside = path === "" ? "" : relative(root, path);
  return inside === ".." || inside.startsWith("../") ? "" : inside;
}

/** Reads a path from a file, which the command can write or replace. */
function readPath(file: string): string {
  try {
    const handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!fstatSync(handle).isFile()) return "";
      const buffer = Buffer.alloc(longestPath);
      const length = readSync(handle, buffer, 0, longestPath, 0);
      return buffer.toString("utf8", 0, length).replace(/\n$/, "");
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (isSystemError(error)) return "";
    throw error;
  }
}
