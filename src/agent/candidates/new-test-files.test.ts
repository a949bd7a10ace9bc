import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import { readTestRegions } from "../../judging/test-regions.ts";
import { emptyState } from "../state/task-state.ts";
import { addsOnlyModules, findMisplaced } from "./new-test-files.ts";

const before = "#![allow(x)]\n\nmod utf8;\n\nfn helper() {}\n";

test.each<[string, string, boolean]>([
  ["a line of a new module", before.replace("mod utf8;", "mod other;\nmod utf8;"), true],
  ["a public module", before.replace("mod utf8;", "mod utf8;\npub(crate) mod other;"), true],
  ["a module with a raw name", before.replace("mod utf8;", "mod utf8;\nmod r#type;"), true],
  ["a changed line", before.replace("helper", "other"), false],
  ["a module in place of another", before.replace("utf8", "other"), false],
  ["a removed line", before.replace("mod utf8;\n", ""), false],
  ["a module and code", before.replace("mod utf8;", "mod utf8;\nmod other;\nfn more() {}"), false],
  ["no change", before, false],
])("an author may add to a program's root only lines of modules: %s", (_, after, expected) => {
  expect(addsOnlyModules(before, after)).toBe(expected);
});

test("a refusal tells a file of an earlier reproduction from a file of the repository", async () => {
  const path = "tests/test_a.py";
  const one = "def test_a():\n    assert a\n";
  const texts: Record<string, string> = { base: one, r1: `${one}\ndef test_b():\n    assert b\n`, new: "" };
  const regions = await readTestRegions({
    ...{ files: [], read: async () => undefined, outcomes: [], framework: undefined },
  });
  const trees = {
    stat: async () => [{ path, added: 1, removed: 0 }],
    list: async () => [{ path }],
    read: async (tree: string) => Buffer.from(texts[tree] ?? ""),
  };
  const context = partOf<Parameters<typeof findMisplaced>[0]>({
    ...{ regions, suite: { outcomes: [] }, view: { tree: () => "new" }, workspace: { trees, base: "base" } },
  });
  const r1 = { id: "r1", tree: "r1", kind: "reproduction" as const, origin: "" };
  const say = async (candidates: (typeof r1)[]) => findMisplaced(context, { ...emptyState, candidates });
  texts.new = `${texts.r1}\ndef test_c():\n    assert c\n`;
  expect(await say([])).toBeUndefined();
  expect(await say([r1])).toMatch(/^An earlier reproduction .* changed tests\/test_a\.py.*Write a new file/);
  texts.new = "def test_a():\n    pass\n";
  expect(await say([])).toMatch(/^The repository already has these files: tests\/test_a\.py\./);
});
