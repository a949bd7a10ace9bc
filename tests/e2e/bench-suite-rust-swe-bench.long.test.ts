/**
 * The suite of Rust-SWE-bench in miniature: each variant on five tasks with dates, a replayed model, and each table
 * with its numbers.
 */
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeRepository, type TaskRepository, writeLines } from "./bench-fixture.ts";
import { createPlayground, type Playground } from "./millwright.ts";
import { fiveOf, ledgerScripts, testCommand } from "./suite-ledger.ts";
import { createMiniature, rowsOf, usdPerToken } from "./suite-miniature.ts";

let playground: Playground;
beforeAll(() => {
  playground = createPlayground();
});
afterAll(() => playground.remove());

/** Days from the issue to the merge, of each task. */
const ages = [0.5, 5, 20, 100, 300];

/** The five tasks in Millwright's format, whose rows have the dates of the issues. */
function writeDated(repository: TaskRepository, name: string, count: number): string {
  const tasks = fiveOf(repository).slice(0, count);
  const path = join(playground.folder, `${name}.jsonl`);
  const opened = Date.parse("2024-01-01T00:00:00Z");
  writeLines(
    path,
    tasks.map(({ id, statement }) => ({
      ...{ schema: "millwright.task/1", id, kind: "repair", statement },
      ...{ repository: repository.name, baseCommit: repository.baseCommit },
    })),
  );
  writeLines(
    join(playground.folder, `${name}.hidden.jsonl`),
    tasks.map(({ id, goldPatch, lists }, at) => ({
      ...{ schema: "millwright.hidden/1", id, goldPatch, lists, testCommand },
      discussion: {
        opened: new Date(opened).toISOString(),
        merged: new Date(opened + (ages[at] ?? 0) * 24 * 3600 * 1000).toISOString(),
      },
    })),
  );
  return path;
}

test("rust-swe-bench replays all variants on five tasks, and prints each table with theirs and ours", {
  timeout: 600_000,
}, async () => {
  const suite = createMiniature(playground, "rust-swe-bench");
  const dataset = "rust-swe-bench";
  const repository = makeRepository(playground, "repair-python", "acme/ledger", () => {});
  const file = writeDated(repository, "first", 1);
  const { marscode: _, ...scripts } = ledgerScripts;
  await suite.record(
    Object.entries(scripts).map(([variant, answers]) => ({ variant, dataset, file, answers })),
  );
  const tables = await suite.replay({ [dataset]: writeDated(repository, "all", 5) });
  const rate = "3 of 5 (60.0 %)";
  const arms = ["rustforger", "react as published", "agentless", "autocoderover", "unified"];
  const study = rowsOf(tables, "Table 3: agents and models", "ours");
  expect(study.map((row) => row.slice(0, -2))).toEqual(
    arms.map((arm) => [`ours: ${arm}`, "replay:recording", rate, "2.00", "1.00", "1.00"]),
  );
  for (const [usd, tokens] of study.map((row) => row.slice(-2))) {
    expect(Number(tokens)).toBeGreaterThan(0);
    expect(usd).toBe((Number(tokens) * usdPerToken).toFixed(2));
  }
  const errors = "Table 4: compile errors";
  // Other variants compiled nothing.
  const rates = (first: string) =>
    rowsOf(tables, errors, first).map((cells) => cells.filter((cell) => cell !== "–"));
  expect(rates("E0433")).toEqual([["E0433", "16.21", "100.0", "100.0", "100.0"]]);
  expect(rates("E0599")).toEqual([["E0599", "18.06", "0.0", "0.0", "0.0"]]);
  expect(rates("structure")[0]?.slice(1)).toEqual(["43.7", "100.0", "100.0", "100.0"]);
  expect(rates("errors per task")[0]?.slice(1)).toEqual(["about 3", "1.0", "1.0", "1.0"]);
  const [whole, without] = ["rustforger", "rustforger without Trace"].map(
    (title) => `ours: ${title}, replay:recording`,
  );
  const shown = "5 of 5 (100.0 %)";
  const reproduced = rowsOf(tables, "Reproductions", "ours").filter(([, ...cells]) =>
    cells.some((cell) => cell !== "–"),
  );
  expect(reproduced).toEqual([
    [whole, "–", "–", shown, "2.0", "– / – / – / –"],
    [without, "–", "–", shown, "1.0", "– / – / – / –"],
  ]);
  expect(
    tables
      .get("Table 6: ablation")
      ?.slice(1)
      .map((row) => row.at(-1)),
  ).toEqual(["neither", "without Trace", "whole"].map(() => `replay:recording: ${rate}`));
  // One of the four calls of an attempt asks for a trace.
  expect(rowsOf(tables, "Use of Trace", "ours")).toEqual([
    [whole, "100.0", "25.0", expect.stringMatching(/^\d+\.\d$/)],
  ]);
  expect(tables.get("Age of the issue")?.slice(1)).toEqual([
    ["up to a day", "42.9", "100.0 (1 of 1)"],
    ["up to a week", "32.3", "100.0 (1 of 1)"],
    ["up to a month", "31.5", "100.0 (1 of 1)"],
    ["up to six months", "22.0", "0.0 (0 of 1)"],
    ["longer", "15.0", "0.0 (0 of 1)"],
  ]);
  expect(rowsOf(tables, "Figure 5: resolved by edited lines", "ours")).toEqual(
    arms.map((arm) => [`ours: ${arm}, replay:recording`, "2", "3", "5", "60.0"]),
  );
});
