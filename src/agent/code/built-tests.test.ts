import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import { findRustTestFiles } from "../../languages/rust/rust-test-files.ts";
import type { TaskState } from "../state/task-state.ts";
import { takenFiles, tellUnbuilt, testFilesOf } from "./built-tests.ts";

const old = ["Cargo.toml", "tests/it/main.rs"];
const trees: Readonly<Record<string, readonly string[]>> = {
  base: old,
  first: [...old, "tests/it/whole.rs"],
  second: [...old, "tests/it/more.rs"],
};
const listed: string[] = [];

function contextOf() {
  const store = {
    async list(tree: string) {
      listed.push(tree);
      return (trees[tree] ?? []).map((path) => ({ path }));
    },
    read: async () => Buffer.from(""),
    stat: async (_: string, tree: string) =>
      tree === "first" ? [{ path: "tests/it/main.rs" }, { path: "tests/it/whole.rs" }] : [],
  };
  return partOf<Parameters<typeof testFilesOf>[0]>({
    suite: { command: { framework: "cargo-test" } },
    frameworks: [{ name: "cargo-test", testFiles: findRustTestFiles }],
    workspace: { base: "base", trees: store },
  });
}

test("a second reproduction gets a file of its own, because the first holds the program's root", async () => {
  const context = contextOf();
  const state = partOf<Pick<TaskState, "candidates">>({
    candidates: [{ kind: "reproduction", tree: "first" }],
  });
  const taken = await takenFiles(context.workspace, state);
  expect(await tellUnbuilt(context, "second", ["tests/it/more.rs"], new Set())).toEqual([
    expect.stringContaining("add the line `mod more;` to tests/it/main.rs"),
  ]);
  expect(await tellUnbuilt(context, "second", ["tests/it/more.rs"], taken)).toEqual([
    expect.stringContaining("write it as tests/more.rs"),
  ]);
});

test("the test files of a tree are read once", async () => {
  const context = contextOf();
  listed.length = 0;
  for (const tree of ["base", "first", "base", "first"]) await testFilesOf(context, tree);
  expect(listed).toEqual(["base", "first"]);
});
