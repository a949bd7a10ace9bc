import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { FileChange, TreeStore } from "../../workspace/contract.ts";
import { withProgram } from "./run-program.ts";

test("a program that the command starts directly keeps its mode", async () => {
  const file = ".millwright/programs/show.sh";
  const written: FileChange[] = [];
  const trees = partOf<TreeStore>({
    list: async (tree) => (tree === "own" ? [{ path: file, mode: "100755", blob: "1" }] : []),
    read: async () => Buffer.from("exit 1\n"),
    write: async (_, changes) => {
      written.push(...changes);
      return "laid";
    },
  });
  await withProgram(trees, "base", { folder: ".millwright/programs", tree: "own" });
  expect(written).toMatchObject([{ path: file, mode: "100755" }]);
});
