import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import type { BatchDocument } from "../bench/batch-document.ts";
import { itemOf } from "../bench/labels.ts";
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
  partOf<SuiteFlags>({ tasks: [], variant: [], attempts: 1, out, ablations: true, labels: [], ...more });

/** Writes a batch of one resolved attempt into the suite's folder. */
function writeBatch(): string {
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
  return folder;
}

async function print(given: Partial<SuiteFlags>): Promise<string> {
  const written: string[] = [];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => written.push(String(text)) > 0);
  expect(await runSuite("use-bench", flags(given))).toBe(0);
  return written.join("");
}

test("--json prints one document with the batches and the tables", async () => {
  const folder = writeBatch();
  expect(JSON.parse(await print({ json: true }))).toMatchObject({
    ...{ schema: "millwright.bench-suite/1", suite: "use-bench" },
    batches: [{ dataset: "swe-bench", variant: "unified", path: folder }],
    sections: expect.arrayContaining([expect.objectContaining({ title: "Table 3: efficacy on USEbench" })]),
  });
});

test("--labels adds the people's labels to the paper's audit, and prints their agreement", async () => {
  writeBatch();
  const labels = ["ann", "bob"].map((name) => join(out, `${name}.jsonl`));
  const row = JSON.stringify({ item: itemOf("patches", { run: "r" }), label: "anomaly" });
  for (const file of labels) writeFileSync(file, `${row}\n`);
  const text = await print({ labels });
  expect(text).toContain("| ours: unified, swe-bench | 1 | 0 of 1 (0.0 %) |");
  expect(text).toContain("## Labels by people: patches");
  expect(text).toContain("| ann, bob | 1 | 100.0 |");
  expect(await print({})).not.toContain("Labels by people");
});

test("an unknown suite is told before the missing --out", async () => {
  await expect(runSuite("nosuch", flags({ out: undefined }))).rejects.toThrow("Unknown suite: nosuch");
  await expect(runSuite("use-bench", flags({ out: undefined }))).rejects.toThrow("--out is missing");
});

test("a queue needs a store and no flags about this machine's space, before anything runs", async () => {
  const queue = "postgres://db/x";
  await expect(runSuite("nosuch", flags({ queue }), () => true)).rejects.toThrow("Unknown suite: nosuch");
  const whole = flags({ queue, store: "/store" });
  await expect(runSuite("use-bench", whole, () => true)).rejects.toThrow(/cannot be used with --queue/);
  await expect(runSuite("use-bench", flags({ queue }), () => true)).rejects.toThrow(/--store is missing/);
});
