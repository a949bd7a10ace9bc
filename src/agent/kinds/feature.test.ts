import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { TreeStore, Workspace } from "../../workspace/contract.ts";
import { newUnits, unmeasured } from "./feature.ts";

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

test("new lines count, except those that only the load of a build script runs", async () => {
  const call = "def tag():\n    return 1\n";
  const texts: Readonly<Record<string, string>> = {
    "setup.py": `VERSION = 2\n${call}`,
    "shop/setup.py": "VERSION = 2\n",
    "shop/fee.py": `FEE = 2\n${call}`,
    "rollup.config.js": "const name = 2;\n",
  };
  const trees = partOf<TreeStore>({
    read: async (tree, path) => Buffer.from(tree === "base" ? "\n" : (texts[path] ?? "")),
  });
  const workspace: Pick<Workspace, "trees" | "base"> = { trees, base: "base" };
  const found = await newUnits({ workspace }, { tree: "t" }, Object.keys(texts));
  expect([...found.values()].map(({ file, units }) => [file, units.map(({ line }) => line)])).toEqual([
    ["setup.py", [3]],
    ["shop/setup.py", [1]],
    ["shop/fee.py", [1, 3]],
  ]);
});
