/** Runs a command and says what it took: wall and processor seconds of it and its children, and the most memory at one time. */
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
}

export interface Command {
  readonly command: readonly string[];
  readonly cwd?: string;
  readonly input?: string;
}

export async function measure({ command, cwd, input }: Command): Promise<Cost> {
  const script = 'TIMEFORMAT="%R %U %S"; time "$@"';
  const child = spawn("bash", ["-c", script, "bash", ...command], { cwd, stdio: "pipe" });
  const [out, errors] = [[] as Buffer[], [] as Buffer[]];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
  child.stdin.on("error", () => {});
  child.stdin.end(input ?? "");
  let memory = 0;
  const sampler = setInterval(() => {
    memory = Math.max(memory, treeMemory(child.pid ?? 0));
  }, 50);
  const [code] = await once(child, "close");
  clearInterval(sampler);
  const text = Buffer.concat(errors).toString();
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}: ${text.slice(-2000)}`);
  const [wall = 0, user = 0, system = 0] = (text.trim().split("\n").pop() ?? "").split(" ").map(Number);
  return { wall, processor: user + system, memory, stdout: Buffer.concat(out).toString() };
}

function treeMemory(root: number): number {
  const parents = new Map<number, number>();
  const sizes = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const status = readFileSync(`/proc/${name}/status`, "utf8");
      parents.set(Number(name), Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]));
      sizes.set(Number(name), Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024);
    } catch {
      // it has ended meanwhile
    }
  }
  const isBelow = (process: number | undefined): boolean =>
    process !== undefined && process > 1 && (process === root || isBelow(parents.get(process)));
  let sum = 0;
  for (const [process, size] of sizes) if (isBelow(process)) sum += size;
  return sum;
}

/** The value that a share of the values is not above. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
