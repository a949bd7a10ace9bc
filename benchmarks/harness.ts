/**
 * Measures the harness's own cost: alternates grading of warm tasks and a plain `docker run` of the same tests on the
 * same image. Prints seconds next to pytest's own time, tasks per minute with one and two workers, and disk space per
 * task.
 *
 *   npm run bench:harness -- [--repository DIR] [--tests PATH] [--tasks 8] [--rounds 3] [--image NAME]
 *
 * Needs Docker. The repository's tests must need only pytest and the standard library; without a repository, the
 * benchmark makes a small project. `--image` names a local image with sh, git, python3 and pytest; without it,
 * debootstrap makes one.
 */
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { openLogStore } from "../src/bench/log-store.ts";
import { runPool } from "../src/bench/pool.ts";
import { makeBase, makeProject, projectRoot } from "./harness-image.ts";

const { values } = parseArgs({
  options: {
    repository: { type: "string" },
    tests: { type: "string", default: "tests" },
    tasks: { type: "string", default: "8" },
    rounds: { type: "string", default: "3" },
    image: { type: "string" },
  },
});
const [count, rounds] = [Number(values.tasks), Number(values.rounds)];
const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "millwright-bench-harness-"));
const path = (name: string): string => join(folder, name);
// Projects keep their packages at the top or in `src`.
const command = `python3 -m pytest -p no:cacheprovider -o pythonpath=src ${values.tests}`;
const median = (of: readonly number[]): number =>
  [...of].sort((a, b) => a - b)[Math.floor(of.length / 2)] ?? 0;

interface Task {
  readonly id: string;
  readonly gold: string;
  readonly testPatch: string;
}
/** In seconds. `own`: pytest's own time, as it prints it. */
interface Cost {
  readonly total: number;
  readonly own: number;
}
interface Measured {
  readonly costs: readonly Cost[];
  readonly perMinute: number;
}

/** Tasks on one commit: each adds a file, and a test beside the project's own that asks for it. */
function makeTasks() {
  const repository = path("repositories/acme__project");
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=Bench", "-c", "user.email=bench@example.invalid", ...args], {
      ...{ cwd: repository, encoding: "utf8" as const },
    });
  mkdirSync(path("repositories"));
  if (values.repository === undefined) makeSmallProject(repository);
  else cpSync(values.repository, repository, { recursive: true, filter: isSource });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-q", "-m", "The base of the tasks");
  const patchOf = (file: string, text: string): string => {
    writeFileSync(join(repository, file), text);
    git("add", "-A");
    const patch = git("diff", "--cached");
    git("reset", "-q", "--hard");
    return patch;
  };
  const made = Array.from({ length: count }, (_, at): Task => {
    const test = `import pathlib\n\ndef test_bench():\n    assert pathlib.Path("bench_${at}.txt").read_text() == "there\\n"\n`;
    return {
      id: `task-${at}`,
      gold: patchOf(`bench_${at}.txt`, "there\n"),
      testPatch: patchOf(`${values.tests}/test_bench_${at}.py`, test),
    };
  });
  return { base: git("rev-parse", "HEAD").trim(), tasks: made };
}

const isSource = (each: string): boolean => !/\/(?:\.git|__pycache__)$/.test(each);

/** 200 tests that do nearly nothing: all time is the cost of running tests at all. */
function makeSmallProject(repository: string): void {
  mkdirSync(join(repository, values.tests), { recursive: true });
  const test = `import pytest\n\n@pytest.mark.parametrize("number", range(200))\ndef test_number(number):\n    assert number >= 0\n`;
  writeFileSync(join(repository, values.tests, "test_numbers.py"), test);
}

async function measure(): Promise<void> {
  writeFiles();
  const plain: Measured[] = [];
  const two: Measured[] = [];
  const ours = new Map<string, Measured[]>();
  await grade("gold", 1); // warm: the environment is made
  for (let round = 0; round < rounds; round += 1) {
    plain.push(await runPlain(1));
    for (const kind of ["wrong", "gold"]) await note(ours, kind, 1);
    two.push(await runPlain(2));
    for (const kind of ["wrong", "gold"]) await note(ours, kind, 2);
  }
  const load = loadavg()[0]?.toFixed(1);
  console.log(`${count} tasks, ${rounds} rounds, ${cpus().length} cores, load ${load} at the end. Medians:`);
  const one = tell("docker run", plain, undefined);
  tell("bench grade, a patch that fails", ours.get("wrong 1") ?? [], one);
  tell("bench grade, a patch that resolves", ours.get("gold 1") ?? [], one);
  for (const kind of ["wrong", "gold"]) {
    const speeds = [1, 2].map((workers) =>
      median((ours.get(`${kind} ${workers}`) ?? []).map((each) => each.perMinute)),
    );
    console.log(
      `bench grade, ${kind} patches, tasks a minute: 1 worker ${fix(speeds[0])}, 2 workers ${fix(speeds[1])}`,
    );
  }
  const speeds = [plain, two].map((of) => median(of.map((each) => each.perMinute)));
  console.log(`docker run, tasks a minute: 1 at a time ${fix(speeds[0])}, 2 at a time ${fix(speeds[1])}`);
  tellDisk();
}

const fix = (value = 0): string => value.toFixed(2);

/** Returns the median of what comes on top of pytest's own time. */
function tell(name: string, measured: readonly Measured[], plain: number | undefined): number {
  const costs = measured.flatMap((each) => each.costs);
  const over = median(costs.map(({ total, own }) => total - own));
  const times = plain === undefined ? "" : `, ${fix(over / plain)} times docker run's`;
  const [total, own] = [median(costs.map((each) => each.total)), median(costs.map((each) => each.own))];
  console.log(`${name}: ${fix(total)} s, pytest's own ${fix(own)} s, on top ${fix(over)} s${times}`);
  return over;
}

function tellDisk(): void {
  const bytes = (name: string): number =>
    Number(execFileSync("du", ["-sb", path(name)], { encoding: "utf8" }).split("\t")[0]);
  const [all, shared] = [bytes("bench"), bytes("bench/environments")];
  const each = (all - shared) / (tasks.length * 2);
  console.log(
    `disk: the project in its image ${image.bytes} bytes, our environment of it ${shared} bytes for all tasks,`,
    `results and logs ${Math.round(each)} bytes for each graded patch`,
  );
}

/** Patches that fail apply too, and add another file. */
function writeFiles(): void {
  const write = (name: string, rows: readonly unknown[]): void =>
    writeFileSync(path(name), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const test = (at: number): string => `${values.tests}/test_bench_${at}.py::test_bench`;
  const common = {
    kind: "repair",
    statement: "A file is missing.",
    repository: "acme/project",
    baseCommit: base,
  };
  write(
    "tasks.jsonl",
    tasks.map(({ id }) => ({ schema: "millwright.task/1", id, ...common })),
  );
  write(
    "tasks.hidden.jsonl",
    tasks.map(({ id, gold, testPatch }, at) => ({
      ...{ schema: "millwright.hidden/1", id, goldPatch: gold, testPatch, testCommand: command },
      lists: { failToPass: [test(at)], passToPass: [] },
    })),
  );
  const rule = { image: { name: image.name, root: projectRoot } };
  write("environments.json", [{ schema: "millwright.environments/1", rules: [rule] }]);
  const patches = {
    gold: (patch: string) => patch,
    wrong: (patch: string) => patch.replaceAll("bench_", "other_"),
  };
  for (const [name, change] of Object.entries(patches)) {
    write(
      `${name}.jsonl`,
      tasks.map(({ id, gold }) => ({ instance_id: id, model_name_or_path: name, model_patch: change(gold) })),
    );
  }
}

async function note(into: Map<string, Measured[]>, kind: string, workers: number): Promise<void> {
  const key = `${kind} ${workers}`;
  into.set(key, [...(into.get(key) ?? []), await grade(kind, workers)]);
}

const documentSchema = z.object({
  tasks: z.array(z.object({ id: z.string(), outcome: z.string(), reason: z.string(), seconds: z.number() })),
});

/** The whole program's time counts for tasks a minute. */
async function grade(kind: string, workers: number): Promise<Measured> {
  rmSync(path("bench/logs"), { recursive: true, force: true });
  const started = performance.now();
  const stdout = await run(join(root, "bin/millwright"), [
    ...["bench", "grade", path("tasks.jsonl"), "--repositories", path("repositories"), "--sandbox", "docker"],
    ...[
      "--environments",
      path("environments.json"),
      "--predictions",
      path(`${kind}.jsonl`),
      "--fresh",
      "--json",
    ],
    ...["--bench-dir", path("bench"), "--workers", String(workers)],
  ]);
  const seconds = (performance.now() - started) / 1000;
  const graded = documentSchema.parse(JSON.parse(stdout)).tasks;
  const wanted = kind === "gold" ? "resolved" : "unresolved";
  const wrong = graded.find(({ outcome }) => outcome !== wanted);
  if (wrong !== undefined) throw new Error(`${wrong.id} is ${wrong.outcome}: ${wrong.reason}`);
  const owns = await readOwnTimes();
  const costs = graded.map(({ id, seconds: total }) => ({ total, own: owns.get(id) ?? 0 }));
  return { costs, perMinute: (60 * count) / seconds };
}

/** From the deciding runs; what the questions to a patch that resolves take counts as on top. */
async function readOwnTimes(): Promise<ReadonlyMap<string, number>> {
  const logs = openLogStore(path("bench/logs"));
  const names = execFileSync("ls", [logs.directory], { encoding: "utf8" }).trim().split("\n");
  const found = new Map<string, number>();
  for (const name of names) {
    const log = await logs.find(name.replace(".json.gz", ""));
    const runs = Object.values(log?.measurement.runs ?? {});
    const own = runs.flatMap((each) => each.executions).map(({ stdout }) => ownTime(stdout));
    if (log !== undefined)
      found.set(
        log.id,
        own.reduce((sum, each) => sum + each, 0),
      );
  }
  return found;
}

/** `=== 3 passed in 0.52s ===`. */
function ownTime(output: string): number {
  const time = / in ([\d.]+)s/.exec(output)?.[1];
  if (time === undefined) throw new Error(`pytest printed no time: ${output.slice(-500)}`);
  return Number(time);
}

/** Applies the tests and the patch, and runs the tests, in a container of its own. */
async function runPlain(workers: number): Promise<Measured> {
  const script = `cd ${projectRoot} && git apply && ${command}`;
  const started = performance.now();
  const costs = await runPool(tasks, {
    ...{ workers, retries: 0, signal: new AbortController().signal },
    async work({ gold, testPatch }): Promise<Cost> {
      const begun = performance.now();
      const args = ["run", "--rm", "-i", "--network", "none", image.name, "sh", "-c", script];
      const stdout = await run("docker", args, testPatch + gold);
      return { total: (performance.now() - begun) / 1000, own: ownTime(stdout) };
    },
    isRetried: () => false,
    onResult: () => {},
  });
  return { costs, perMinute: (60_000 * count) / (performance.now() - started) };
}

/** Returns its output. Throws if it fails. */
async function run(program: string, args: readonly string[], input = ""): Promise<string> {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) =>
    child.on("error", reject).on("close", resolve),
  );
  if (code !== 0)
    throw new Error(
      `${program} ended with ${code}: ${Buffer.concat([...out, ...err])
        .toString()
        .slice(-2000)}`,
    );
  return Buffer.concat(out).toString();
}

const { base, tasks } = makeTasks();
const image = makeProject(values.image ?? makeBase(), path("repositories/acme__project"));
try {
  await measure();
} finally {
  image.remove();
  rmSync(folder, { recursive: true, force: true });
}
