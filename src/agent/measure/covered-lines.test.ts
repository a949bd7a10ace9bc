import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import { type CoverageBench, measureCoverage } from "./covered-lines.ts";

test("lines of a run that the memory limit ended are unknown, even if some are reported", async () => {
  const coverage = new Map([["t.py::first", { "a.py": [1] }]]);
  const bench = partOf<CoverageBench>({
    executor: { run: async () => ({ report: { outcomes: [], coverage }, end: "out-of-memory" as const }) },
    counts: false,
  });
  const asked = { tree: "tree", selection: { kind: "all" as const }, files: ["a.py"] };
  expect((await measureCoverage(bench, asked)).result.because).toBe(
    "the run with coverage reached the memory limit",
  );
});
