import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { readBatch } from "../bench/batch-document.ts";
import { renderBatches } from "../bench/batch-tables.ts";
import { compareArms } from "../bench/compare-arms.ts";
import { triesOf } from "../bench/reported-arms.ts";
import { importReports } from "./bench-import.ts";

let folder: string;
let warnings: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "millwright-import-"));
  warnings = "";
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    warnings += String(text);
    return true;
  });
  onTestFinished(() => {
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });
});

/** As SWE-bench's harness writes it, version 2. */
function official(lists: Readonly<Record<string, readonly string[]>>, total: number) {
  const empty = {
    resolved_ids: [],
    unresolved_ids: [],
    empty_patch_ids: [],
    error_ids: [],
    incomplete_ids: [],
  };
  return { total_instances: total, ...empty, ...lists, schema_version: 2 };
}

function write(name: string, data: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(data));
  return path;
}

const patch = (file: string): string =>
  `diff --git a/${file} b/${file}\n--- a/${file}\n+++ b/${file}\n@@ -1 +1 @@\n-one\n+two\n`;

test("reports of official harnesses become arms that are reported and compared", async () => {
  const first = write(
    "first.json",
    official(
      { resolved_ids: ["a"], unresolved_ids: ["b"], empty_patch_ids: ["c"], incomplete_ids: ["d"] },
      4,
    ),
  );
  const second = write(
    "second.json",
    official({ resolved_ids: ["a", "b"], error_ids: ["c"], incomplete_ids: ["d", "a"] }, 4),
  );
  const predictions = join(folder, "first.jsonl");
  const rows = [
    { instance_id: "a", model_patch: patch("src/lib.rs") + patch("Cargo.lock") },
    { instance_id: "c", model_patch: "" },
  ];
  writeFileSync(predictions, rows.map((row) => JSON.stringify(row)).join("\n"));
  const out = join(folder, "batch");
  await importReports([`${first}=${predictions}`, second], { out, edited: ["*.rs"] });
  const batch = readBatch(out);
  const report = renderBatches([{ path: "batch", batch }]);
  expect(report).toContain("| first | 1 | 4 | 25.0 |");
  expect(report).toContain("| second | 2 | 4 | 50.0 |");
  expect(report).toContain("| first | 2.0 | 1.0 | 1.0 | 1 of 4 |");
  expect(report).not.toContain("## Verdicts");
  expect(report).not.toContain("Cost of an attempt");
  const [one, other] = batch.arms.map((arm) => triesOf(batch, arm));
  const { both, better, tasks } = compareArms(one ?? [], other ?? [], 1);
  expect({ tasks, both, second: better.second.map(({ id }) => id) }).toEqual({
    tasks: 4,
    both: 1,
    second: ["b"],
  });
  expect(warnings).toBe("");
});

test("tasks that not every report lists are left out, and said", async () => {
  const first = write("first.json", official({ resolved_ids: ["a", "x"], unresolved_ids: ["b"] }, 2));
  const second = write("second.json", official({ resolved_ids: ["a"], unresolved_ids: ["b"] }, 2));
  const out = join(folder, "batch");
  await importReports([first, second], { out });
  expect(readBatch(out).tasks.count).toBe(2);
  expect(warnings).toContain("first.json: skipped 1 task of its lists that is not among the imported tasks");
  expect(warnings).toContain("first.json: it states 2 tasks, but its lists name 3");
});

test("another document is refused with its missing fields", async () => {
  const other = write("other.json", { resolved_ids: ["a"] });
  await expect(importReports([other], { out: join(folder, "batch") })).rejects.toThrow(
    /not the report of an official harness \(wrong or missing: unresolved_ids\)/,
  );
});
