/** Executes a test program that writes into a report folder of its own, watches that it goes on, and reads what it left. */
import { randomBytes } from "node:crypto";
import { constants, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { renderOutput } from "../base/captured-output.ts";
import type { Invocation, ReportRequest, TestCommand } from "../languages/contract.ts";
import type { CommandEnd } from "../sandbox/contract.ts";
import type { Checkout } from "./contract.ts";

export interface ReportedCommand {
  readonly checkout: Checkout;
  readonly command: TestCommand;
  /** For the whole run. */
  readonly timeoutMs: number;
  /** Ends the run when nothing was reported for so long: a loop that no time limit of a framework can break. */
  readonly stallMs: number;
  readonly signal: AbortSignal;
}

export interface ReportedExecution extends Omit<ReportRequest, "root"> {
  readonly end: CommandEnd;
  readonly durationMs: number;
}

/** The same folder for commands inside the sandbox and for the host. */
export interface ReportFolder {
  readonly inside: string;
  readonly host: string;
}

/** Throws only what the sandbox throws, and AbortError when the run is interrupted. */
export async function executeWithReport(
  request: ReportedCommand,
  invoke: (folder: ReportFolder) => Invocation | Promise<Invocation>,
): Promise<ReportedExecution> {
  const { checkout, command } = request;
  const name = `report-${randomBytes(6).toString("hex")}`;
  const folder = { inside: `${checkout.scratch.inside}/${name}`, host: join(checkout.scratch.host, name) };
  mkdirSync(folder.host, { recursive: true });
  const watch = watchForStall(folder.host, request);
  try {
    const invocation = await invoke(folder);
    const result = await checkout.execute({
      run: invocation.run,
      directory: command.directory,
      env: { ...(await emptyTemporary(checkout)), ...invocation.env },
      timeoutMs: request.timeoutMs,
      signal: watch.signal,
    });
    request.signal.throwIfAborted();
    return {
      files: await readReportFiles(folder.host),
      stdout: renderOutput(result.stdout),
      stderr: renderOutput(result.stderr),
      exitCode: result.exitCode,
      end: watch.stalled() ? "timed-out" : result.end,
      durationMs: result.durationMs,
    };
  } finally {
    watch.stop();
    await rm(folder.host, { recursive: true, force: true });
  }
}

/**
 * A folder for temporary files that is empty when a run begins, and called the same each time: what a test leaves there would change
 * how the next run ends. Without a sandbox the host's own is used.
 */
async function emptyTemporary({ scratch }: Checkout): Promise<Readonly<Record<string, string>>> {
  if (scratch.inside === scratch.host) return {};
  const folder = join(scratch.host, "tmp");
  // A test may have left what only the sandbox's user can remove.
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  mkdirSync(folder, { recursive: true });
  return { TMPDIR: `${scratch.inside}/tmp` };
}

const stallCheckMs = 500;

interface StallWatch {
  readonly signal: AbortSignal;
  stalled(): boolean;
  stop(): void;
}

/** Fires its signal with the caller's, and when the report has not grown for `stallMs`. */
function watchForStall(folder: string, request: ReportedCommand): StallWatch {
  const controller = new AbortController();
  let size = -1;
  let grownAt = performance.now();
  const timer = setInterval(() => {
    const present = reportSize(folder);
    if (present !== size) {
      size = present;
      grownAt = performance.now();
    } else if (performance.now() - grownAt > request.stallMs) controller.abort();
  }, stallCheckMs);
  return {
    signal: AbortSignal.any([request.signal, controller.signal]),
    stalled: () => controller.signal.aborted,
    stop: () => clearInterval(timer),
  };
}

function reportSize(folder: string): number {
  let size = 0;
  for (const name of readdirSync(folder))
    size += lstatSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  return size;
}

/** Bytes of one report file; a larger one is cut there and its torn last line dropped by the parser. */
const largestReport = 256 * 1024 * 1024;

/** Regular files only: the folder is written by code that nobody has read. */
async function readReportFiles(folder: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = await open(
      join(folder, entry.name),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    try {
      const size = Math.min((await file.stat()).size, largestReport);
      const buffer = Buffer.alloc(size);
      const { bytesRead } = await file.read(buffer, 0, size, 0);
      files.set(entry.name, buffer.subarray(0, bytesRead));
    } finally {
      await file.close();
    }
  }
  return files;
}
