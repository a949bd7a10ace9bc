/** Processes of warm-program.ts that belong to this worker: one for each run at a time, kept for the next. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { ProgramEnd, StartedProgram } from "./millwright.ts";
import type { WarmStart } from "./warm-program.ts";

/** A process grows by what its runs leave behind; the next is as a new one. */
const runsPerProcess = 60;

interface Host {
  readonly child: ChildProcess;
  runs: number;
}

const idle: Host[] = [];

/** Runs the main module of a built program with these words, variables and folder, as a process of its own would. */
export function startWarm(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): StartedProgram {
  const host = idle.pop() ?? { child: startHost(env), runs: 0 };
  const { child } = host;
  const { stdout, stderr } = child;
  if (child.pid === undefined || stdout === null || stderr === null) throw new Error("node was not started");
  host.runs += 1;
  const mark = `\n${randomUUID()}\n`;
  let isRunning = true;
  const ended = new Promise<ProgramEnd>((resolve) => {
    const texts = { stdout: "", stderr: "" };
    let said: number | undefined;
    const end = (exitCode: number | null, signal: NodeJS.Signals | null): void => {
      isRunning = false;
      for (const stream of [stdout, stderr]) stream.removeAllListeners("data");
      child.removeAllListeners();
      const [out, err] = [texts.stdout, texts.stderr].map((text) => text.replace(mark, ""));
      resolve({ exitCode, signal, stdout: out ?? "", stderr: err ?? "" });
    };
    const endIfWhole = (): void => {
      if (said === undefined || !texts.stdout.endsWith(mark) || !texts.stderr.endsWith(mark)) return;
      end(said, null);
      if (host.runs < runsPerProcess) idle.push(host);
      else child.disconnect();
    };
    stdout.on("data", (chunk: string) => {
      texts.stdout += chunk;
      endIfWhole();
    });
    stderr.on("data", (chunk: string) => {
      texts.stderr += chunk;
      endIfWhole();
    });
    child.on("message", ({ exitCode }: { exitCode: number }) => {
      said = exitCode;
      endIfWhole();
    });
    child.on("close", end);
  });
  child.send({ program, words: args, env, cwd, mark } satisfies WarmStart);
  return {
    pid: child.pid,
    ended,
    kill: (signal) => void child.kill(signal),
    remove: () => void (isRunning && child.kill("SIGKILL")),
  };
}

function startHost(env: NodeJS.ProcessEnv): ChildProcess {
  const words = ["--disable-warning=ExperimentalWarning", join(import.meta.dirname, "warm-program.ts")];
  const child = spawn(process.execPath, words, { env, stdio: ["ignore", "pipe", "pipe", "ipc"] });
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8");
  return child;
}
