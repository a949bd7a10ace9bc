import { expect, test } from "vitest";
import { nameMiningBatch } from "./mine-queue.ts";

test("a mining batch of any folder has a name that the queue allows, and that differs between folders", () => {
  const names = ["/data/my dataset", "/data/my-dataset", "/data/datensätze", "/data/mined.2"].map((folder) =>
    nameMiningBatch(folder, { version: "1" }),
  );
  for (const name of names) expect(name).toMatch(/^mine-[\w.-]+-[0-9a-f]{8}$/);
  expect(new Set(names).size).toBe(names.length);
  expect(names.at(-1)).toMatch(/^mine-mined\.2-/);
});
