/** The folders of Multi-SWE-bench's and SWT-bench's own harnesses, from logs to verdicts. */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadTasks } from "../load-tasks.ts";
import { gradeOfficialLog, openOfficialLogs } from "./grade-logs.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "millwright-official-logs-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

async function gradeAll(rows: readonly unknown[], logs: string) {
  write("rows.jsonl", rows.map((row) => JSON.stringify(row)).join("\n"));
  const tasks = await loadTasks({ tasks: join(folder, "rows.jsonl") });
  const opened = openOfficialLogs(join(folder, logs), tasks);
  const graded = tasks.map((task) => gradeOfficialLog(task, { patch: "diff" }, opened, 1000));
  return Object.fromEntries(graded.map((each) => [each.id, each]));
}

const result = (passed: readonly string[], failed: readonly string[]) => ({
  ...{ passed_count: passed.length, failed_count: failed.length, skipped_count: 0 },
  ...{ passed_tests: passed, failed_tests: failed, skipped_tests: [] },
});

test("Multi-SWE-bench: the log of the fix against the row's other results", async () => {
  const row = (number: number, change: object = {}) => ({
    ...{
      org: "clap-rs",
      repo: "clap",
      number,
      base: { sha: "0".repeat(40) },
      fix_patch: "diff",
      test_patch: "",
    },
    ...{ f2p_tests: { fixed: {} }, p2p_tests: { kept: {} }, n2p_tests: { fresh: {} } },
    ...{
      run_result: result(["kept", "lost"], []),
      test_patch_result: result(["kept"], ["fixed"]),
      ...change,
    },
  });
  const line = (name: string, status: string) => `test ${name} ... ${status}\n`;
  const gold = line("fixed", "ok") + line("kept", "ok") + line("fresh", "ok");
  const logs: Readonly<Record<number, string>> = {
    ...{ 1: gold, 2: gold.replace("kept ... ok", "kept ... ignored"), 3: gold + line("lost", "FAILED") },
    ...{ 4: gold, 5: gold + line("kept", "FAILED") },
  };
  for (const [number, log] of Object.entries(logs)) {
    write(`work/clap-rs/clap/evals/pr-${number}/fix-patch-run.log`, log);
  }
  const contradicting = row(4, { s2p_tests: { fresh: {} }, n2p_tests: {} });
  const graded = await gradeAll([row(1), row(2), row(3), contradicting, row(5), row(6)], "work");
  const outcomes = Object.values(graded).map(({ outcome }) => outcome);
  expect(outcomes).toEqual(["resolved", ...Array(4).fill("unresolved"), "infrastructure-error"]);
  expect(graded["clap-rs__clap-2"]?.passToPass.failure).toEqual(["kept"]);
  expect(graded["clap-rs__clap-3"]?.reason).toContain("lost passed without the patch");
  expect(graded["clap-rs__clap-4"]?.reason).toContain("s2p_tests lists fresh, which contradicts");
  expect(graded["clap-rs__clap-5"]?.reason).toContain("a test has two results");
  expect(graded["clap-rs__clap-6"]?.reason).toContain("the folder has no fix-patch-run.log");
});

const fix =
  "diff --git a/src/m.py b/src/m.py\n--- a/src/m.py\n+++ b/src/m.py\n@@ -1,2 +1,3 @@\n one\n-two\n+zwei\n+drei\n";
const testPatch = (file: string) =>
  `diff --git a/${file} b/${file}\n--- a/${file}\n+++ b/${file}\n@@ -1 +1 @@\n-a\n+b\n`;

/** One log: a line for each test, and how often each line of the source ran. */
function swtLog(tests: readonly string[], counts: Readonly<Record<number, number>>): string {
  const traced = "\n+ python3 /root/trace.py --count -C coverage.cover -m pytest\n";
  const dump = `+ cat coverage.cover\n${JSON.stringify({ "/testbed/src/m.py": counts })}\n+ git checkout x\n`;
  return `Applied patch x cleanly.\nPASSED t.py::while_installing${traced}${tests.join("\n")}\n${dump}`;
}

test("SWT-bench: six logs give the transitions and the coverage of the fix", async () => {
  const hash = (file: string) => createHash("sha256").update(file).digest("hex");
  const ids = ["shown", "silent"];
  for (const name of ids) {
    const id = `pytest-dev__pytest-${name}`;
    const own = (stage: string) => `logs/run/pred_${stage}__m/${id}`;
    write(`${own("pre")}/model_patch.diff`, testPatch("test_m.py"));
    const isShown = name === "shown";
    write(
      `${own("pre")}/test_output.txt`,
      swtLog([isShown ? "FAILED t.py::a - x" : "PASSED t.py::a"], { 2: 1 }),
    );
    write(`${own("post")}/test_output.txt`, swtLog(["PASSED t.py::a"], { 2: 1, 3: 0 }));
    for (const stage of ["pre", "post"]) {
      write(`logs/gold_${stage}/${id}/${hash("test_g.py")}/test_output.txt`, swtLog([], { 2: 1, 3: 1 }));
      write(`logs/base_${stage}/${id}/${hash("test_m.py")}/test_output.txt`, swtLog([], { 2: 0, 3: 0 }));
    }
  }
  const row = { repo: "pytest-dev/pytest", base_commit: "0".repeat(40), problem_statement: "" };
  const patches = { golden_code_patch: fix, golden_test_patch: testPatch("test_g.py") };
  const rows = ids.map((id) => ({ instance_id: `pytest-dev__pytest-${id}`, ...row, ...patches }));
  const graded = await gradeAll(rows, "logs/run");
  expect(graded["pytest-dev__pytest-shown"]).toMatchObject({
    ...{ outcome: "resolved", failToPass: { success: ["t.py::a"], failure: [] } },
    measures: { patchCoverage: 2 / 3, coverageDelta: 2 / 3 },
    otherRules: [{ rule: "usebench-patch-coverage", outcome: "unresolved" }],
  });
  expect(graded["pytest-dev__pytest-silent"]).toMatchObject({
    outcome: "unresolved",
    reason: "no test fails without the fix and passes with it",
  });
});

test("a folder without such logs, or with two runs, is refused with what to give", async () => {
  const row = { instance_id: "a", repo: "pytest-dev/pytest", base_commit: "0".repeat(40), patch: "d" };
  const swt = { ...row, patch: undefined, golden_code_patch: fix, golden_test_patch: testPatch("t.py") };
  write("none/x", "");
  await expect(gradeAll([swt], "none")).rejects.toThrow("There is no test_output.txt of a task below");
  for (const run of ["one", "two"]) write(`runs/${run}/pred_pre__m/a/test_output.txt`, "");
  await expect(gradeAll([swt], "runs")).rejects.toThrow("Task a has two logs");
});
