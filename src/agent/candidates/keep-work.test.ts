import { expect, test } from "vitest";
import { readTestRegions } from "../../judging/test-regions.ts";
import type { TreeStore } from "../../workspace/contract.ts";
import { changedFiles } from "../code/changed-files.ts";
import { treeOfPart } from "./keep-work.ts";
import { isNew } from "./written-tests.ts";

const regions = await readTestRegions({
  files: [],
  read: async () => undefined,
  outcomes: [],
  framework: undefined,
});

const failing = async () => [];

type Files = Readonly<Record<string, string>>;

/** Trees of texts, by name. */
function treesOf(first: Readonly<Record<string, Files>>) {
  const trees = new Map(Object.entries(first));
  const filesOf = (tree: string): Files => trees.get(tree) ?? {};
  const store: Pick<TreeStore, "list" | "read" | "write" | "stat"> = {
    list: async (tree) => Object.keys(filesOf(tree)).map((path) => ({ path, mode: "100644", blob: "" })),
    read: async (tree, path) => {
      const text = filesOf(tree)[path];
      return text === undefined ? undefined : Buffer.from(text);
    },
    stat: async (from, to) =>
      [...new Set([...Object.keys(filesOf(from)), ...Object.keys(filesOf(to))])]
        .filter((path) => filesOf(from)[path] !== filesOf(to)[path])
        .map((path) => ({ path, added: 1, removed: 1 })),
    write: async (tree, changes) => {
      const name = `tree${trees.size}`;
      const changed = changes.map(({ path, content }): [string, string | undefined] => [
        path,
        content?.toString(),
      ]);
      const all = Object.entries({ ...filesOf(tree), ...Object.fromEntries(changed) });
      trees.set(
        name,
        Object.fromEntries(all.flatMap(([path, text]) => (text === undefined ? [] : [[path, text]]))),
      );
      return name;
    },
  };
  return { store: store as TreeStore, filesOf };
}

const code = (body: string): string => `pub fn take(packs: u32) -> u32 {\n    ${body}\n}\n`;
const mod = (...names: string[]): string =>
  `\n#[cfg(test)]\nmod tests {\n    use super::*;\n${names.map((name) => `\n    #[test]\n    fn ${name}() {\n        assert_eq!(take(1), 2);\n    }\n`).join("")}}\n`;

test("work on a source with tests inside: its tests belong to the tests, its code to the patch, and both to a feature", async () => {
  const { store, filesOf } = treesOf({
    base: { "src/take.rs": code("packs") + mod("takes"), "src/new.rs": code("1") },
    work: {
      "src/take.rs": code("packs + 1") + mod("takes", "takes_more"),
      "src/new.rs": code("2") + mod("is_new"),
      "tests/api.rs": "#[test]\nfn whole() {}\n",
    },
  });
  const changed = await changedFiles(store, regions, "base", "work");
  const part = async (files: "code" | "tests" | "both") =>
    filesOf(
      (await treeOfPart(store, { base: "base", tree: "work", changed, regions, failing }, { files })) ?? "",
    );
  expect(await part("code")).toEqual({
    "src/take.rs": code("packs + 1") + mod("takes"),
    "src/new.rs": code("2"),
  });
  const tests = await part("tests");
  expect(tests["src/take.rs"]).toBe(code("packs") + mod("takes", "takes_more"));
  expect(tests["src/new.rs"]).toContain(`${code("1")}\n#[cfg(test)]\nmod tests`);
  expect(tests["tests/api.rs"]).toBe("#[test]\nfn whole() {}\n");
  expect(await part("both")).toEqual(filesOf("work"));
  expect(
    await treeOfPart(
      store,
      { base: "base", tree: "base", changed: { tests: [], code: [], inside: [] }, regions, failing },
      { files: "code" },
    ),
  ).toBeUndefined();
});

test("a test counts as new that the base does not have, and where it is asked for, one that fails in other words", () => {
  const key = (name: string) => ({ package: "", target: "take", name });
  const base = new Map([
    ["take::tests::takes", "passed" as const],
    ["take::tests::broken", "failed" as const],
  ]);
  const is = (name: string, status: "passed" | "failed", reworded: boolean) =>
    isNew({ key: key(name), status }, base, reworded);
  expect(is("tests::takes_more", "failed", false)).toBe(true);
  expect([is("tests::takes", "failed", false), is("tests::takes", "failed", true)]).toEqual([false, true]);
  expect([is("tests::takes", "passed", true), is("tests::broken", "failed", true)]).toEqual([false, false]);
});
