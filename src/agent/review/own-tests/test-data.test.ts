import { expect, test } from "vitest";
import { compareTexts } from "../../code/change.ts";
import { judgeTestData } from "./test-data.ts";

const reading = 'cases = json.load(open("data/fees.json"))\n';

async function judge(
  path: string,
  others: Record<string, string>,
  statement = "`fee` is too low",
): Promise<string[]> {
  const base = {
    list: async () => [path, ...Object.keys(others)],
    read: async (each: string) => others[each],
  };
  const files = [compareTexts(path, "[[7, 15]]\n", "[[7, 10]]\n", false)];
  const isTest = (each: string): boolean => each.startsWith("tests/");
  return (await judgeTestData({ files, base, isTest, statement })).map(({ text }) => text);
}

test("a patch may not reword data that tests alone read, wherever it lies", async () => {
  const tests = { "tests/test_fee.py": reading, "fee.py": "def fee(): ...\n" };
  expect(await judge("data/fees.json", tests)).toEqual([
    "The patch changes data/fees.json, which contains expected results and which only tests read (tests/test_fee.py).",
  ]);
  const byFolder = { "tests/test_fee.py": 'for each in Path("cases").glob("*.json"): ...\n' };
  expect(await judge("cases/heavy.json", byFolder)).toHaveLength(1);
});

test.each([
  ["code reads it too", "data/fees.json", { "tests/test_fee.py": reading, "fee.py": reading }],
  [
    "a setting names it",
    "data/fees.json",
    { "tests/test_fee.py": reading, "setup.cfg": "data = data/fees.json\n" },
  ],
  ["no test names it", "data/fees.json", { "tests/test_fee.py": "assert True\n" }],
  ["tools read it by its name", "package.json", { "tests/a.test.js": 'require("../package.json")\n' }],
  ["a document", "docs/fees.md", { "tests/test_fee.py": 'open("docs/fees.md")\n' }],
  [
    "code reads its folder",
    "cases/a.json",
    { "tests/test_a.py": 'glob("cases/*")\n', "a.py": 'glob("cases/*")\n' },
  ],
])("nothing where %s", async (_, path, others) => {
  expect(await judge(path, others)).toEqual([]);
});

test("nor where the statement names the file", async () => {
  const tests = { "tests/test_fee.py": reading };
  expect(await judge("data/fees.json", tests, "`data/fees.json` has a wrong rate")).toEqual([]);
});

test("code reads it too, however many files the repository has", async () => {
  const many = Object.fromEntries(Array.from({ length: 4_000 }, (_, at) => [`a${at}.py`, "pass\n"]));
  const tests = { "tests/test_fee.py": reading };
  expect(await judge("data/fees.json", { ...many, ...tests })).toHaveLength(1);
  expect(await judge("data/fees.json", { ...tests, ...many, "z.py": reading })).toEqual([]);
});
