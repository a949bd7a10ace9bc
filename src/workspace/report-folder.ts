/**
 * Runs a test program that reports through a channel and may leave files in its own folder. Meanwhile, checks that the
 * program makes progress. Afterwards, reads the channel and the folder. The program can do anything to the folder, such
 * as replace it with another one or a link. The host therefore holds the folder open from the beginning, and accesses
 * everything through that descriptor.
 */
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { renderOutput } from "../base/captured-output.ts";
import { isSystemError } from "../base/errors.ts";
import type { Invocation, ReportRequest, TestCommand } from "../languages/contract.ts";
import type { ReceivedReport } from "../languages/report-frames.ts";
import type { CommandEnd } from "../sandbox/contract.ts";
import type { Checkout } from "./contract.ts";
import type { PathNames } from "./path-names.ts";
import { largestReport, openReportChannel, type ReportChannel } from "./report-channel.ts";
import { runIn, type Surroundings } from "./surroundings.ts";

export interface ReportedCommand {
  readonly checkout: Checkout;
  readonly command: TestCommand;
  /** Time limit of the whole run, in milliseconds. */
  readonly timeoutMs: number;
  /**
   * Milliseconds without a report after which the run ends. Frameworks' own time limits cannot stop an endless loop.
   */
  readonly stallMs: number;
  readonly signal: AbortSignal;
  /** If it aborts, the run ends as at its time limit. */
  readonly cut?: AbortSignal | undefined;
  /** The variables and the input of the run. Default: a bare environment and a closed standard input. */
  readonly surroundings?: Surroundings | undefined;
}

export interface ReportedExecution extends Omit<ReportRequest, "root"> {
  readonly end: CommandEnd;
  readonly durationMs: number;
}

/** A report folder's path in the sandbox and on the host, and the channel's path in the sandbox. */
export interface ReportFolder {
  readonly inside: string;
  readonly host: string;
  readonly channel: string;
}

/**
 * Runs a command, and returns its output and its report. In both, names replace real paths (see PathNames); the name of
 * the root is `names.root`. Throws only the sandbox's errors, and AbortError if the run is interrupted.
 */
export async function executeWithReport(
  request: ReportedCommand,
  invoke: (folder: ReportFolder) => Invocation | Promise<Invocation>,
): Promise<ReportedExecution> {
  const { checkout, command } = request;
  const { scratch, channels } = checkout;
  const name = `report-${randomBytes(6).toString("hex")}`;
  const folder = {
    inside: `${scratch.inside}/${name}`,
    host: join(scratch.host, name),
    channel: `${channels.inside}/${name}`,
  };
  const channel = await openReportChannel(join(channels.host, name), dirname(channels.host));
  const files = openFolder(scratch.host, folder.host);
  const watch = watchForStall(channel, files, request);
  try {
    const invocation = await invoke(folder);
    const { surroundings } = request;
    const result = await checkout.execute({
      run: surroundings === undefined ? invocation.run : runIn(surroundings, invocation.run),
      directory: command.directory,
      env: {
        ...surroundings?.variables,
        ...(await emptyTemporary(checkout)),
        ...(await checkout.findPrograms(invocation.programs ?? [])),
        ...invocation.env,
      },
      timeoutMs: request.timeoutMs,
      signal: watch.signal,
    });
    request.signal.throwIfAborted();
    const { names } = checkout;
    return {
      received: showReceived(await channel.close(), names),
      files: new Map([...readReportFiles(files)].map(([file, content]) => [file, names.showBytes(content)])),
      stdout: names.show(renderOutput(result.stdout)),
      stderr: names.show(renderOutput(result.stderr)),
      exitCode: result.exitCode,
      end: watch.stalled() || request.cut?.aborted === true ? "timed-out" : result.end,
      durationMs: result.durationMs,
    };
  } finally {
    watch.stop();
    channel.discard();
    closeSync(files);
    // Files that only the sandbox's user can remove are removed with the checkout.
    await rm(folder.host, { recursive: true, force: true }).catch(() => undefined);
  }
}

function showReceived({ streams, ...rest }: ReceivedReport, names: PathNames): ReceivedReport {
  const shown = streams.map((stream) => ({ ...stream, lines: names.showBytes(stream.lines) }));
  return { ...rest, streams: shown };
}

/** Opens a new folder in the scratch folder, whose permissions an earlier command may have removed. */
function openFolder(scratch: string, folder: string): number {
  chmodSync(scratch, 0o755);
  mkdirSync(folder);
  return openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
}

/** Returns a path into an open folder, which stays valid wherever the folder is by now. */
function nameIn(folder: number, name = ""): string {
  return `/proc/self/fd/${folder}/${name}`;
}

/** Empties the folder for temporary files, and returns the variable that names it. Leftovers of a test would affect the next run. */
async function emptyTemporary({ temporary }: Checkout): Promise<Readonly<Record<string, string>>> {
  // A test may have left files that only the sandbox's user can remove.
  await rm(temporary.host, { recursive: true, force: true }).catch(() => undefined);
  mkdirSync(temporary.host, { recursive: true, mode: 0o700 });
  return { TMPDIR: temporary.inside };
}

const stallCheckMs = 500;

interface StallWatch {
  readonly signal: AbortSignal;
  stalled(): boolean;
  stop(): void;
}

/**
 * Makes a signal that aborts with the caller's. It also aborts if the report has not grown for `stallMs` milliseconds,
 * or has grown too large.
 */
function watchForStall(channel: ReportChannel, folder: number, request: ReportedCommand): StallWatch {
  const controller = new AbortController();
  let size = -1;
  let grownAt = performance.now();
  const timer = setInterval(() => {
    const received = channel.received();
    const present = received + sizeOfFiles(folder);
    if (present !== size) {
      size = present;
      grownAt = performance.now();
    } else if (performance.now() - grownAt > request.stallMs) controller.abort();
    if (received > largestReport) controller.abort();
  }, stallCheckMs);
  return {
    signal: AbortSignal.any([
      request.signal,
      controller.signal,
      ...(request.cut === undefined ? [] : [request.cut]),
    ]),
    stalled: () => controller.signal.aborted,
    stop: () => clearInterval(timer),
  };
}

function sizeOfFiles(folder: number): number {
  let size = 0;
  for (const name of namesIn(folder)) {
    size += lstatSync(nameIn(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return size;
}

/** Lists the names in an open folder; none if a command removed our permission to read. */
function namesIn(folder: number): string[] {
  try {
    return readdirSync(nameIn(folder));
  } catch (error) {
    if (isSystemError(error)) return [];
    throw error;
  }
}

/**
 * Reads regular files, each to its end or the limit. Omits everything else, because unknown code writes to the folder.
 */
function readReportFiles(folder: number): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  let room = largestReport;
  for (const name of namesIn(folder).sort()) {
    const content = readRegularFile(nameIn(folder, name), room);
    if (content === undefined) continue;
    files.set(name, content);
    room -= content.length;
  }
  return files;
}

function readRegularFile(path: string, limit: number): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const status = fstatSync(file);
    if (!status.isFile()) return undefined;
    const content = Buffer.alloc(Math.min(status.size, limit));
    return content.subarray(0, readSync(file, content, 0, content.length, 0));
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
