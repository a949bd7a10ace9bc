/** Each suite in miniature: one task, one variant, a scripted model; then the tables of all that was run. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  makeRepository,
  mendLedger,
  type TaskRepository,
  writeLedgerScript,
  writeLines,
} from "./bench-fixture.ts";
import { createPlayground, type Playground, type ProgramEnd } from "./millwright.ts";
import { scriptFile } from "./scripted-solve.ts";
import { strategyScripts } from "./strategy-scripts.ts";

let playground: Playground;
let repository: TaskRepository;
beforeEach(() => {
  playground = createPlayground();
  repository = makeRepository(playground, "repair-python", "acme/ledger", () => {});
});
afterEach(() => playground.remove());

const key = (name: string): string => `tests/test_transfer.py::TransferTest.${name}`;

function writeRows(name: string, statement: string, more: object = {}): string {
  const path = join(playground.folder, name);
  writeLines(path, [
    {
      ...{ instance_id: "acme__ledger-1", repo: "acme/ledger", base_commit: repository.baseCommit, ...more },
      ...{ problem_statement: statement, patch: repository.patch((folder) => mendLedger(folder)) },
      test_patch: "",
      ...{ test_cmd: "python3 -m unittest", PASS_TO_PASS: [key("test_moves_the_amount")] },
      FAIL_TO_PASS: [key("test_empties_an_account"), key("test_uses_the_whole_overdraft")],
    },
  ]);
  return path;
}

function start(suite: string, ...args: string[]): Promise<ProgramEnd> {
  const places = ["--repositories", join(playground.folder, "repositories"), "--out", "out"];
  const given = ["bench", "suite", suite, ...places, "--bench-dir", join(playground.folder, "bench")];
  return playground.start([...given, ...args], { cwd: playground.folder }).ended;
}

test("suites run their variants, print theirs and ours side by side, and print again what was run", async () => {
  const ledger = ["--model", `scripted:${writeLedgerScript(playground)}`, "--variant", "react-as-published"];
  const file = writeRows("swe.jsonl", "It does not do what it says.");
  const use = await start("use-bench", "--tasks", `swe-bench=${file}`, ...ledger);
  expect(use.exitCode, use.stderr).toBe(0);
  expect(use.stdout).toContain("ours: react as published, scripted:");
  expect(use.stdout).toMatch(
    /\| SWE-bench Verified \| 228 of 500 .* \| 192 of 500 .* \| 1 of 1 \(100\.0 %\) \|/,
  );

  const [run = ""] = readdirSync(join(playground.folder, "bench", "runs"));
  const described = readFileSync(join(playground.folder, "bench", "runs", run, "run.json"), "utf8");
  expect(JSON.parse(described)).toHaveProperty("switches.asPublished", true);

  const more = { pull_number: 1, updated_at: "2024-01-01T00:00:00Z" };
  const rows = writeRows("rust.jsonl", "It does not do what it says.", more);
  const rust = await start("rust-swe-bench", "--tasks", `rust-swe-bench=${rows}`, ...ledger);
  expect(rust.exitCode, rust.stderr).toBe(0);
  expect(rust.stdout).toMatch(
    /\| ours: react as published \| scripted:\S+ \| 1 of 1 \(100\.0 %\) \| 2\.00 \| 1\.00 \| 1\.00 \|/,
  );

  const script = strategyScripts(repository.folder).find(({ strategy }) => strategy === "marscode");
  const path = join(playground.folder, "marscode.json");
  writeFileSync(path, scriptFile(script?.answers ?? []));
  const stated = writeRows("lite.jsonl", script?.statement ?? "");
  const args = ["--model", `scripted:${path}`, "--variant", "marscode"];
  const mars = await start("mars-lite", "--tasks", `swe-bench=${stated}`, ...args);
  expect(mars.exitCode, mars.stderr).toBe(0);
  expect(mars.stdout).toMatch(
    /\| ours: marscode, \S+ \| 1 of 1 \(100\.0 %\) \| 1 of 1 \(100\.0 %\) \| 1 of 1 /,
  );
  expect(mars.stdout).toMatch(/\| ours: marscode, \S+ \| dynamic \| 1 \| 1 \| 100\.0 \|/);

  const again = await start("mars-lite");
  expect(again.stdout).toBe(mars.stdout);
});

test("a suite without tasks and without results says what to give", async () => {
  const none = await start("use-bench");
  expect(none.exitCode).toBe(2);
  expect(none.stderr).toContain("Give a file of tasks: --tasks swe-bench=FILE");
  const wrong = await start("use-bench", "--tasks", "quixbugs=a.jsonl");
  expect(wrong.stderr).toContain("the datasets are swe-bench, swt-bench");
});
