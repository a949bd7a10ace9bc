import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { datasets } from "./datasets/index.generated.ts";
import { loadTasks } from "./load-tasks.ts";
import { loadPredictions } from "./predictions.ts";
import { countRows, type RowProblem } from "./rows.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "millwright-tasks-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const commit = "0123456789abcdef0123456789abcdef01234567";
const swe = { instance_id: "a__b-1", repo: "a/b", base_commit: commit, patch: "diff", test_patch: "" };
const own = {
  schema: "millwright.task/1",
  id: "b-1",
  kind: "repair",
  statement: "",
  repository: "a/b",
  baseCommit: commit,
};
const hidden = { schema: "millwright.hidden/1", id: "b-1", goldPatch: "diff" };

function write(name: string, ...lines: unknown[]): string {
  const path = join(folder, name);
  const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  writeFileSync(path, texts.join("\n"));
  return path;
}

async function problemsOf(load: () => unknown): Promise<string> {
  try {
    await load();
  } catch (error) {
    return String(error).replaceAll(`${folder}/`, "");
  }
  throw new Error("it was loaded");
}

describe("loadTasks", () => {
  test("reads SWE-bench's fields, with lists as lists or as text, and takes the time limit out of the command", async () => {
    const text = {
      ...swe,
      FAIL_TO_PASS: '["x"]',
      PASS_TO_PASS: ["y"],
      test_cmd: "timeout 30 pytest t.py",
      more: 1,
    };
    const [first, second] = await loadTasks({
      tasks: write("t.jsonl", text, "", { ...swe, instance_id: "a__b-2" }),
    });
    expect(first?.hidden.lists).toEqual({ failToPass: ["x"], passToPass: ["y"], flaky: [] });
    expect(first?.hidden.tests).toEqual({ command: "pytest t.py", files: [], limitMs: 30_000 });
    expect(second?.hidden.lists).toBeUndefined();
    expect(second?.place).toBe(`${folder}/t.jsonl:3`);
  });

  test("takes the hidden part from the file beside, and lists that replace the task's own", async () => {
    write("t.hidden.jsonl", { ...hidden, testPatch: "tests", testFiles: ["t.py"] });
    const lists = write("lists.jsonl", {
      schema: "millwright.lists/1",
      id: "b-1",
      failToPass: ["x"],
      passToPass: [],
    });
    const [task] = await loadTasks({ tasks: write("t.jsonl", own), lists });
    expect(task?.hidden).toMatchObject({
      goldPatch: "diff",
      testPatch: "tests",
      tests: { files: ["t.py"] },
      lists: { failToPass: ["x"], flaky: [] },
    });
  });

  test("names each wrong line and field", async () => {
    write("t.hidden.jsonl", hidden, { ...hidden, id: "gone" });
    const tasks = write(
      "t.jsonl",
      own,
      "{",
      { ...own, id: "b-2", goldPatch: "a hidden thing" },
      { ...own, id: "b-3", baseCommit: "main" },
      { ...own, id: "b-6", hidden },
      own,
      { ...own, id: "b-5" },
      { ...own, id: "../b" },
      { ...own, id: "b-4", kind: "test-generation" },
    );
    const unreadable: RowProblem[] = [];
    const loaded = await loadTasks({ tasks }, unreadable);
    expect(loaded.map(({ task }) => task.id)).toEqual(["b-1"]);
    expect(countRows(unreadable)).toBe(9);
    const problems = unreadable
      .map(({ place, message }) => `${place}: ${message}`)
      .join("\n")
      .replaceAll(`${folder}/`, "");
    for (const expected of [
      "t.jsonl:2: is not JSON",
      't.jsonl:3: Unrecognized key: "goldPatch"',
      "t.jsonl:4: baseCommit: is not a full commit id",
      't.jsonl:5: Unrecognized key: "hidden"',
      "t.jsonl:6: the id b-1 also occurs at t.jsonl:1",
      "t.jsonl:7: hidden: is missing; give its file with --hidden",
      "t.jsonl:8: id: is not a task id: use letters, digits and _ . + @ -, and begin with a letter or digit",
      "t.jsonl:9: kind: ",
      "t.hidden.jsonl:2: there is no task gone",
    ]) {
      expect(problems).toContain(expected);
    }
  });

  test("names a wrong row of another format, and a file whose rows are of no dataset", async () => {
    const wrong = write("s.jsonl", { ...swe, patch: undefined }, { ...swe, FAIL_TO_PASS: "x" });
    const problems = await problemsOf(() => loadTasks({ tasks: wrong }));
    expect(problems).toContain("s.jsonl:1: patch: has no gold patch");
    expect(problems).toContain("s.jsonl:2: FAIL_TO_PASS: is not a list of test ids");
    const unknown = write("u.jsonl", { id: "x" });
    expect(await problemsOf(() => loadTasks({ tasks: unknown }))).toContain(
      `no row has the fields of a known dataset (${datasets.map(({ name }) => name).join(", ")}); choose one with --dataset`,
    );
    expect(await problemsOf(() => loadTasks({ tasks: unknown, dataset: "swe-bench" }))).toContain(
      "u.jsonl:1: instance_id: ",
    );
    expect(await problemsOf(() => loadTasks({ tasks: unknown, dataset: "x" }))).toContain(
      "There is no dataset x",
    );
  });

  test("recognises the rows of each dataset by one record alone", () => {
    const rows = {
      bugsinpy: { dataset: "bugsinpy", id: "b-1" },
      defects4j: { dataset: "defects4j", id: "B-1" },
      "feature-development": { ...swe, task_type: "feature", removal_patch: "diff" },
      millwright: own,
      "multi-swe-bench": { org: "a", repo: "b", number: 1, base: {}, fix_patch: "diff" },
      quixbugs: { ...swe, program: "gcd", test_file: "test_gcd.py" },
      repocod: { repository: "b", repo_id: "1", target_module_path: "b.py", full_function: "", prompt: "" },
      repotest: { instance_id: "a__b-1", removal_patch: "diff", target: "b.py:b" },
      "rust-swe-bench": { ...swe, pull_number: 1, updated_at: "2024-01-01T00:00:00Z" },
      "swe-bench": { ...swe, language: "python", pull_number: 1, updated_at: "2024-01-01T00:00:00Z" },
      "swe-bench-pro": { ...swe, fail_to_pass: [], pass_to_pass: [] },
      "swe-smith": { ...swe, base_commit: undefined, repo: "swesmith/a__b.0123abcd", image_name: "i" },
      swetry: { ...swe, failed_patch: "diff" },
      "swt-bench": { ...swe, patch: "<patch>\ndiff\n</patch>" },
    };
    for (const [name, fields] of Object.entries(rows)) {
      const row = JSON.parse(JSON.stringify(fields)) as Record<string, unknown>;
      expect(datasets.filter((each) => each.recognises(row)).map((each) => each.name)).toEqual([name]);
    }
    expect(Object.keys(rows)).toEqual(datasets.map(({ name }) => name));
  });

  test("what a solver may see has nothing of the hidden part", async () => {
    const row = { ...swe, patch: "GOLD", test_patch: "TESTS", FAIL_TO_PASS: ["F2P"], test_cmd: "COMMAND" };
    const [task] = await loadTasks({
      tasks: write("t.json", JSON.stringify([{ ...row, problem_statement: "Mend it." }])),
    });
    expect(task?.task).toEqual({
      id: "a__b-1",
      kind: "repair",
      statement: "Mend it.",
      repository: "a/b",
      baseCommit: commit,
      version: "",
    });
  });
});

describe("loadPredictions", () => {
  const one = { instance_id: "a__b-1", model_patch: "diff", model_name_or_path: "m" };

  test.each([
    ["JSON Lines", JSON.stringify(one)],
    ["a list", JSON.stringify([one], null, 2)],
    ["an object by id", JSON.stringify({ "a__b-1": { model_patch: "diff" } })],
  ])("reads %s", async (_, text) => {
    const tasks = await loadTasks({ tasks: write("t.jsonl", swe) });
    expect(loadPredictions(write("p.json", text), tasks).of("a__b-1")).toEqual({ patch: "diff" });
  });

  test("names what cannot be read, takes the others, and neither of two for a task", async () => {
    const ids = ["a__b-1", "a__b-2", "a__b-3"];
    const rows = ids.map((instance_id) => ({ ...swe, instance_id }));
    const tasks = await loadTasks({ tasks: write("t.jsonl", ...rows) });
    const path = write(
      "p.jsonl",
      { ...one, model_patch: null },
      one,
      { ...one, instance_id: "x" },
      {},
      "{",
      { instance_id: "a__b-2", model_patch: 7 },
      { ...one, instance_id: "a__b-3" },
    );
    const { of, unreadable } = loadPredictions(path, tasks);
    const told = unreadable.map(({ place, message }) => `${place}: ${message}`.replaceAll(`${folder}/`, ""));
    expect(told.map((line) => line.split(": ").slice(0, 2).join(": "))).toEqual([
      "p.jsonl:5: is not JSON",
      "p.jsonl:2: p.jsonl:1 also has a prediction for a__b-1",
      "p.jsonl:3: there is no task x",
      "p.jsonl:4: instance_id",
      "p.jsonl:6: model_patch",
    ]);
    expect(of("a__b-1")).toMatchObject({
      patch: undefined,
      because: expect.stringContaining("two predictions"),
    });
    expect(of("a__b-2").because).toContain("the prediction cannot be read: ");
    expect(of("a__b-3").patch).toBe("diff");
    expect(() => loadPredictions(write("q.jsonl", { id: 1 }), tasks)).toThrow("q.jsonl:1: instance_id: ");
  });
});
