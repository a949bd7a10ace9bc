/**
 * The suite of USEagent in miniature: each variant on five tasks, a replayed model, and each table with its numbers.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeRepository } from "./bench-fixture.ts";
import { createPlayground, type Playground } from "./millwright.ts";
import { mending, scriptOf, useBenchVariants, writeFive } from "./suite-ledger.ts";
import { createMiniature, rowsOf } from "./suite-miniature.ts";

let playground: Playground;
beforeAll(() => {
  playground = createPlayground();
});
afterAll(() => playground.remove());

test("use-bench replays all variants on five tasks, and prints each table with theirs and ours", {
  timeout: 600_000,
}, async () => {
  const suite = createMiniature(playground, "use-bench");
  const dataset = "swe-bench";
  const repository = makeRepository(playground, "repair-python", "acme/ledger", () => {});
  const tasks = writeFive(playground, repository, dataset);
  await suite.record(
    useBenchVariants.map((variant) => {
      return { variant, dataset, file: tasks.first, answers: scriptOf(variant, [mending]) };
    }),
  );
  const tables = await suite.replay({ [dataset]: tasks.all });
  const set = "SWE-bench Verified";
  const rate = "3 of 5 (60.0 %)";
  for (const title of ["Table 3: efficacy on USEbench", "Table 4: ablation"]) {
    expect(rowsOf(tables, title, set)[0]?.slice(-3)).toEqual([rate, rate, rate]);
    expect(rowsOf(tables, title, "all five")[0]?.at(-1)).toBe("3 of 5 (60.0 %, 1 data set)");
  }
  const costs = "Mean cost of an attempt, USD";
  for (const cost of rowsOf(tables, costs, set)[0]?.slice(2) ?? []) expect(Number(cost)).toBeGreaterThan(0);
  const [unified, published, react] = ["unified", "unified as published", "react as published"].map(
    (title) => `ours: ${title}, replay:recording, ${dataset}`,
  );
  const positions = rowsOf(tables, "Figure 4: actions by position", "ours");
  expect(positions).toContainEqual([unified, expect.any(String), "edit-code", "5"]);
  expect(positions).toContainEqual([published, "1", "edit-code", "5"]);
  const byAction = rowsOf(tables, "Figure 5: mean cost by action, USD", "ours");
  expect(byAction).toContainEqual([published, "edit-code", "0.0200", "0.0200"]);
  expect(byAction).toContainEqual([published, "between actions", "0.0200", "–"]);
  expect(byAction).toContainEqual([react, "str_replace", "0.0100", "0.0100"]);

  // Two people label the patches of one arm.
  const labels = ["bench", "label", "out/unified/swe-bench", "--sample", "3", "--out", "labels"];
  expect((await playground.start(labels, { cwd: playground.folder }).ended).exitCode).toBe(0);
  const rows = readFileSync(join(playground.folder, "labels", "labels.jsonl"), "utf8")
    .trimEnd()
    .split("\n");
  const give = (name: string, ...given: readonly string[]) =>
    writeFileSync(
      join(playground.folder, name),
      rows.map((row, at) => JSON.stringify({ ...JSON.parse(row), label: given[at] })).join("\n"),
    );
  give("ann.jsonl", "correct", "overfitted", "correct");
  give("bob.jsonl", "correct", "overfitted", "anomaly");
  const audited = await suite.print("out", "--labels", "ann.jsonl", "--labels", "bob.jsonl");
  // The other arms have no labels.
  expect(rowsOf(audited, "Audit by hand", "ours").filter(([, patches]) => patches !== "–")).toEqual([
    [unified, "2", "1 of 2 (50.0 %)", "1 of 2 (50.0 %)", "0 of 2 (0.0 %)", "0 of 2 (0.0 %)", "1"],
  ]);
  expect(rowsOf(audited, "Labels by people: patches", "ann, bob")).toEqual([
    ["ann, bob", "3", "66.7", "0.50"],
  ]);
});
