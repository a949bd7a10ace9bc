import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { TestStatus } from "../../domain/test-outcome.ts";
import multiSweBench from "../graders/multi-swe-bench.ts";
import { loadTasks } from "../load-tasks.ts";
import { loadPredictions, renderPredictions } from "../predictions.ts";
import dataset from "./multi-swe-bench.ts";

/** A row in the published form, with tests of each class. */
const row = {
  org: "acme",
  repo: "seating",
  number: 7,
  state: "closed",
  title: "Fill the last seat (#7)",
  body: "Fixes #6",
  base: { label: "acme:main", ref: "main", sha: "0123456789abcdef0123456789abcdef01234567" },
  resolved_issues: [{ number: 6, title: "A row is never full", body: "The last seat stays empty." }],
  fix_patch: "FIX",
  test_patch: "TESTS",
  lang: "rust",
  fixed_tests: {
    "row::fills": { run: "PASS", test: "FAIL", fix: "PASS" },
    "row::is_new": { run: "NONE", test: "NONE", fix: "PASS" },
  },
  p2p_tests: { "row::numbers": { run: "PASS", test: "PASS", fix: "PASS" } },
  f2p_tests: { "row::fills": { run: "PASS", test: "FAIL", fix: "PASS" } },
  s2p_tests: {},
  n2p_tests: { "row::is_new": { run: "NONE", test: "NONE", fix: "PASS" } },
  run_result: {
    passed_count: 4,
    failed_count: 1,
    skipped_count: 0,
    passed_tests: ["row::fills", "row::numbers", "row::goes", "row::lost"],
    failed_tests: ["row::broken"],
    skipped_tests: [],
  },
  test_patch_result: {
    passed_count: 2,
    failed_count: 2,
    skipped_count: 0,
    passed_tests: ["row::numbers", "row::goes"],
    failed_tests: ["row::fills", "row::broken"],
    skipped_tests: [],
  },
  fix_patch_result: {
    passed_count: 3,
    failed_count: 1,
    skipped_count: 0,
    passed_tests: ["row::fills", "row::is_new", "row::numbers"],
    failed_tests: ["row::broken"],
    skipped_tests: [],
  },
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "millwright-multi-swe-bench-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, ...lines: unknown[]): string {
  const path = join(folder, name);
  writeFileSync(path, lines.map((line) => JSON.stringify(line)).join("\n"));
  return path;
}

async function loadRow() {
  const [task] = await loadTasks({ tasks: write("rows.jsonl", row) });
  if (task === undefined) throw new Error("no task was read");
  return task;
}

describe("multi-swe-bench", () => {
  test("a row becomes a task of the issue alone, and lists of every class", async () => {
    const { task, hidden } = await loadRow();
    expect(task).toEqual({
      id: "acme__seating-7",
      kind: "repair",
      statement: "A row is never full\n\nThe last seat stays empty.",
      repository: "acme/seating",
      baseCommit: row.base.sha,
      version: "",
    });
    expect(hidden).toMatchObject({
      goldPatch: "FIX",
      testPatch: "TESTS",
      tests: { all: true },
      lists: { failToPass: ["row::fills", "row::is_new"], passToPass: ["row::numbers"], flaky: [] },
      earlier: {
        "row::lost": { base: "passed", tests: "not-run" },
        "row::broken": { base: "failed", tests: "failed" },
      },
    });
  });

  const gold = { fills: "passed", is_new: "passed", numbers: "passed", broken: "failed" } as const;
  test.each<[string, Readonly<Record<string, TestStatus | undefined>>, string]>([
    ["what the fix gives", gold, "resolved"],
    ["a listed test is missing", { ...gold, numbers: undefined }, "row::numbers"],
    ["a listed test is skipped", { ...gold, numbers: "skipped" }, "row::numbers"],
    ["a test that no list names failed before as well", { ...gold, broken: "errored" }, "resolved"],
    ["a test that passed with the test patch fails", { ...gold, goes: "failed" }, "row::goes passed without"],
    ["one that passed on the base alone fails", { ...gold, lost: "failed" }, "row::lost passed without"],
    ["one that nobody knew fails", { ...gold, extra: "failed" }, "resolved"],
  ])("%s: %s gives %s", async (_, statuses, expected) => {
    const { hidden } = await loadRow();
    const outcomes = Object.entries(statuses).flatMap(([name, status]) =>
      status === undefined
        ? []
        : [{ key: { package: "", target: "src/lib.rs", name: `row::${name}` }, status, durationMs: 1 }],
    );
    const lists = hidden.lists ?? { failToPass: [], passToPass: [], flaky: [] };
    const run = { framework: "cargo-test", outcomes, invalid: undefined, end: "exited" } as const;
    const { outcome, reason } = multiSweBench.judge(run, lists, hidden);
    if (expected === "resolved") expect(outcome).toBe("resolved");
    else expect(`${outcome}: ${reason}`).toContain(expected);
    expect(outcome === "resolved").toBe(expected === "resolved");
  });

  test("predictions are written in its own format, and read back", async () => {
    const tasks = await loadTasks({ tasks: write("rows.jsonl", row) });
    const predictions = tasks.map(({ task }) => ({ id: task.id, patch: "diff", task }));
    const { text, extension } = renderPredictions({ predictions, name: "m", dataset });
    expect(extension).toBe("jsonl");
    expect(JSON.parse(text)).toEqual({ org: "acme", repo: "seating", number: 7, fix_patch: "diff" });
    const read = loadPredictions(write("p.jsonl", JSON.parse(text)), tasks);
    expect(read.of("acme__seating-7").patch).toBe("diff");
  });

  test("reads predictions in its own format, and in SWE-bench's", async () => {
    const tasks = await loadTasks({ tasks: write("rows.jsonl", row) });
    const own = { org: "acme", repo: "seating", number: "7", fix_patch: "diff" };
    const common = { instance_id: "acme__seating-7", model_patch: "diff" };
    for (const prediction of [own, common]) {
      const read = loadPredictions(write("p.jsonl", prediction), tasks);
      expect(read.of("acme__seating-7").patch).toBe("diff");
    }
  });
});
