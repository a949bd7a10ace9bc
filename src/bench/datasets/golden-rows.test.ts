/**
 * Rows and predictions in the benchmarks' published form: what a solver sees, and what a file of predictions contains.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { GradedTask } from "../graded-task.ts";
import { findDataset, loadTasks } from "../load-tasks.ts";
import { loadPredictions, renderPredictions } from "../predictions.ts";
import { parseTargetText } from "../target-text.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "millwright-test-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, data: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, `${JSON.stringify(data)}\n`);
  return path;
}

const commit = "0123456789abcdef0123456789abcdef01234567";
const swe = {
  ...{ repo: "acme/ledger", instance_id: "acme__ledger-7", base_commit: commit, version: "1.2" },
  ...{ problem_statement: "SHOWN", hints_text: "SECRET", created_at: "2024-01-01T00:00:00Z" },
  ...{ patch: "SECRET gold", test_patch: "SECRET tests", test_cmd: "SECRET command" },
  ...{ FAIL_TO_PASS: '["SECRET one"]', PASS_TO_PASS: '["SECRET two"]', environment_setup_commit: commit },
};
const lists = { failToPass: ["SECRET one"], passToPass: ["SECRET two"], flaky: [] };
const seen = {
  ...{
    id: "acme__ledger-7",
    statement: "SHOWN",
    repository: "acme/ledger",
    baseCommit: commit,
    version: "1.2",
  },
};
const removal = "diff --git a/t.py b/t.py\n--- a/t.py\n+++ b/t.py\n@@ -1,2 +1 @@\n kept\n-SECRET test\n";

/** The solver's part and the grader's part of each row. */
const golden: readonly { name: string; row: object; task: object; hidden: object }[] = [
  {
    name: "swt-bench",
    row: { ...swe, patch: undefined, golden_code_patch: "SECRET gold", golden_test_patch: "SECRET tests" },
    task: { ...seen, kind: "regression-test" },
    hidden: { goldPatch: "SECRET gold", testPatch: "SECRET tests", lists: undefined },
  },
  {
    name: "swt-bench",
    row: { ...swe, patch: "<patch>\nSECRET gold\n</patch>\n" },
    task: { ...seen, kind: "regression-test" },
    hidden: { goldPatch: "SECRET gold\n", testPatch: "SECRET tests" },
  },
  {
    name: "swetry",
    row: { ...swe, failed_patch: "SHOWN attempt" },
    task: { ...seen, kind: "partial-fix", partialPatch: "SHOWN attempt" },
    hidden: { goldPatch: "SECRET gold", lists },
  },
  {
    name: "feature-development",
    row: { ...swe, task_type: "feature" },
    task: { ...seen, kind: "feature" },
    hidden: { goldPatch: "SECRET gold", testPatch: "SECRET tests", lists },
  },
  {
    name: "rust-swe-bench",
    row: { ...swe, pull_number: 7, issue_numbers: ["6"], updated_at: "2024-01-02T00:00:00Z" },
    task: { ...seen, kind: "repair" },
    hidden: { goldPatch: "SECRET gold", lists },
  },
  {
    name: "repotest",
    row: {
      ...{ instance_id: "acme__ledger-7", repo: "acme/ledger", base_commit: commit, version: "1.2" },
      ...{ problem_statement: "SHOWN", target: "ledger/account.py:Account.deposit", removal_patch: removal },
    },
    task: { ...seen, kind: "test-generation", target: "ledger/account.py:Account.deposit" },
    hidden: {
      goldPatch: "",
      testPatch: removal.replace("-1,2 +1 ", "-1 +1,2 ").replace("\n-SECRET", "\n+SECRET"),
    },
  },
  {
    name: "repocod",
    row: {
      ...{ repository: "ledger", repo_id: 7, function_name: "Account.deposit", base_commit: commit },
      ...{
        target_module_path: "ledger/account.py",
        prompt: ["    def deposit(self):\n", '        """SHOWN"""\n'],
      },
      ...{ full_function: "SECRET function", target_tests: ["t.py::SECRET[1]", "t.py::SECRET[2]"] },
    },
    task: {
      ...{ ...seen, id: "ledger-7", repository: "ledger", version: "", kind: "code-generation" },
      statement: '    def deposit(self):\n        """SHOWN"""\n',
      target: "ledger/account.py:Account.deposit",
    },
    hidden: {
      tests: { command: undefined, files: ["t.py"], limitMs: 600_000 },
      lists: { failToPass: ["t.py::SECRET[1]", "t.py::SECRET[2]"], passToPass: [], flaky: [] },
    },
  },
];

test.each(golden)(
  "$name: a solver sees its part of a row, and nothing hidden",
  async ({ name, row, task, hidden }) => {
    const [read] = await loadTasks({ tasks: write("tasks.jsonl", row) });
    expect(read?.dataset).toBe(name);
    expect(read?.task).toEqual(task);
    expect(JSON.stringify(read?.task)).not.toContain("SECRET");
    expect(read?.hidden).toMatchObject(hidden);
  },
);

async function loadOne(name: string): Promise<GradedTask> {
  const row = golden.find((each) => each.name === name)?.row;
  const [task] = await loadTasks({ tasks: write("tasks.jsonl", row) });
  if (task === undefined) throw new Error(`no task of ${name}`);
  return task;
}

test("SWT-bench's predictions are one list of SWE-bench's, written and read", async () => {
  const graded = await loadOne("swt-bench");
  const { task } = graded;
  const dataset = findDataset("swt-bench");
  const { text, extension } = renderPredictions({
    predictions: [{ id: task.id, patch: "diff", task }],
    name: "m",
    dataset,
  });
  expect([extension, JSON.parse(text)]).toEqual([
    "json",
    [{ instance_id: "acme__ledger-7", model_name_or_path: "m", model_patch: "diff" }],
  ]);
  expect(loadPredictions(write("p.json", JSON.parse(text)), [graded]).of(task.id)).toEqual({ patch: "diff" });
});

test("REPOCOD's predictions hold functions by repository and number, written and read", async () => {
  const graded = await loadOne("repocod");
  const { task } = graded;
  const dataset = findDataset("repocod");
  const target = `${task.statement}        return 1\n`;
  const written = renderPredictions({
    predictions: [{ id: task.id, patch: "diff", task, target }],
    name: "m",
    dataset,
  });
  const document = {
    ledger: { 7: { function_name: "Account.deposit", prompt: task.statement, output: target } },
  };
  expect([written.extension, JSON.parse(written.text)]).toEqual(["json", document]);
  const patchOf = (output: unknown) => {
    const text = { ledger: { 7: { function_name: "Account.deposit", prompt: task.statement, output } } };
    const { patch, because } = loadPredictions(write("p.json", text), [graded]).of(task.id);
    return because ?? (patch === undefined ? undefined : (parseTargetText(patch)?.text ?? patch));
  };
  expect(patchOf(target)).toBe(target);
  expect(patchOf(["        return", " 1\n"])).toBe(target);
  expect(patchOf("")).toBe("");
});

/** As named by the benchmarks' own harnesses. */
const images: readonly { name: string; row: object; image: string; root: string }[] = [
  {
    name: "swe-bench",
    row: { ...swe, instance_id: "Acme__ledger-7" },
    image: "swebench/sweb.eval.x86_64.acme_1776_ledger-7:latest",
    root: "/testbed",
  },
  { name: "swe-bench", row: { ...swe, image: "own/image:2" }, image: "own/image:2", root: "/testbed" },
  {
    name: "swe-bench",
    row: { ...swe, test_cmds: ["pytest -rA"] },
    image: "starryzhang/sweb.eval.x86_64.acme_1776_ledger-7:latest",
    root: "/testbed",
  },
  {
    name: "multi-swe-bench",
    row: { org: "Acme", repo: "Ledger", number: 7, base: { sha: commit }, fix_patch: "a patch" },
    image: "mswebench/acme_m_ledger:pr-7",
    root: "/home/Ledger",
  },
  {
    name: "swe-bench-pro",
    row: {
      ...{ ...swe, FAIL_TO_PASS: undefined, PASS_TO_PASS: undefined },
      ...{ fail_to_pass: "['one']", pass_to_pass: "[]", dockerhub_tag: "acme.ledger-7" },
    },
    image: "jefzda/sweap-images:acme.ledger-7",
    root: "/app",
  },
];

test.each(images)("the published image of $name is $image", async ({ row, image, root, name }) => {
  const [task] = await loadTasks({ tasks: write("tasks.jsonl", row) }, []);
  expect(task).toMatchObject({ dataset: name, environment: { image: { name: image, root } } });
});
