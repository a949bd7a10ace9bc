/** The few lines of shell between a back end and the command that it runs. */
import type { Command } from "./contract.ts";

/** Where the launcher itself finds `sh` and `env`; the command's own PATH is the caller's. */
export const launcherPath =
  "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin";

export interface LaunchOptions {
  /**
   * The command has a PID namespace to itself: whatever it leaves behind is killed when it ends. Our shell stays as its
   * parent for that, otherwise it becomes the command.
   */
  readonly ownsNamespace: boolean;
  /** Bytes of data that each process may have (RLIMIT_DATA), where no control group limits the sum. */
  readonly dataBytes?: number;
  /** RLIMIT_NPROC, where no control group limits the number. */
  readonly processes?: number;
  /** Added to the command's environment by the back end. */
  readonly env?: Readonly<Record<string, string>>;
}

const becomeCommand = 'exec env -i -- "$@"';

// The shell's own messages about a killed child would mix with the command's: they go nowhere.
const superviseCommand = `
trap : HUP INT TERM QUIT
exec 3>&2 2>/dev/null
(echo 500 >/proc/self/oom_score_adj; exec env -i -- "$@" 2>&3 3>&-)
code=$?
kill -9 -1
exit "$code"`;

/** The arguments of a process that becomes or supervises the command: its environment, folder and limits. */
export function launchArguments(command: Command, options: LaunchOptions): string[] {
  const env = Object.entries({ ...command.env, ...options.env }).map(([name, value]) => `${name}=${value}`);
  return ["/bin/sh", "-c", script(options), "millwright", command.cwd, ...env, ...programOf(command)];
}

function script(options: LaunchOptions): string {
  const limits = ["ulimit -c 0"];
  if (options.dataBytes !== undefined) limits.push(`ulimit -d ${Math.floor(options.dataBytes / 1024)}`);
  // dash has -p for the number of processes, bash and busybox have -u (where bash's -p is the pipe size).
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
