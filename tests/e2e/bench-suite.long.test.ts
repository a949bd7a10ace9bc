/** Each suite in miniature: five tasks, a replayed model, and all tables of its paper. */
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { suites } from "../../src/bench/suites/index.generated.ts";
import { makeRepository, mendLedger, startBench, type TaskRepository, writeLines } from "./bench-fixture.ts";
import { createPlayground, type Playground, type ProgramEnd } from "./millwright.ts";
import { type ScriptedAnswer, scriptFile } from "./scripted-solve.ts";
import { strategyScripts } from "./strategy-scripts.ts";

let playground: Playground;
let repository: TaskRepository;
/** The five tasks as rows of SWE-bench. */
let swe: string;
beforeAll(async () => {
  playground = createPlayground();
  repository = makeRepository(playground, "repair-python", "acme/ledger", () => {});
  mkdirSync(recording());
  swe = writeRows("swe.jsonl");
  const marscode = strategyScripts("").find(({ strategy }) => strategy === "marscode");
  await record("react", reactAnswers, "--as-published");
  await record("marscode", marscode?.answers ?? []);
});
afterAll(() => playground.remove());

const key = (name: string): string => `tests/test_transfer.py::TransferTest.${name}`;

/** The five tasks. The scripted agent writes a wrong patch for the fourth, and no patch for the fifth. */
const numbers = [1, 2, 3, 4, 5];
const mended = 3;

/** The same five tasks in the form of a dataset. */
function writeRows(name: string, more: object = {}): string {
  const path = join(playground.folder, name);
  const { statement = "" } = strategyScripts("").find(({ strategy }) => strategy === "marscode") ?? {};
  const rows = numbers.map((number) => ({
    ...{ instance_id: `acme__ledger-${number}`, repo: "acme/ledger", base_commit: repository.baseCommit },
    ...{ problem_statement: `${statement} (report ${number})`, ...more },
    ...{ patch: repository.patch((folder) => mendLedger(folder)), test_patch: "" },
    ...{ test_cmd: "python3 -m unittest", PASS_TO_PASS: [key("test_moves_the_amount")] },
    FAIL_TO_PASS: [key("test_empties_an_account"), key("test_uses_the_whole_overdraft")],
  }));
  writeLines(path, rows);
  return path;
}

const call = (name: string, input: object): ScriptedAnswer => ({ role: "editing", calls: [{ name, input }] });
const file = "ledger/account.py";
const old = "amount < available";
const submit: ScriptedAnswer = { ...call("submit", { summary: "it covers all" }), times: "always" };

/** The last message of the first request has the statement, that of the second the viewed file. */
const reactAnswers: readonly ScriptedAnswer[] = [
  { ...call("bash", { command: "ls" }), contains: "report 5" },
  { ...call("bash", { command: "grep -n available ledger/*.py" }), contains: "report 4" },
  { ...call("view", { path: file }), contains: "report" },
  { ...call("str_replace", { path: file, old, new: "amount <= available" }), contains: "class Account" },
  { ...call("str_replace", { path: file, old, new: "amount < 0" }), contains: "account.py:" },
  submit,
];

/** Lets the strategy attempt the tasks with scripted answers, and adds the calls to the recording. */
async function record(strategy: string, answers: readonly ScriptedAnswer[], ...args: string[]) {
  const script = join(playground.folder, `${strategy}.json`);
  writeFileSync(script, scriptFile(answers));
  const own = ["--strategy", strategy, "--model", `scripted:${script}`, "--workers", "2"];
  const end = await startBench(playground, "run", swe, ...own, ...args).ended;
  expect(end.exitCode, end.stderr).toBe(0);
  for (const path of globSync(`bench/runs/*-${strategy}-*/calls/*`, { cwd: playground.folder }))
    cpSync(join(playground.folder, path), join(recording(), basename(path)));
}

const recording = (): string => join(playground.folder, "recording");

function start(suite: string, ...args: string[]): Promise<ProgramEnd> {
  const places = ["--repositories", join(playground.folder, "repositories"), "--out", "out"];
  const given = ["bench", "suite", suite, ...places, "--bench-dir", join(playground.folder, "bench")];
  return playground.start([...given, ...args], { cwd: playground.folder }).ended;
}

async function replay(suite: string, dataset: string, tasks: string, variant: string): Promise<ProgramEnd> {
  const model = ["--model", "replay:recording", "--variant", variant, "--workers", "2"];
  const end = await start(suite, "--tasks", `${dataset}=${tasks}`, ...model);
  expect(end.exitCode, end.stderr).toBe(0);
  const tables = suites.find(({ name }) => name === suite)?.tables;
  const titles = tables?.({ arms: [], columns: [], of: () => [], labels: [] }).map(
    ({ title }) => `## ${title}`,
  );
  expect(end.stdout.match(/^## .*$/gm)).toEqual(titles);
  return end;
}

const rate = String.raw`${mended} of 5 \(60\.0 %\)`;
const all = String.raw`5 of 5 \(100\.0 %\)`;

test("use-bench replays a model at five tasks, and prints its tables with theirs and ours", async () => {
  const end = await replay("use-bench", "swe-bench", swe, "react-as-published");
  expect(end.stdout, end.stderr).toMatch(
    new RegExp(String.raw`\| SWE-bench Verified \| 228 of 500 [^|]* \| 192 of 500 [^|]* \| ${rate} \|`),
  );
  expect(end.stdout).toContain("ours: react as published, replay:recording, PASS@1");
  const runs = join(playground.folder, "bench", "runs");
  const published = readdirSync(runs).filter((run) => run.includes("-react-"));
  expect(published).toHaveLength(10);
  for (const run of published)
    expect(JSON.parse(readFileSync(join(runs, run, "run.json"), "utf8"))).toHaveProperty(
      "switches.asPublished",
      true,
    );
});

test("rust-swe-bench does so too, with the sizes of the patches", async () => {
  const rust = writeRows("rust.jsonl", { pull_number: 1, updated_at: "2024-01-01T00:00:00Z" });
  const end = await replay("rust-swe-bench", "rust-swe-bench", rust, "react-as-published");
  const sizes = String.raw`2\.00 \| 1\.00 \| 1\.00`;
  expect(end.stdout, end.stderr).toMatch(
    new RegExp(String.raw`\| ours: react as published \| replay:recording \| ${rate} \| ${sizes} \|`),
  );
});

test("mars-lite does so too, with localisation, and prints again what was run", async () => {
  const end = await replay("mars-lite", "swe-bench", swe, "marscode");
  expect(end.stdout, end.stderr).toMatch(
    new RegExp(String.raw`\| ours: marscode, \S+ \| ${all} \| ${all} \| 5 of 5 `),
  );
  expect(end.stdout).toMatch(/\| ours: marscode, \S+ \| dynamic \| 5 \| 5 \| 100\.0 \|/);
  expect((await start("mars-lite")).stdout).toBe(end.stdout);
});

test("a suite without tasks and without results says what to give", async () => {
  const none = await start("use-bench", "--out", "nothing");
  expect(none.exitCode).toBe(2);
  expect(none.stderr).toContain("Give a file of tasks: --tasks swe-bench=FILE");
  const wrong = await start("use-bench", "--tasks", "quixbugs=a.jsonl");
  expect(wrong.stderr).toContain("the datasets are swe-bench, swt-bench");
});
