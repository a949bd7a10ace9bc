/** A batch of small tasks, a model that counts its calls, and the processes that work on the batch. */
import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect } from "vitest";
import { z } from "zod";
import { makeRepository, replaceIn, writeTasks } from "../e2e/bench-fixture.ts";
import { createPlayground } from "../e2e/millwright.ts";
import { pricePerCall } from "./small-program.ts";

const program = join(import.meta.dirname, "small-program.ts");
/** Every tenth task asks for an answer. */
const isAnswered = (at: number): boolean => at % 10 === 0;

export interface StartedProcess {
  readonly ended: Promise<number | null>;
  stdout(): string;
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
}

export interface SmallBatch {
  readonly tasks: number;
  /** The calls that the budget allows. */
  readonly limitCalls: number;
  /** The calls that the model answered. */
  asked(): number;
  path(name: string): string;
  /** `bench run` of the batch, with a folder `asking`. */
  startRun(...flags: string[]): StartedProcess;
  /** `enter`: the words before the command. */
  start(
    enter: readonly string[],
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): StartedProcess;
  remove(): Promise<void>;
}

/**
 * `host`: the address of the model. The budget suffices for 1.2 of the two calls that each task makes. `repositoryOf`:
 * the name of a task's repository, by the task's number; all have the same files.
 */
export async function openSmallBatch(
  tasks: number,
  host: string,
  repositoryOf = (_at: number): string => "acme/scales",
): Promise<SmallBatch> {
  const playground = createPlayground();
  const path = (name: string): string => join(playground.folder, name);
  const limitCalls = Math.round(tasks * 1.2);
  writeFileSync(path("script.json"), '{"answers":[]}');
  writeFileSync(path("budget.json"), JSON.stringify({ usd: limitCalls * pricePerCall }));
  let asked = 0;
  const model = createServer((_, response) => {
    asked += 1;
    setTimeout(() => response.end(), 20);
  });
  await new Promise<void>((resolve) => model.listen(0, host, resolve));
  const address = model.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const names = Array.from({ length: tasks }, (_, at) => repositoryOf(at));
  const repositories = new Map(
    [...new Set(names)].map((name) => [name, makeRepository(playground, "shell-scales", name, () => {})]),
  );
  const [scales] = repositories.values();
  if (scales === undefined) throw new Error("a batch needs a task");
  const goldPatch = scales.patch((folder) => replaceIn(folder, "weigh.sh", "20", "30"));
  const testPatch = scales.patch((folder) =>
    replaceIn(folder, "check.sh", "# further cases\n", 'expect "weighs thirty" "$(sh weigh.sh)" 30\n'),
  );
  const lists = { failToPass: ["command::weighs thirty"], passToPass: [] };
  const rows = names.map((name, at) => ({
    id: `scales-${at}`,
    repository: repositories.get(name) ?? scales,
    statement: isAnswered(at) ? "answer" : "think",
    hidden: { goldPatch, testPatch, testCommand: "sh check.sh", lists },
  }));
  writeFileSync(path("gold.diff"), goldPatch);
  const file = writeTasks(playground, scales, rows);
  const children: ChildProcess[] = [];
  const ends: Promise<unknown>[] = [];
  const small = {
    ...{ MILLWRIGHT_RUNS_DIR: playground.runs, NO_COLOR: "1", NODE_COMPILE_CACHE: path("compiled") },
    ...{ SMALL_PATCH: path("gold.diff"), SMALL_MODEL: `http://${host}:${port}/` },
  };
  const start: SmallBatch["start"] = (enter, args, env = {}) => {
    const node = [process.execPath, "--disable-warning=ExperimentalWarning", program];
    const [command = "", ...words] = [...enter, ...node, ...args];
    const child = spawn(command, words, {
      ...{ cwd: playground.folder, env: { ...process.env, ...small, ...env } },
      stdio: ["ignore", "pipe", "pipe"],
    });
    children.push(child);
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    ends.push(ended);
    return { ended, stdout: () => stdout, stderr: () => stderr, kill: (signal) => void child.kill(signal) };
  };
  return {
    ...{ tasks, limitCalls, path, start, asked: () => asked },
    startRun(...flags) {
      const places = ["--repositories", path("repositories"), "--bench-dir", path("asking")];
      const arm = ["--strategy", "react", "--model", `scripted:${path("script.json")}`];
      const limits = [
        "--batch-budget",
        path("budget.json"),
        "--retries",
        "3",
        "--sandbox",
        "local",
        "--json",
      ];
      return start([], ["bench", "run", file, ...places, ...arm, ...limits, ...flags]);
    },
    async remove() {
      for (const child of children) child.kill("SIGKILL");
      await Promise.all(ends);
      model.closeAllConnections();
      model.close();
      playground.remove();
    },
  };
}

const documentSchema = z.object({
  tries: z.array(z.object({ id: z.string(), outcome: z.string(), reason: z.string() })),
});

/** The document of a run that ended: each task is there once, as it should be, and the budget was kept. */
export function checkResults(run: StartedProcess, batch: SmallBatch): void {
  const { tries } = documentSchema.parse(JSON.parse(run.stdout()));
  const ids = Array.from({ length: batch.tasks }, (_, at) => `scales-${at}`);
  expect(tries.map(({ id }) => id)).toEqual(ids);
  const wrong = tries.filter(({ outcome }, at) => outcome !== (isAnswered(at) ? "resolved" : "unresolved"));
  expect(wrong).toEqual([]);
  expect(batch.asked()).toBeLessThanOrEqual(batch.limitCalls);
  // What dead processes held stays held.
  expect(batch.asked()).toBeGreaterThan(batch.limitCalls * 0.5);
}
