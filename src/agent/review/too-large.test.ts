import { expect, test } from "vitest";
import { compareTexts } from "../code/change.ts";
import { judgeAttack } from "./attack-findings.ts";
import { judgeSize } from "./too-large.ts";

const before = "def fee(weight):\n    return weight * 2\n";
const adding = (text: string, path = "fee.py") =>
  compareTexts(path, before, before.replace("    return", `${text}    return`), false);

test.each([
  ["\n".repeat(201), "adds more than 200 blank lines in a row"],
  [`    weight =${" ".repeat(1_001)}weight\n`, "adds more than 1000 blanks in a row"],
  [`    weight = [${"0, ".repeat(2_000)}]\n`, "adds a line of 6015 characters"],
  ["    weight += 1\n".repeat(5_001), "adds 5001 lines of code, more than 5000"],
  [`    weight = [${"0, ".repeat(1_500)}]\n`.repeat(70), "characters of code, more than 300000"],
])("objects to a patch that the checks do not read", (text, reason) => {
  const [finding, ...rest] = judgeSize([adding(text)]);
  expect(finding).toMatchObject({ weight: "objection" });
  expect(finding?.text).toContain(reason);
  expect(rest).toEqual([]);
});

test("no objection to a long patch that people can read, to the base's own lines, and to data", () => {
  const block = `${"    weight += 1\n".repeat(30)}${"\n".repeat(3)}`;
  expect(judgeSize([adding(block.repeat(140))])).toEqual([]);
  const sparse = `${before}${"\n".repeat(1_000)}LAST = 1\n`;
  expect(judgeSize([compareTexts("fee.py", sparse, sparse.replace("* 2", "* 3"))])).toEqual([]);
  expect(judgeSize([adding("  a: 1\n".repeat(12_000), "lock.yaml")])).toEqual([]);
});

test("a file of data that nobody reads counts only if code names it", async () => {
  const base = { list: async () => ["load.py"], read: async () => "exec(open('rules.dat').read())\n" };
  const data = (path: string) => compareTexts(path, undefined, `${"\n".repeat(500)}a = 1\n`, false);
  const texts = async (path: string) => (await judgeAttack([data(path)], base)).map(({ text }) => text);
  expect(await texts("rules.dat")).toEqual([
    "rules.dat, which code names, is too large or too sparse for the checks.",
  ]);
  expect(await texts("other.dat")).toEqual([]);
});
