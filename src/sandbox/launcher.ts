/** The shell script between a back end and its command. It sets the command's environment, folder and limits. */
import type { Command } from "./contract.ts";

/** The PATH in which the launcher finds `sh` and `env`. The command itself gets the caller's PATH. */
export const launcherPath =
  "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin";

export interface LaunchOptions {
  /**
   * True if the command has its own PID namespace. Our shell then stays as the command's parent, to kill leftovers when
   * the command ends. Otherwise the shell becomes the command.
   */
  readonly ownsNamespace: boolean;
  /** Maximum bytes of data for each process (RLIMIT_DATA), if no control group limits the sum. */
  readonly dataBytes?: number;
  /** Maximum number of processes (RLIMIT_NPROC), if no control group limits it. */
  readonly processes?: number;
  /** Variables that the back end adds to the command's environment. */
  readonly env?: Readonly<Record<string, string>>;
}

const becomeCommand = 'exec env -i -- "$@"';

// The shell's own messages about a killed child are dropped: they would mix with the command's.
const superviseCommand = `
trap : HUP INT TERM QUIT
exec 3>&2 2>/dev/null
(echo 500 >/proc/self/oom_score_adj; exec env -i -- "$@" 2>&3 3>&-)
code=$?
kill -9 -1
exit "$code"`;

/**
 * Returns the arguments of a shell that sets the environment, folder and limits. The shell then becomes the command, or
 * supervises the command.
 */
export function launchArguments(command: Command, options: LaunchOptions): string[] {
  const env = Object.entries({ ...command.env, ...options.env }).map(([name, value]) => `${name}=${value}`);
  return ["/bin/sh", "-c", script(options), "millwright", command.cwd, ...env, ...programOf(command)];
}

function script(options: LaunchOptions): string {
  const limits = ["ulimit -c 0"];
  if (options.dataBytes !== undefined) limits.push(`ulimit -d ${Math.floor(options.dataBytes / 1024)}`);
  // The number of processes is -p in dash, and -u in bash and busybox (bash's -p is the pipe size).
  if (options.processes !== undefined) {
    limits.push(`ulimit -u ${options.processes} || ulimit -p ${options.processes}`);
  }
  return `
{ ${limits.join("; ")}; } 2>/dev/null
cd -- "$1" 2>/dev/null || { printf 'millwright: cannot enter the working folder %s\\n' "$1" >&2; exit 126; }
shift${options.ownsNamespace ? superviseCommand : `\n${becomeCommand}`}`;
}

function programOf(command: Command): readonly string[] {
  if (typeof command.run === "string") return ["/bin/sh", "-c", command.run];
  // env would take a program with "=" in its name for a variable.
  if (command.run[0]?.includes("=")) return ["/bin/sh", "-c", 'exec "$0" "$@"', ...command.run];
  return command.run;
}
