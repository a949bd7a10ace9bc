import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import { hashText } from "../base/hash.ts";
import type { GradedTask } from "../bench/graded-task.ts";
import type { BenchFlags } from "./bench-flags.ts";
import { hashFiles } from "./bench-run.ts";

const taskOf = (failToPass: string[]) =>
  partOf<GradedTask>({
    ...{ dataset: "millwright", task: { id: "t" } },
    hidden: { lists: { failToPass, passToPass: [], flaky: [] } },
  });

test("a batch names its files by their content: the hidden parts, too, and files that can be read once", () => {
  const folder = mkdtempSync(join(tmpdir(), "millwright-hashes-"));
  const file = join(folder, "tasks.jsonl");
  writeFileSync(file, "tasks");
  writeFileSync(join(folder, "tasks.hidden.jsonl"), "hidden");
  const hashes = (lists: string[]) =>
    hashFiles({
      ...{ file, allTasks: [taskOf(lists)], options: { rules: [] } },
      flags: partOf<BenchFlags>({ lists: "/dev/fd/63" }),
    });
  expect(hashes(["a"])).toMatchObject({ tasks: hashText("tasks"), hidden: hashText("hidden") });
  expect(hashes(["a"])["lists"]).toBe(hashes(["a"])["lists"]);
  expect(hashes(["a"])["lists"]).not.toBe(hashes(["b"])["lists"]);
});
