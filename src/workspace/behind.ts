/** Runs background work at low priority. Pauses it while somebody waits for another command of the same workspace. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Invocation } from "../languages/contract.ts";
import type { Checkout } from "./contract.ts";
import { raisePriority } from "./raise-priority.ts";

const pauseName = "paused";

/** Pauses all other processes of the sandbox while a file exists. `$1`: the file; the other arguments: the command. */
const script = `pause=$1; shift
echo 10 >/proc/self/autogroup
( stopped=
  while :; do
    if [ -e "$pause" ]; then [ -n "$stopped" ] || { kill -STOP -1; stopped=1; }
    elif [ -n "$stopped" ]; then kill -CONT -1; stopped=; fi
    sleep 0.2
  done ) 2>/dev/null &
guard=$!
nice -n 10 "$@"
code=$?
kill $guard
exit $code`;

/**
 * Prepares an invocation so that Millwright can pause it. `MILLWRIGHT_PAUSABLE` tells this to our code in the tests'
 * process. The sandbox must have its own process ids, because the pause signal goes to all processes that are visible
 * there.
 */
export function putBehind(
  { run, env, ...rest }: Invocation,
  { scratch }: Pick<Checkout, "scratch">,
): Invocation {
  const words = typeof run === "string" ? ["/bin/sh", "-c", run] : run;
  return {
    run: ["/bin/sh", "-c", script, "sh", pauseOf({ scratch }), ...words],
    env: { ...env, MILLWRIGHT_PAUSABLE: "1" },
    ...rest,
  };
}

/**
 * Returns the path of the file that pauses the command. Its folder's random name also identifies the command's
 * processes.
 */
function pauseOf({ scratch }: Pick<Checkout, "scratch">): string {
  return `${scratch.inside}/${pauseName}`;
}

/** Gives foreground work of a workspace priority over background work. */
export interface Turns {
  /** Runs `work` while background work pauses. */
  first<T>(work: () => Promise<T>): Promise<T>;
  /** Runs `work` in the background. Its commands must come from `putBehind` for this checkout. */
  behind<T>(checkout: Pick<Checkout, "scratch">, work: () => Promise<T>): Promise<T>;
  /**
   * Runs `work`, which waits for background work. Meanwhile the background work has this process's priority, if the
   * user may raise priorities.
   */
  awaited<T>(work: () => Promise<T>): Promise<T>;
}

/** Milliseconds between two searches for new processes with the low priority, whose priority Millwright then raises. */
const raiseEveryMs = 5_000;

const known = new Map<string, Turns>();

/** Returns the `Turns` of the workspace in this folder. All callers in this process get the same object. */
export function turnsIn(directory: string): Turns {
  const found = known.get(directory) ?? openTurns();
  known.set(directory, found);
  return found;
}

function openTurns(): Turns {
  const waiting = new Map<string, string>();
  let busy = 0;
  const pause = (folder: string): void => writeFileSync(join(folder, pauseName), "");
  const goOn = (folder: string): void => rmSync(join(folder, pauseName), { force: true });
  return {
    async first(work) {
      busy += 1;
      if (busy === 1) for (const folder of waiting.keys()) pause(folder);
      try {
        return await work();
      } finally {
        busy -= 1;
        if (busy === 0) for (const folder of waiting.keys()) goOn(folder);
      }
    },
    async behind({ scratch }, work) {
      const { host } = scratch;
      waiting.set(host, pauseOf({ scratch }));
      if (busy > 0) pause(host);
      try {
        return await work();
      } finally {
        waiting.delete(host);
      }
    },
    async awaited(work) {
      const raise = (): void => {
        for (const path of waiting.values()) raisePriority(path);
      };
      raise();
      const timer = setInterval(raise, raiseEveryMs);
      try {
        return await work();
      } finally {
        clearInterval(timer);
      }
    },
  };
}
