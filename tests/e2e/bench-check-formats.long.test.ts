/** `bench check` on more formats, and killed. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type LedgerTasks,
  makeLedger,
  makeRepository,
  readDocument,
  replaceIn,
  startBench,
  writeLines,
  writeTasks,
} from "./bench-fixture.ts";
import { createPlayground, type Playground } from "./millwright.ts";

const _key = (name: string): string => `tests/test_transfer.py::${name}`;
let playground: Playground;
let ledger: LedgerTasks;
beforeEach(() => {
  playground = createPlayground();
  ledger = makeLedger(playground);
});
afterEach(() => playground.remove());

describe("bench check", () => {
  test("reads SWE-bench's and Multi-SWE-bench's fields, and titles as mocha and others print them", async () => {
    const repository = makeRepository(playground, "repair-javascript", "acme/seating", () => {});
    const goldPatch = repository.patch((folder) =>
      replaceIn(folder, "src/row.js", "free > size", "free >= size"),
    );
    const tasks = join(playground.folder, "swe.jsonl");
    writeLines(tasks, [
      {
        instance_id: "acme__seating-1",
        repo: "acme/seating",
        base_commit: repository.baseCommit,
        patch: goldPatch,
        test_patch: "",
        problem_statement: "",
        test_cmd: "timeout 60 node --test test/hall.test.js",
        FAIL_TO_PASS: JSON.stringify([
          "a hall fills a row to its last seat",
          "a hall books the first seats of an empty row",
        ]),
        PASS_TO_PASS: ["test/hall.test.js::a row > numbers its seats from 1"],
      },
    ]);
    const end = await startBench(playground, "check", tasks, "--json", "--repeats", "1").ended;
    expect(readDocument(end).tasks["acme__seating-1"]).toMatchObject({ state: "fit", listsFrom: "task" });
    const anew = await startBench(playground, "check", tasks, "--json", "--repeats", "1", "--compute-lists")
      .ended;
    expect(readDocument(anew).tasks["acme__seating-1"]).toMatchObject({
      state: "fit",
      listsFrom: "computed",
    });
    const [fills, numbers] = ["a hall fills a row to its last seat", "a row numbers its seats from 1"];
    const multi = join(playground.folder, "multi.jsonl");
    writeLines(multi, [
      {
        org: "acme",
        repo: "seating",
        number: 1,
        base: { sha: repository.baseCommit },
        resolved_issues: [{ number: 2, title: "The last seat", body: null }],
        fix_patch: goldPatch,
        test_patch: "",
        f2p_tests: { [fills]: { run: "FAIL", test: "FAIL", fix: "PASS" } },
        p2p_tests: { [numbers]: { run: "PASS", test: "PASS", fix: "PASS" } },
        test_patch_result: { passed_tests: [numbers], failed_tests: [fills], skipped_tests: [] },
      },
    ]);
    const whole = await startBench(playground, "check", multi, "--json", "--repeats", "1").ended;
    expect(readDocument(whole).tasks["acme__seating-1"]).toMatchObject({ state: "fit", listsFrom: "task" });
  });

  test("makes the base of a commit and SWE-smith's patch, and shows a solver nothing of the commit", async () => {
    const repository = makeRepository(playground, "repair-javascript", "acme/seating", (folder) =>
      replaceIn(folder, "src/row.js", "free > size", "free >= size"),
    );
    const patch = repository.patch((folder) => {
      replaceIn(folder, "src/row.js", "free >= size", "free > size");
      writeFileSync(join(folder, "left-over.txt"), "of the fault");
    });
    const short = repository.baseCommit.slice(0, 8);
    const row = {
      repo: `swesmith/acme__seating.${short}`,
      patch,
      problem_statement: "",
      FAIL_TO_PASS: ["test/hall.test.js::a hall fills a row to its last seat"],
      PASS_TO_PASS: ["test/hall.test.js::a row numbers its seats from 1"],
      image_name: "acme.seating",
    };
    const tasks = join(playground.folder, "smith.jsonl");
    const other = patch.replace("free >= size", "free >= rows");
    writeLines(tasks, [
      { ...row, instance_id: `acme__seating.${short}.fault` },
      { ...row, instance_id: `acme__seating.${short}.other`, patch: other },
      { ...row, instance_id: "acme__seating.01234567.gone", repo: "swesmith/acme__seating.01234567" },
    ]);
    const end = await startBench(playground, "check", tasks, "--json", "--repeats", "1").ended;
    const { tasks: results } = readDocument(end);
    expect(results[`acme__seating.${short}.fault`]).toMatchObject({ state: "fit", unmatched: [] });
    expect(results[`acme__seating.${short}.other`]).toMatchObject({
      exceptions: [expect.stringContaining("the base patch does not apply: ")],
    });
    expect(results["acme__seating.01234567.gone"]).toMatchObject({
      exceptions: [expect.stringContaining("does not have the commit 01234567 of acme/seating")],
    });
    const environments = join(playground.folder, "bench/environments");
    const [made = ""] = readdirSync(environments).filter((name) =>
      existsSync(join(environments, name, "environment.json")),
    );
    const base = join(environments, made, "seating");
    const shown = execFileSync("git", ["cat-file", "--batch", "--batch-all-objects"], { cwd: base });
    expect(shown.includes("free > size")).toBe(true);
    expect(shown.includes("free >= size")).toBe(false);
  });

  test("goes on after kill -9 with the tasks that have no result yet", async () => {
    const { goldPatch, testPatch, repository } = ledger;
    const ids = ["one", "two", "three"];
    const tasks = writeTasks(
      playground,
      repository,
      ids.map((id) => ({ id, hidden: { goldPatch, testPatch } })),
    );
    const results = join(playground.folder, "bench", "results");
    const kept = () =>
      existsSync(results) ? readdirSync(results).filter((name) => name.endsWith(".json")) : [];
    const program = startBench(playground, "check", tasks, "--repeats", "1");
    while (kept().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    program.kill("SIGKILL");
    await program.ended;
    const [first = ""] = kept();
    const before = statSync(join(results, first)).mtimeMs;
    writeFileSync(join(results, `${"0".repeat(64)}.json`), '{"schema":"millwright.bench-ch'); // as a bad disk may leave it
    const end = await startBench(playground, "check", tasks, "--repeats", "1").ended;
    expect(end.exitCode).toBe(0);
    expect(end.stdout).toMatch(/fit +one .* known\n/);
    expect(end.stdout).toContain("3 of 3 tasks fit");
    expect(kept()).toHaveLength(4);
    expect(statSync(join(results, first)).mtimeMs).toBe(before);
    expect(readdirSync(join(playground.folder, "bench", "work"))).toEqual([]);
  });
});
