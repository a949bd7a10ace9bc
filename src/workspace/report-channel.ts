/**
 * Opens the channel through which a run's reporters send their results to the host at once. The channel is a named
 * pipe. A thread outside the sandbox copies its bytes into an unlinked file. No command can therefore take sent bytes
 * back. The host opens nothing later by a name that a command could have redirected.
 */
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename, join } from "node:path";
import { renderOutput } from "../base/captured-output.ts";
import { MillwrightError } from "../base/errors.ts";
import { runProcess } from "../base/process.ts";
import { type ReceivedReport, readFrames } from "../languages/report-frames.ts";
import { type Drain, startDrain } from "./report-drain.ts";

export interface ReportChannel {
  /** Returns the number of bytes received so far. */
  received(): number;
  /** Returns the received bytes, including frames. */
  soFar(): Buffer;
  /** Waits until no process writes any more, removes the channel, and returns the report. Call it once. */
  close(): Promise<ReceivedReport>;
  /** Removes the channel without reading it. May be called after `close`. */
  discard(): void;
}

/**
 * Maximum size of a report in bytes. Millwright ends a run that reports more, because no genuine report is that large.
 */
export const largestReport = 256 * 1024 * 1024;

/** Milliseconds that a writer may outlive its run. In a sandbox without isolation, a writer can hide. */
const graceMs = 2000;

/**
 * Opens the channel for reports. `folder` must not exist yet. Commands can see this folder; in a sandbox with
 * isolation, they cannot change its contents. `hidden`: a folder that no command can see.
 */
export async function openReportChannel(folder: string, hidden: string): Promise<ReportChannel> {
  const open = new Set<number>();
  const keep = (descriptor: number): number => {
    open.add(descriptor);
    return descriptor;
  };
  const discard = (): void => {
    for (const descriptor of open) closeSync(descriptor);
    open.clear();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    mkdirSync(folder, { recursive: true });
    const [pipe, keyPipe] = [join(folder, "lines"), join(folder, "key")];
    await placePipes([pipe, keyPipe], hidden);
    // We hold both ends, so that a writer never waits for a reader, and a reader never sees an end between two writers.
    const writing = keep(openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK));
    const reading = keep(openSync(pipe, constants.O_RDONLY));
    fchmodSync(writing, 0o222);
    const keyEnd = keep(openSync(keyPipe, constants.O_RDWR | constants.O_NONBLOCK));
    chmodSync(folder, 0o755);
    const key = randomBytes(16).toString("hex");
    writeSync(keyEnd, key);
    const [file, received] = openNameless(join(hidden, `${basename(folder)}.received`));
    for (const each of [file, received]) keep(each);
    const drain = startDrain(reading, received);
    for (const given of [reading, received]) open.delete(given);
    return {
      received: () => fstatSync(file).size,
      soFar: () => readAll(file),
      async close() {
        closeSync(writing);
        open.delete(writing);
        await endOf(drain);
        const report = readFrames(readAll(file), key);
        discard();
        return report;
      },
      discard() {
        drain.stop();
        discard();
      },
    };
  } catch (error) {
    discard();
    throw error;
  }
}

/** Unused pipes, by the hidden folder that contains them. */
const spares = new Map<string, string[]>();

/** Number of runs for which one start of `mkfifo` prepares pipes. */
const runsAtOnce = 8;

/**
 * Places pipes. Starting a program from a process of our size costs a tenth of a short test run. Most runs therefore
 * get pipes that an earlier run created.
 */
async function placePipes(paths: readonly string[], hidden: string): Promise<void> {
  const known = spares.get(hidden) ?? [];
  const taken = known.splice(0, paths.length);
  try {
    if (taken.length < paths.length) throw new Error("there are none");
    for (const [index, path] of paths.entries()) renameSync(taken[index] ?? "", path);
  } catch {
    // None exist yet, or the folder is gone or on another disk.
    if (spares.size >= 100) spares.clear(); // most are of folders that are gone
    spares.delete(hidden);
    const more = Array.from({ length: paths.length * (runsAtOnce - 1) }, () =>
      join(hidden, `spare-${randomBytes(8).toString("hex")}`),
    );
    for (const path of paths) rmSync(path, { force: true });
    await makePipes([...paths, ...more]);
    spares.set(hidden, [...(spares.get(hidden) ?? []), ...more]);
  }
}

async function makePipes(paths: readonly string[]): Promise<void> {
  const { exitCode, stderr } = await runProcess(["mkfifo", "-m", "666", ...paths]);
  if (exitCode === 0) return;
  throw new MillwrightError(
    "sandbox",
    `The pipes for the tests' report cannot be created: ${renderOutput(stderr)}`,
    {
      hint: "Check that the program mkfifo is installed and that the folder for runs is on a disk that supports pipes.",
    },
  );
}

/** Opens a file that only descriptors lead to: one for reading, one for writing. */
function openNameless(path: string): readonly [number, number] {
  const reading = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    return [reading, openSync(path, constants.O_WRONLY)];
  } finally {
    unlinkSync(path);
  }
}

/** Waits for the last writer, but not for a writer that hides and stays. */
async function endOf(drain: Drain): Promise<void> {
  const timer = setTimeout(() => drain.stop(), graceMs);
  await drain.ended();
  clearTimeout(timer);
}

function readAll(file: number): Buffer {
  const content = Buffer.alloc(Math.min(fstatSync(file).size, largestReport));
  for (let at = 0; at < content.length; ) {
    const count = readSync(file, content, at, content.length - at, at);
    if (count === 0) return content.subarray(0, at);
    at += count;
  }
  return content;
}
