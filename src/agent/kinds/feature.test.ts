import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { TreeStore } from "../../workspace/contract.ts";
import { unmeasured } from "./feature.ts";

test("code without measurable lines is named, also in folders of built and vendored files", async () => {
  const texts: Readonly<Record<string, string>> = {
    "src/fee.cpp": "int fee() { return 1; }\n",
    "build/fee.cpp": "int fee() { return 1; }\n",
    "vendor/fee.lua": "return 1\n",
    "dist/Fee.cs": "class Fee {}\n",
    ".hooks/fee.c": "int fee(void) { return 1; }\n",
    "build/fee.py": "FEE = 1\n",
    "build/fee.txt": "1\n",
  };
  const trees = partOf<TreeStore>({ read: async (_, path) => Buffer.from(texts[path] ?? "") });
  expect(await unmeasured({ workspace: { trees } }, { tree: "t" }, Object.keys(texts))).toEqual([
    "src/fee.cpp",
    "build/fee.cpp",
    "vendor/fee.lua",
    "dist/Fee.cs",
    ".hooks/fee.c",
  ]);
});
