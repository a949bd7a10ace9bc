import { expect, test } from "vitest";
import { partOf } from "../../../../tests/part-of.ts";
import { twinsOf } from "./twins-of.ts";

test("a failed reading of a tree is not kept, so the next call reads it again", async () => {
  let isBroken = true;
  let reads = 0;
  const context = partOf<Parameters<typeof twinsOf>[0]>({
    task: { kind: "repair" },
    workspace: {
      base: "base",
      trees: {
        async list() {
          reads += 1;
          if (isBroken) throw new Error("the disk broke");
          return [];
        },
        stat: async () => [],
      },
    },
    regions: { isWhole: () => false, inside: () => ({ items: false, examples: false }) },
  });
  await expect(twinsOf(context, { tree: "patched" })).rejects.toThrow("the disk broke");
  isBroken = false;
  expect(await twinsOf(context, { tree: "patched" })).toEqual({ ok: true, value: [] });
  const before = reads;
  await twinsOf(context, { tree: "patched" });
  expect(reads).toBe(before);
});
