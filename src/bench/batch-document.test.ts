import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readBatch, replayedFile } from "./batch-document.ts";
import { hashRecord } from "./work/record-hash.ts";

test("a replayed reproduction counts only while the attempt has the replayed record", () => {
  const folder = mkdtempSync(join(tmpdir(), "batch-document-"));
  try {
    const runs = join(folder, "runs");
    const run = join(runs, "one");
    mkdirSync(run, { recursive: true });
    writeFileSync(join(run, "events.jsonl"), "{}\n");
    const usage = { calls: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, usd: 0 };
    const one = { strategy: "react", model: null, id: "a", attempt: 1, outcome: "unresolved", reason: "" };
    const tries = [{ ...one, verdict: null, run: "one", agentSeconds: 0, gradingSeconds: 0, usage }];
    const batch = {
      schema: "millwright.bench-run/1",
      version: "1",
      sandbox: "none",
      rules: [],
      arms: [],
      runs,
    };
    const tasks = { file: "", sha256: "", count: 1 };
    writeFileSync(join(folder, "report.json"), JSON.stringify({ ...batch, tasks, tries }));
    const row = { run: "one", record: hashRecord(run), validity: "valid", reason: "", outputs: [] };
    const document = { schema: "millwright.reproductions/1", rows: [row] };
    writeFileSync(join(folder, replayedFile), JSON.stringify(document));
    const validity = () => readBatch(folder).tries[0]?.replayed?.validity;
    expect(validity()).toBe("valid");
    writeFileSync(join(run, "tests.diff"), "x");
    expect(validity()).toBeUndefined();
    rmSync(run, { recursive: true });
    expect(validity()).toBe("valid");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
