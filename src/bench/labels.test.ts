import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import type { BatchTry } from "./batch-document.ts";
import { labelSections } from "./label-tables.ts";
import { itemOf, listItems, readLabelFiles, summariseLabels } from "./labels.ts";
import { nameArms, type ReportedArm } from "./reported-arms.ts";
import { cohenKappa } from "./statistics.ts";

const tried = (strategy: string, at: number, outcome: BatchTry["outcome"] = "resolved"): BatchTry => ({
  ...{ id: `task-${at}`, strategy, model: null, attempt: 1, outcome, reason: "", verdict: null },
  ...{ run: `task-${at}-${strategy}-1`, agentSeconds: 1, gradingSeconds: 1 },
  usage: { calls: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, usd: 0 },
});
const numbers = [0, 1, 2, 3, 4];
const arms = ["react", "unified"].map((name) => ({ name, tries: numbers.map((at) => tried(name, at)) }));
const all = arms.flatMap(({ tries }) => tries);
const items = all.map((each) => itemOf("patches", each));

function write(name: string, labels: readonly (string | null)[], of: readonly string[] = items): string {
  const path = join(mkdtempSync(join(tmpdir(), "labels-")), name);
  writeFileSync(path, labels.map((label, at) => JSON.stringify({ item: of[at], label })).join("\n"));
  return path;
}

const [c, o, a] = ["correct", "overfitted", "anomaly"];
const ann = write("ann.jsonl", [c, c, c, c, c, c, o, o, o, o]);
const bob = write("bob.jsonl", [c, c, c, c, c, a, o, o, o, c]);

test("two people's labels agree as computed by hand, and only agreed ones count", () => {
  const [summary, ...others] = summariseLabels(arms, readLabelFiles([ann, bob], undefined, all));
  expect(others).toEqual([]);
  // They agree on 8 of 10. By chance 0.6 * 0.6 + 0.4 * 0.3 + 0 * 0.1 = 0.48: (0.8 - 0.48) / 0.52.
  expect(summary?.agreement).toEqual([
    { first: "ann", second: "bob", items: 10, agreed: 8, kappa: expect.closeTo(0.615385, 6) },
  ]);
  expect(summary?.open).toEqual([items[5], items[9]]);
  expect(summary?.arms.map(({ name, decided, open }) => [name, decided, open])).toEqual([
    ["react", 5, 0],
    ["unified", 3, 2],
  ]);
  const counts = summary?.arms.map((arm) => arm.counts.map(({ label, count }) => [label, count]));
  expect(counts).toEqual([
    [
      ["correct", 5],
      ["overfitted", 0],
      ["memorised", 0],
      ["anomaly", 0],
    ],
    [
      ["correct", 0],
      ["overfitted", 3],
      ["memorised", 0],
      ["anomaly", 0],
    ],
  ]);
});

test("a consensus decides where people differ, and leaves their agreement as it was", () => {
  const agreed = write("consensus.jsonl", [a, o], [items[5] ?? "", items[9] ?? ""]);
  const [summary] = summariseLabels(arms, readLabelFiles([ann, bob], agreed, all));
  expect(summary?.open).toEqual([]);
  expect(summary?.agreement[0]?.agreed).toBe(8);
  expect(summary?.arms[1]?.counts.map(({ count }) => count)).toEqual([0, 4, 0, 1]);
  expect(summary?.marked).toHaveLength(5);
  expect(summary?.marked[0]).toEqual({
    ...{ arm: "unified", label: "anomaly", id: "task-0", run: "task-0-unified-1" },
  });
});

test("one person's labels are an opinion without agreement, and a consensus alone is refused", () => {
  const files = readLabelFiles([ann], undefined, all);
  const [summary] = summariseLabels(arms, files);
  expect(summary).toMatchObject({ people: 1, agreement: [] });
  const named = nameArms(
    arms.map(({ name, tries }) => partOf<ReportedArm>({ strategy: name, model: null, tries })),
    false,
  );
  const [section] = labelSections(named, files);
  expect(section?.texts?.[0]).toContain("one person labelled patches of resolved attempts");
  expect(section?.texts?.[0]).toContain("this person's opinion");
  expect(section?.tables).toHaveLength(1);
  expect(labelSections(named, readLabelFiles([ann, bob], undefined, all))[0]?.texts?.[0]).toContain(
    "2 people labelled",
  );
  expect(() => readLabelFiles([], ann, all)).toThrow(/consensus without the people's own labels/);
});

test("a file without any label yet is told, and not left out", () => {
  const named = nameArms(
    arms.map(({ name, tries }) => partOf<ReportedArm>({ strategy: name, model: null, tries })),
    false,
  );
  const files = readLabelFiles([write("new.jsonl", [null, null])], undefined, all);
  expect(labelSections(named, files)[0]?.texts?.[0]).toContain("No item has a label yet");
  expect(labelSections(named, undefined)).toEqual([]);
});

test("an item that one of the people left out is not decided", () => {
  const short = write("short.jsonl", [c, null]);
  const [summary] = summariseLabels(arms, readLabelFiles([ann, short], undefined, all));
  expect(summary?.agreement).toMatchObject([{ items: 1, agreed: 1, kappa: undefined }]);
  expect(summary?.open).toHaveLength(9);
});

test("unknown labels, items of other batches and two files of one name are wrong", () => {
  const read = (...paths: string[]) => readLabelFiles(paths, undefined, all);
  expect(() => read(write("x.jsonl", ["fine"]))).toThrow(/fine is not a label: use correct, overfitted/);
  expect(() => read(write("x.jsonl", [c], ["0123"]))).toThrow(/no item 0123/);
  expect(() => read(ann, write("ann.jsonl", [c]))).toThrow(/have the name ann/);
  const hint = expect.stringContaining("docs/benchmark.md (Labels by people)");
  expect(() => read(write("x.jsonl", ["fine"]))).toThrow(expect.objectContaining({ hint }));
});

test("only resolved attempts have patches to label, and an item's name does not show its arm", () => {
  expect([...listItems("patches", [tried("react", 1), tried("react", 2, "unresolved")]).values()]).toEqual([
    tried("react", 1),
  ]);
  expect(listItems("reproductions", all).size).toBe(0);
  for (const item of items) expect(item).toMatch(/^[0-9a-f]{12}$/);
});

test("kappa is the textbook's", () => {
  // 20 times both yes, 15 times both no, 5 and 10 times different: 0.4.
  const times = (count: number, pair: readonly [string, string]) => Array.from({ length: count }, () => pair);
  const pairs = [
    ...times(20, ["y", "y"]),
    ...times(15, ["n", "n"]),
    ...times(5, ["y", "n"]),
    ...times(10, ["n", "y"]),
  ];
  expect(cohenKappa(pairs)).toBeCloseTo(0.4, 12);
  expect(cohenKappa([])).toBeUndefined();
  expect(cohenKappa([["y", "y"]])).toBeUndefined();
});
