/** Runs a command and measures its cost: wall time, processor time with its children, and peak memory. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";

export interface Cost {
  readonly wall: number;
  /** User and system seconds. */
  readonly processor: number;
  /** Bytes, of the whole process tree, sampled 20 times a second. */
  readonly memory: number;
  readonly stdout: string;
  /** When standard error said what was waited for. */
  readonly reached?: Reached;
}

export interface Reached {
  readonly wall: number;
  readonly processor: number;
  readonly memory: number;
}

export interface Command {
  readonly command: readonly string[];
  readonly cwd?: string;
  readonly input?: string;
  /** What it writes to standard error on its way. */
  readonly until?: string;
}

export async function measure({ command, cwd, input, until }: Command): Promise<Cost> {
  const script = 'TIMEFORMAT="%R %U %S"; time "$@"';
  const child = spawn("bash", ["-c", script, "bash", ...command], { cwd, stdio: "pipe" });
  const [out, errors] = [[] as Buffer[], [] as Buffer[]];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  const started = performance.now();
  let reached: Reached | undefined;
  child.stderr.on("data", (chunk: Buffer) => {
    errors.push(chunk);
    if (until === undefined || reached !== undefined || !chunk.includes(until)) return;
    const wall = (performance.now() - started) / 1000;
    reached = { wall, processor: treeProcessor(child.pid ?? 0), memory };
  });
  let memory = 0;
  child.stdin.on("error", () => {});
  child.stdin.end(input ?? "");
  const sampler = setInterval(() => {
    memory = Math.max(memory, treeMemory(child.pid ?? 0));
  }, 50);
  const [code] = await once(child, "close");
  clearInterval(sampler);
  const text = Buffer.concat(errors).toString();
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}: ${text.slice(-2000)}`);
  const [wall = 0, user = 0, system = 0] = (text.trim().split("\n").pop() ?? "").split(" ").map(Number);
  const stdout = Buffer.concat(out).toString();
  return { wall, processor: user + system, memory, stdout, ...(reached === undefined ? {} : { reached }) };
}

/** Seconds of the processor, of the processes that there are and of those that these waited for. */
function treeProcessor(root: number): number {
  let ticks = 0;
  for (const [process, { times }] of readTree(root)) if (process > 0) ticks += times;
  return ticks / ticksPerSecond;
}

/** USER_HZ, which Linux has fixed. */
const ticksPerSecond = 100;

function treeMemory(root: number): number {
  let sum = 0;
  for (const { memory } of readTree(root).values()) sum += memory;
  return sum;
}

interface Process {
  readonly memory: number;
  /** User and system, with its children that have ended. */
  readonly times: number;
}

/** The process and all below it, by what the system says of each one's children: to look at all processes would take a core. */
function readTree(root: number): Map<number, Process> {
  const found = new Map<number, Process>();
  const visit = (process: number): void => {
    try {
      const status = readFileSync(`/proc/${process}/status`, "utf8");
      const [, ...fields] = readFileSync(`/proc/${process}/stat`, "utf8").split(/\) /);
      const times = fields.join(") ").split(" ").slice(11, 15).map(Number);
      found.set(process, {
        memory: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024,
        times: times.reduce((sum, one) => sum + one, 0),
      });
      for (const thread of readdirSync(`/proc/${process}/task`))
        for (const child of readFileSync(`/proc/${process}/task/${thread}/children`, "utf8").split(" "))
          if (child !== "") visit(Number(child));
    } catch {
      // it has ended meanwhile
    }
  };
  visit(root);
  return found;
}

/** The value that a share of the values is not above. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
