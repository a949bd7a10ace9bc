/**
 * Collects failing tests for `benchmarks/reasons.ts`. Positives fail before the gold patch and pass with it. Negatives
 * fail before and after it, fail because of a small fault elsewhere, or fail only in a changed environment.
 */

import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { z } from "zod";
import { regionsOf } from "../src/agent/measure/regions-of.ts";
import { openTestExecutor } from "../src/agent/measure/test-executor.ts";
import { type KnownOfBase, splitTests } from "../src/agent/measure/text-of-tests.ts";
import { listMutants } from "../src/agent/mutants/list-mutants.ts";
import type { TestExecutor } from "../src/agent/suite.ts";
import {
  findStatus,
  formatTestKey,
  isFailing,
  type TestOutcome,
  testOutcomeSchema,
} from "../src/domain/test-outcome.ts";
import type { TestCommand } from "../src/languages/contract.ts";
import { testFrameworks } from "../src/languages/index.generated.ts";
import { isOwnSource, isTestFile, languageOf } from "../src/languages/source-files.ts";
import { selectSandbox } from "../src/sandbox/index.ts";
import { extractSymbols } from "../src/syntax/symbols/extract-symbols.ts";
import type { Workspace } from "../src/workspace/contract.ts";
import { openWorkspace } from "../src/workspace/open-workspace.ts";
import { listTestCommands } from "../src/workspace/test-command.ts";
import { goldOf } from "./retrieval-tasks.ts";

const taskSchema = z.object({
  instance_id: z.string(),
  repo: z.string(),
  base_commit: z.string(),
  version: z.string().default(""),
  patch: z.string(),
  test_patch: z.string(),
  problem_statement: z.string(),
  test_cmd: z.string(),
});
export type ReasonTask = z.infer<typeof taskSchema>;

/** How a repository is made ready, by its name: shell text run in its root with `VERSION`, and folders put in front of `PATH`. */
export const recipesSchema = z.record(
  z.string(),
  z.object({ prepare: z.string(), path: z.array(z.string()).default([]) }),
);
export type Recipes = z.infer<typeof recipesSchema>;

const failureSchema = z.object({
  kind: z.enum(["stated", "unrelated", "mutant", "environment"]),
  outcome: testOutcomeSchema,
});
export type ReasonFailure = z.infer<typeof failureSchema>;

export const collectedSchema = z.object({
  task: z.string(),
  repo: z.string(),
  statement: z.string(),
  failures: z.array(failureSchema),
  /** Files of tests that failures speak of, by their path. */
  texts: z.record(z.string(), z.string()),
});
export type Collected = z.infer<typeof collectedSchema>;

export interface CollectOptions {
  /** With one git repository for each `OWNER+NAME`. */
  readonly repositories: string;
  readonly recipes: Recipes;
  readonly mutants: number;
}

/** Lines of JSON; of other forms of tasks (no test patch) none. */
export function readReasonTasks(path: string): ReasonTask[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.flatMap((line) =>
    line.trim() === "" ? [] : (taskSchema.safeParse(JSON.parse(line)).data ?? []),
  );
}

/** Throws with the reason where the task cannot be set up here. */
export async function collectFailures(task: ReasonTask, options: CollectOptions): Promise<Collected> {
  const recipe = options.recipes[task.repo];
  if (recipe === undefined) throw new Error("no recipe says how it is made ready");
  const source = join(options.repositories, task.repo.replace("/", "+"));
  if (!existsSync(source)) throw new Error(`there is no ${source}`);
  const folder = mkdtempSync(join(tmpdir(), "reasons-"));
  try {
    const repository = join(folder, basename(task.repo));
    execFileSync("git", ["clone", "--quiet", "--shared", "--no-checkout", source, repository]);
    const git = (args: readonly string[], input?: string): void => {
      execFileSync("git", args, { cwd: repository, input, stdio: ["pipe", "ignore", "pipe"] });
    };
    git(["checkout", "--quiet", "--detach", task.base_commit]);
    const environment = { ...process.env, VERSION: task.version, ROOT: repository };
    const path = [...recipe.path.map((each) => join(repository, each)), process.env["PATH"]].join(":");
    execFileSync("sh", ["-ec", recipe.prepare], {
      cwd: repository,
      env: environment,
      stdio: ["ignore", "ignore", "pipe"],
    });
    git(["apply", "--whitespace=nowarn", "-"], task.test_patch);
    const own = { ...process.env, PATH: path };
    return await collectIn(task, { repository, folder, environment: own, mutants: options.mutants });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Place {
  readonly repository: string;
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly mutants: number;
}

async function collectIn(task: ReasonTask, place: Place): Promise<Collected> {
  const { provider, availability } = await selectSandbox("auto");
  const directory = join(place.folder, "run");
  mkdirSync(directory);
  const workspace = await openWorkspace({
    repository: place.repository,
    directory,
    runtimeDirectory: join(import.meta.dirname, "../src/languages/runtime"),
    hostEnvironment: place.environment,
    sandbox: {
      provider,
      mounts: availability.mounts,
      owner: basename(place.folder),
      network: false,
      limits: { memoryBytes: 4 * 2 ** 30, cpus: 2, processes: 2000 },
    },
  });
  const executor = await openTestExecutor(workspace, testFrameworks, new AbortController().signal);
  try {
    return await measure(task, workspace, executor, place.mutants);
  } finally {
    await executor.close();
    await workspace.close();
  }
}

/** Changes of what a run finds around it, as assignments in front of the command. */
const environments = [
  "TMPDIR=/nonexistent",
  "HOME=/nonexistent",
  "PYTHONWARNINGS=error",
  "PYTHONUTF8=0 LC_ALL=C",
  "NODE_OPTIONS=--disallow-code-generation-from-strings",
  "NODE_OPTIONS=--max-http-header-size=64",
];
const limits = { testTimeoutMs: 10_000, timeoutMs: 120_000 };
/** Takes so many failures of one mutant or environment: its tests fail alike. */
const mostOfOne = 4;

async function measure(
  task: ReasonTask,
  workspace: Workspace,
  executor: TestExecutor,
  mostMutants: number,
): Promise<Collected> {
  const { trees, base } = workspace;
  const commandOf = (text: string): TestCommand | undefined =>
    listTestCommands(executor.project, testFrameworks, text)[0];
  const command = commandOf(task.test_cmd);
  if (command === undefined) throw new Error(`\`${task.test_cmd}\` is no test command that can be read`);
  const run = async (tree: string, by: TestCommand): Promise<readonly TestOutcome[] | undefined> => {
    const { report } = await executor.run(by, {
      tree,
      selection: { kind: "all" },
      ...limits,
      configuration: "own",
    });
    return report.invalid === undefined ? report.outcomes : undefined;
  };
  const before = await run(base, command);
  const applied = await trees.apply(base, task.patch);
  if (!applied.ok) throw new Error("the gold patch cannot be applied");
  const after = await run(applied.value, command);
  if (before === undefined || after === undefined) throw new Error("its tests give no report");
  const regions = await regionsOf({ workspace, frameworks: testFrameworks }, { command, outcomes: before });
  const texts: Record<string, string> = {};
  const keep = async (kind: ReasonFailure["kind"], outcome: TestOutcome): Promise<ReasonFailure> => {
    const frames = outcome.failure?.frames ?? [];
    const own = frames.map(({ file }) => file).filter((file) => regions.isWhole(file));
    for (const file of [outcome.key.target, ...own])
      texts[file] ??= (await trees.read(base, file))?.toString("utf8") ?? "";
    return { kind, outcome };
  };
  const failing = before.filter(({ status }) => isFailing(status));
  const failures: ReasonFailure[] = [];
  for (const outcome of failing) {
    const status = findStatus(after, outcome.key);
    if (status === "passed") failures.push(await keep("stated", outcome));
    else if (isFailing(status)) failures.push(await keep("unrelated", outcome));
  }
  const passing = new Set(
    before.filter(({ status }) => status === "passed").map(({ key }) => formatTestKey(key)),
  );
  const addNew = async (
    kind: ReasonFailure["kind"],
    outcomes: readonly TestOutcome[] = [],
  ): Promise<number> => {
    const fresh = outcomes.filter(({ key, status }) => isFailing(status) && passing.has(formatTestKey(key)));
    for (const outcome of fresh.slice(0, mostOfOne)) failures.push(await keep(kind, outcome));
    return fresh.length;
  };
  for (const assignments of environments) {
    const isOfNode = assignments.startsWith("NODE_");
    if (isOfNode !== /\b(?:node|npx|mocha)\b/.test(task.test_cmd) && /^(?:NODE_|PYTHON)/.test(assignments))
      continue;
    const changed = commandOf(`${assignments} ${task.test_cmd}`);
    if (changed !== undefined) await addNew("environment", await run(base, changed));
  }
  for (const { path, text } of await mutantsOf(task, workspace, mostMutants)) {
    const tree = await trees.write(base, [{ path, content: text }]);
    await addNew("mutant", await run(tree, command));
  }
  return { task: task.instance_id, repo: task.repo, statement: task.problem_statement, failures, texts };
}

/** Lines around what the gold patch changes that are left as they are: a fault there may be the stated one. */
const near = 15;

/** Mutates the files that the gold patch changes: the tests load them. */
async function mutantsOf(
  task: ReasonTask,
  { trees, base }: Workspace,
  most: number,
): Promise<{ path: string; text: string }[]> {
  const places = [];
  for (const [file, gold] of goldOf(task.patch)) {
    const language = languageOf(file);
    const text = (await trees.read(base, file))?.toString("utf8");
    if (language === undefined || text === undefined) continue;
    const all = text.split("\n").map((_, index) => index + 1);
    const far = all.filter((line) => [...gold].every((each) => Math.abs(each - line) > near));
    // Spread over the file, by the numbers of the lines alone.
    const spread = far.filter(
      (line) => (line * 7919) % Math.max(1, Math.floor(far.length / (8 * most))) === 0,
    );
    places.push({ file, text, language, lines: new Set(spread) });
  }
  const mutants = await listMutants(places, 4 * most);
  const every = Math.max(1, Math.floor(mutants.length / most));
  return mutants
    .filter((_, index) => index % every === 0)
    .slice(0, most)
    .map(({ file, base: text, start, end, replacement }) => ({
      path: file,
      text: text.slice(0, start) + replacement + text.slice(end),
    }));
}

/** Keeps what was collected in a file of the cache, and reads it from there. */
export async function collectOnce(
  task: ReasonTask,
  cache: string,
  options: CollectOptions,
): Promise<Collected> {
  const path = join(cache, `${task.instance_id}.json`);
  if (existsSync(path)) return collectedSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  const collected = await collectFailures(task, options);
  mkdirSync(cache, { recursive: true });
  writeFileSync(path, `${JSON.stringify(collected)}\n`);
  return collected;
}

const baseSchema = z.object({ names: z.array(z.string()), tests: z.array(z.string()) });

/** Reads what the base's sources define, and its tests; keeps both in the cache. */
export async function readBase(
  task: ReasonTask,
  { repositories, cache }: { readonly repositories: string; readonly cache: string },
): Promise<KnownOfBase> {
  const kept = join(cache, `base-${task.instance_id}.json`);
  if (!existsSync(kept)) writeFileSync(kept, JSON.stringify(await collectBase(task, repositories)));
  const { names, tests } = baseSchema.parse(JSON.parse(readFileSync(kept, "utf8")));
  // Who calls whom is not kept: failures that agree by that alone are counted as not accepted.
  const none = async (): Promise<ReadonlySet<string>> => new Set();
  return { product: async () => new Set(names), parameters: none, tests: async () => tests, callers: none };
}

async function collectBase(task: ReasonTask, repositories: string): Promise<z.infer<typeof baseSchema>> {
  const folder = mkdtempSync(join(tmpdir(), "reasons-base-"));
  try {
    const source = join(repositories, task.repo.replace("/", "+"));
    const tar = execFileSync("git", ["archive", task.base_commit], { cwd: source, maxBuffer: 2 ** 28 });
    execFileSync("tar", ["-x"], { cwd: folder, input: tar });
    const names = new Set<string>();
    const tests: string[] = [];
    for (const path of globSync("**/*", { cwd: folder }).filter(isOwnSource).sort()) {
      const text = readFileSync(join(folder, path), "utf8");
      if (isTestFile(path)) tests.push(...splitTests(text));
      else for (const { name } of (await extractSymbols(path, text))?.definitions ?? []) names.add(name);
    }
    return { names: [...names], tests };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
