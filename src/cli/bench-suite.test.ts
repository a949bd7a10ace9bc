import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import type { BatchDocument } from "../bench/batch-document.ts";
import { runSuite, type SuiteFlags } from "./bench-suite.ts";

let out: string;
beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), "suite-"));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(out, { recursive: true });
});

const flags = (more: Partial<SuiteFlags> = {}): SuiteFlags =>
  partOf<SuiteFlags>({ tasks: [], variant: [], attempts: 1, out, ablations: true, ...more });

test("--json prints one document with the batches and the tables", async () => {
  const arm = { strategy: "unified", model: null };
  const batch: BatchDocument = {
    ...{ schema: "millwright.bench-run/1", version: "1", rules: ["pass-and-fail"], sandbox: "docker" },
    tasks: { file: "t", sha256: "0", count: 1 },
    arms: [arm],
    tries: [
      {
        ...{ ...arm, id: "a", attempt: 1, outcome: "resolved", reason: "", verdict: "verified", run: "r" },
        ...{ agentSeconds: 1, gradingSeconds: 1 },
        usage: { calls: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, usd: 0 },
      },
    ],
  };
  const folder = join(out, "unified", "swe-bench");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "report.json"), JSON.stringify(batch));
  const written: string[] = [];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => written.push(String(text)) > 0);
  expect(await runSuite("use-bench", flags({ json: true }))).toBe(0);
  expect(JSON.parse(written.join(""))).toMatchObject({
    ...{ schema: "millwright.bench-suite/1", suite: "use-bench" },
    batches: [{ dataset: "swe-bench", variant: "unified", path: folder }],
    sections: expect.arrayContaining([expect.objectContaining({ title: "Table 3: efficacy on USEbench" })]),
  });
});

test("a queue needs a store, before anything runs", async () => {
  await expect(runSuite("use-bench", flags({ queue: "postgres://db/x" }))).rejects.toThrow(
    /--store is missing/,
  );
});
