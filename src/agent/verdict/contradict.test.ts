import { expect, test } from "vitest";
import type { TestKey } from "../../domain/test-outcome.ts";
import { expectOtherwise } from "./contradict.ts";

const text = `def test_sums(number):
    assert total(number) == 3


def test_tells():
    assert tell(1) == "one"
    assert tell(2)
`;
const treesOf = (files: Readonly<Record<string, string>>) => ({
  list: async () => Object.keys(files).map((path) => ({ path, mode: "100644", hash: "" })) as never,
  read: async (_: string, path: string) => Buffer.from(files[path] ?? ""),
});
const key = (name: string, target = "test_total.py"): TestKey => ({ package: "", target, name });

test("asks all tests of a body, and changes nothing else", async () => {
  const tests = [key("test_sums[1]"), key("test_sums[2]")];
  const { asked, files } = await expectOtherwise(treesOf({ "test_total.py": text }), "tree", tests);
  expect(asked).toEqual(tests);
  expect(files.map(({ content }) => content)).toEqual([text.replace("== 3", "== 2")]);
});

test("leaves a body alone that belongs to a test which cannot be asked", async () => {
  const other = text.replace("assert total(number) == 3", "assert total(number)");
  const trees = treesOf({ "a/test_total.py": text, "b/test_total.py": other });
  const tests = [key("test_sums", "a/test_total.py"), key("test_tells", "b/test_total.py")];
  const { asked, files } = await expectOtherwise(trees, "tree", [
    ...tests,
    key("test_sums", "b/test_total.py"),
  ]);
  // If two files define the name, it is unknown which one is meant.
  expect(asked).toEqual([key("test_tells", "b/test_total.py")]);
  expect(files.map(({ path }) => path)).toEqual(["b/test_total.py"]);
});
