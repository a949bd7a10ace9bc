import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { judgeTasks } from "./judge-sample.ts";

const commit = "1".repeat(40);

function candidateOf(id: string) {
  return {
    change: {
      ...{ id, repository: "acme/shop", base: commit, commit, date: "2025-01-01T00:00:00Z", subject: "" },
      ...{ foundBy: "commit", issues: [], statement: `The statement of ${id}`, statementFrom: "message" },
      ...{ language: "go", code: 1 },
    },
    split: {
      ...{ goldPatch: "-a\n+b\n", testPatch: "+c\n", codeFiles: ["a.go"], testFiles: [], mixedFiles: [] },
      ...{ hunks: 1, lines: 2 },
    },
    validation: {
      ...{
        testCommand: "go test",
        framework: "go-test",
        runFiles: [],
        failures: {},
        attempts: [],
        repeats: [],
      },
      ...{ lists: { failToPass: ["t"], passToPass: [], flaky: [] }, seconds: 1, notes: [] },
    },
    review: {
      ...{ type: "bug-fix", score: 1, patchKey: "k" },
      findings: [{ check: "weak-tests", score: 1, isBad: false, reason: "a rule's reason" }],
    },
  };
}

const ids = ["shop-1", "shop-2"];
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "millwright-judge-"));
  const settings = {
    ...{ repository: "acme/shop", mostFiles: 1, mostLines: 1, linkedOnly: false, given: {}, issues: [] },
    ...{ suiteLimitMs: 1, sampleSize: 2, seed: 1 },
  };
  writeFileSync(
    join(folder, "published.json"),
    JSON.stringify({
      ...{ schema: "millwright.mine-published/1", head: commit, settings, reports: [] },
      candidates: ids.map(candidateOf),
    }),
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Judges as that person, who types these lines. */
async function judge(reviewer: string, ...lines: string[]) {
  const shown: string[] = [];
  const show = (text: string): void => void shown.push(text);
  const figures = await judgeTasks({ folder, reviewer, ids, show, ask: async () => lines.shift() });
  return { figures, shown };
}

test("asks each person once for each task, without the rules' findings, and gives their agreement", async () => {
  const first = await judge("ann", "good");
  expect(first.figures).toMatchObject({ reviewed: 1, bad: 0 });
  expect(first.shown[0]).toContain("The statement of shop-1");
  expect(first.shown[0]).not.toContain("a rule's reason");

  // She goes on with the second task. A bad task needs a reason.
  const later = await judge("ann", "what?", "bad", "b the test asks for a name");
  expect(later.shown).toEqual([expect.stringContaining("The statement of shop-2")]);
  const { figures } = await judge("ben", "g", "bad the same");
  expect(figures).toMatchObject({ reviewed: 2, bad: 1, kappa: 1 });
  expect(readFileSync(join(folder, "reviews.jsonl"), "utf8").split("\n")).toContain(
    '{"id":"shop-2","reviewer":"ann","verdict":"bad","reason":"the test asks for a name"}',
  );
});
