/** Rows of the SWE-bench family, each set with its own fields. Apache Arrow wrote the Parquet files. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadTasks } from "../load-tasks.ts";
import { factsOf } from "../task-facts.ts";

const fixtures = join(import.meta.dirname, "..", "..", "..", "tests", "fixtures", "datasets");
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "millwright-rows-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function loadRow(row: object) {
  const path = join(folder, "rows.jsonl");
  writeFileSync(path, JSON.stringify(row));
  const [task] = await loadTasks({ tasks: path });
  return task;
}

const shared = {
  repo: "acme/ledger",
  base_commit: "0123456789abcdef0123456789abcdef01234567",
  patch: "--- a/x\n+++ b/x\n",
  test_patch: "",
  problem_statement: "It is refused.",
};

describe("Parquet", () => {
  test("SWE-bench's columns: lists in strings, nulls, and the rule that a row names", async () => {
    const tasks = await loadTasks({ tasks: join(fixtures, "swe-bench.snappy.parquet") });
    expect(tasks.map(({ task, grader }) => [task.id, grader.name])).toEqual([
      ["acme__ledger-1", "pass-and-fail"],
      ["acme__ledger-2", "fail-only"],
    ]);
    expect(tasks[0]?.task).toMatchObject({ statement: "Ärger mit »all« of it", version: "" });
    expect(tasks[0]?.hidden.lists).toMatchObject({
      failToPass: ["tests/test_a.py::test_one"],
      passToPass: [],
    });
    expect(tasks[1]?.place).toMatch(/\.parquet\[1\]$/);
  });

  test.each(["zstd", "gzip", "brotli"])(
    "SWE-bench-Live's columns: lists as lists, commands, %s",
    async (codec) => {
      const [task] = await loadTasks({ tasks: join(fixtures, `live.${codec}.parquet`) });
      expect(task?.hidden).toMatchObject({
        tests: { command: "pytest -rA" },
        lists: { failToPass: ["a.py::t[x]", "a.py::u"], passToPass: [] },
      });
    },
  );

  test("a file that is none is wrong usage", async () => {
    const path = join(folder, "rows.parquet");
    writeFileSync(path, "no table");
    await expect(loadTasks({ tasks: path })).rejects.toThrow("rows.parquet cannot be read as Parquet");
  });
});

test("unprintable characters of ids in Python's lists are numbers", async () => {
  const task = await loadRow({
    instance_id: "instance_Acme__Ledger-0123456789abcdef-vnan",
    ...shared,
    fail_to_pass: String.raw`['t[\x1b]', 't[\ue000\U0001f600]', 't[\\x1b]', 't[\Uffffffff]']`,
    pass_to_pass: "[]",
  });
  expect(task?.hidden.lists?.failToPass).toEqual([
    ...["t[\u001b]", "t[\ue000\u{1f600}]", "t[\\x1b]", "t[Uffffffff]"],
  ]);
});

test("SWE-bench Pro's fields: lists in Python's words, and all three texts that an agent is given", async () => {
  const task = await loadRow({
    instance_id: "instance_Acme__Ledger-0123456789abcdef-vnan",
    ...shared,
    requirements: "- Zero is allowed.",
    interface: "No new interfaces are introduced",
    fail_to_pass: `['test/a.js | a hall fills', "it's \\'so\\'", 't[a\\\\b]']`,
    pass_to_pass: "[]",
    before_repo_set_cmd: "git checkout fedcba9876543210 -- test/a.js",
    selected_test_files_to_run: "['test/a.js']",
  });
  expect(task?.dataset).toBe("swe-bench-pro");
  expect(task?.grader.name).toBe("all-passed");
  expect(task?.task.statement).toBe(
    "It is refused.\n\nRequirements:\n- Zero is allowed.\n\nNew interfaces introduced:\nNo new interfaces are introduced",
  );
  expect(task?.hidden.lists?.failToPass).toEqual(["test/a.js | a hall fills", "it's 'so'", "t[a\\b]"]);
  expect(JSON.stringify(task?.task)).not.toContain("fedcba");
});

test.each(["['a' 'b']", "['a", "[a]", "{'a': 1}"])("%s is no list of ids", async (list) => {
  const row = { instance_id: "a", ...shared, FAIL_TO_PASS: list };
  await expect(loadRow(row)).rejects.toThrow("FAIL_TO_PASS: is not a list of test ids");
});

test("QuixBugs: the program's tests are named, the answers and the other programs' tests are not there", async () => {
  const program = { program: "gcd", test_file: "python_testcases/test_gcd.py", FAIL_TO_PASS: ["x"] };
  const task = await loadRow({ instance_id: "quixbugs__gcd", ...shared, ...program });
  expect(task?.task.failingTests).toEqual(["python_testcases/test_gcd.py"]);
  expect(task?.environment.remove).toEqual(["correct_*/**", "java_*/**", "python_testcases/test_!(gcd).py"]);
});

test("QuixBugs: the known fix changes the code, and keeps the documentation below it", async () => {
  const documentation = '\n\n"""\nInput:\n    a: A nonnegative int\n"""\n';
  const buggy = `def gcd(a, b):\n    if b == 0:\n        return a\n    return gcd(a % b, b)\n${documentation}`;
  const task = await loadRow({
    ...{ instance_id: "quixbugs__gcd", ...shared, patch: undefined, patch_full_file: "--- a/x\n+++ b/x\n" },
    ...{ program: "gcd", test_file: "python_testcases/test_gcd.py", FAIL_TO_PASS: ["x"] },
    ...{ buggy_file: "python_programs/gcd.py", buggy_source: buggy },
    correct_source:
      '\ndef gcd(a, b):\n    if b == 0:\n        return a\n    return gcd(b, a % b)\n\n"""\nanother solution\n"""\n',
  });
  expect(task && factsOf(task).fix).toEqual({ files: 1, hunks: 1, lines: 2 });
  expect(task?.hidden.goldPatch).toContain("-    return gcd(a % b, b)\n+    return gcd(b, a % b)\n");
});
