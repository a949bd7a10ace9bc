/** What the localisation benchmark takes for the truth, and how it counts. */
import { describe, expect, test } from "vitest";
import { focusOn } from "../../benchmarks/localize-focus.ts";
import { place, summarize } from "../../benchmarks/localize-metrics.ts";
import { readTruth } from "../../benchmarks/localize-truth.ts";
import type { TestOutcome } from "../../src/domain/test-outcome.ts";

const shelf = [
  "def find(titles, wanted):", // 1
  "    # the first", // 2
  "    for title in titles:", // 3
  "        if title == wanted:", // 4
  "            return title", // 5
  "", // 6
  "    return None", // 7
].join("\n");

function fixOf(hunk: string, file = "shelf.py"): string {
  return `--- a/${file}\n+++ b/${file}\n${hunk}\n`;
}

describe("the true statements of a fix", () => {
  test.each([
    [
      "own a replaced line",
      "@@ -4,1 +4,1 @@\n-        if title == wanted:\n+        if title is wanted:",
      [4],
    ],
    [
      "are the neighbours of an insertion, past blanks",
      "@@ -5,3 +5,4 @@\n             return title\n \n+    print(1)\n     return None",
      [5, 7],
    ],
    ["are the neighbours of a comment", "@@ -2,1 +2,1 @@\n-    # the first\n+    # the last", [1, 3]],
    [
      "are counted in each run of changed lines",
      "@@ -3,3 +3,3 @@\n-    for title in titles:\n+    for title in sorted(titles):\n         if title == wanted:\n-            return title\n+            return 1",
      [3, 5],
    ],
  ])("%s", async (_, hunk, lines) => {
    const truth = await readTruth(fixOf(hunk), new Map([["shelf.py", shelf]]));
    expect([...truth.statements].map((id) => Number(id.split(":")[1]))).toEqual(lines);
  });

  test("are never those of a test", async () => {
    const fix = fixOf("@@ -1,1 +1,1 @@\n-x = 1\n+x = 2", "tests/test_shelf.py");
    const truth = await readTruth(fix, new Map([["tests/test_shelf.py", "x = 1\n"]]));
    expect(truth.statements.size).toBe(0);
  });
});

describe("a placement", () => {
  const scored = (...scores: [number, boolean][]) => scores.map(([score, isTrue]) => ({ score, isTrue }));

  test("among equal scores is the average one, not the best", () => {
    const elements = scored([0.9, false], [0.5, true], [0.5, false], [0.5, false], [0.1, false]);
    expect(place(elements, 1)).toEqual({ first: 3, precision: 1 / 3 });
  });

  test("counts the first of several true ones, and all of them for the precision", () => {
    const elements = scored([0.9, true], [0.5, false], [0.4, true]);
    expect(place(elements, 2)).toEqual({ first: 1, precision: (1 + 2 / 3) / 2 });
  });

  test("is none for what has no score", () => {
    expect(place(scored([0.9, false], [0, true]), 1)).toEqual({ first: undefined, precision: 0 });
  });

  test("is summed up over the cases", () => {
    const placements = [1, 4, 9, undefined].map((first) => ({
      first,
      precision: first === undefined ? 0 : 1 / first,
    }));
    const mean = (1 + 1 / 4 + 1 / 9) / 4;
    expect(summarize(placements)).toEqual({ cases: 4, top1: 1, top5: 2, top10: 3, map: mean, mrr: mean });
  });
});

test("failing tests of other faults are left out, with the files that only they touch", () => {
  const outcome = (name: string, status: TestOutcome["status"]): TestOutcome => ({
    key: { package: "", target: "a.test.js", name },
    status,
    durationMs: 1,
  });
  const signs = {
    outcomes: [outcome("x > one", "failed"), outcome("x > two", "failed"), outcome("x > three", "passed")],
    coverage: new Map([
      ["a.test.js::x > one", { "one.js": [1] }],
      ["a.test.js::x > two", { "two.js": [1] }],
    ]),
    texts: new Map([
      ["one.js", ""],
      ["two.js", ""],
    ]),
    loaded: {},
    testTexts: new Map(),
    statement: "",
  };
  const focused = focusOn(signs, ["x one"]);
  expect(focused.outcomes.map(({ key }) => key.name)).toEqual(["x > one", "x > three"]);
  expect([...focused.texts.keys()]).toEqual(["one.js"]);
  expect(focusOn(signs, ["unknown"])).toBe(signs);
});
