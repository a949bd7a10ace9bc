import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import { openRewordings } from "./rewordings.ts";

const path = "tests/test_a.py";
const snapshot = "tests/__snapshots__/a.snap";

/** Describes the change of `test_a` between two versions of its body and of a snapshot. */
function describe(
  [before, after]: readonly [string, string],
  [old, now]: readonly [string, string] = ["", ""],
): Promise<string | undefined> {
  const texts: Record<string, Record<string, string>> = {
    kept: { [path]: `def test_a():\n${before}\n`, [snapshot]: old },
    worded: { [path]: `def test_a():\n${after}\n`, [snapshot]: now },
  };
  const trees = {
    list: async () => [path, snapshot].map((each) => ({ path: each, mode: "100644", blob: "" })),
    read: async (tree: string, file: string) => Buffer.from(texts[tree]?.[file] ?? ""),
    stat: async () => [path, snapshot].map((each) => ({ path: each, added: 1, removed: 1 })),
  };
  const context = partOf<Parameters<typeof openRewordings>[0]>({
    workspace: { trees, base: "kept" },
    view: {},
    regions: { isWhole: () => true, spansIn: async () => [] },
  });
  const read = openRewordings(context, { kept: "kept", worded: "worded" });
  return read({ package: "", target: path, name: "test_a" });
}

const set = "    one = total(3)";
const one = `${set}\n    assert one == 1`;

test("the change of one assertion is described with both texts", async () => {
  expect(await describe([one, one.replace("== 1", "== 2")])).toBe(
    "the patch changes the test: `assert one == 1` becomes `assert one == 2`",
  );
});

test("a changed snapshot is described by its changed lines", async () => {
  expect(await describe([one, one], ["a\nold\nb", "a\nnew\nb"])).toBe(
    `the patch changes expected values in ${snapshot}: \`old\` becomes \`new\``,
  );
});

test.each([
  ["nothing changes", one, one],
  ["an assertion goes", `${one}\n    assert one != 5`, one.replace("== 1", "== 2")],
  [
    "two assertions change",
    `${one}\n    assert one != 5`,
    `${set}\n    assert one == 2\n    assert one != 6`,
  ],
  ["no assertion is left", one, set],
  ["the change is too large", one, `${set}\n${"    call_something(one)\n".repeat(40)}    assert one == 2`],
])("the author has to give a reason if %s", async (_, before, after) => {
  expect(await describe([before, after])).toBe(undefined);
});
