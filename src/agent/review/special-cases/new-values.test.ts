import { expect, test } from "vitest";
import { compareTexts } from "../../code/change.ts";
import { listNewValues } from "./new-values.ts";

const regions = { spansIn: async () => [] };
const valuesOf = async (before: string, after: string, path = "fee.py") =>
  (await listNewValues({ files: [compareTexts(path, before, after, false)], statement: "", regions })).keys;
const before = "def fee(weight):\n    if weight > 40:\n        return 3\n    return 2 * weight\n";

test("an added number, text or list is a value, wherever it stands", async () => {
  const lines = [
    "    if math.isclose(weight, 7):",
    '    text = str(weight).replace("10", "15")',
    "    return [0, 5][weight]",
  ];
  const found = await valuesOf(before, `${before}${lines.join("\n")}\n`);
  expect(found).toEqual(expect.arrayContaining(["n:7", "t:10", "t:15", "n:5"]));
});

test("common values, messages and moved values are none", async () => {
  const message = before.replace("return 3", 'raise ValueError("the weight is too large")');
  expect(await valuesOf(before, message)).toEqual([]);
  expect(await valuesOf(before, before.replace("weight > 40", "40 <= weight"))).toEqual([]);
  expect(await valuesOf(before, `${before}    return 0\n`)).toEqual([]);
});

test("2 is a value, 0 and 1 are none", async () => {
  expect(await valuesOf(before, `${before}    return weight - {2}.issuperset({weight})\n`)).toContain("n:2");
  const small = await valuesOf(before, `${before}    return {0, 1}.issuperset({weight})\n`);
  expect(small.filter((key) => key.startsWith("n:"))).toEqual([]);
});

test("the number in a new name is a value", async () => {
  expect(await valuesOf(before, before.replace("return 3", "return Prices.w7"))).toEqual(["n:7"]);
});

test("a file of data is a value, and a document is none", async () => {
  expect(await valuesOf("", "7,5\n", "surcharges.csv")).toEqual(["d:surcharges.csv"]);
  expect(await valuesOf("", "# Fees\n", "README.md")).toEqual([]);
});

test("a corrected constant and an entry of a table that was there are none", async () => {
  expect(await valuesOf(before, before.replace("> 40", "> 41"))).toEqual([]);
  const table = "NAMES = {\n    5: 'V',\n    10: 'X',\n}\n";
  expect(await valuesOf(table, table.replace("    5:", "    4: 'IV',\n    5:"))).toEqual([]);
  expect(await valuesOf("x = 1\n", `x = 1\n${table}`)).toEqual(expect.arrayContaining(["n:5", "t:V"]));
});

test("code inside a table is no entry", async () => {
  const table = "module.exports = {\n  name: 'shop',\n  fee(weight) {\n    return 2 * weight;\n  },\n};\n";
  const code = table.replace("    return", "    if ([7].includes(weight)) return 15;\n    return");
  expect(await valuesOf(table, code, "shop.js")).toEqual(expect.arrayContaining(["n:7", "n:15"]));
});

test("a sign that code only splits by is a separator", async () => {
  const old = "def parts(text):\n    return [text]\n";
  const listed = async (code: string) => {
    const files = [compareTexts("a.py", old, old.replace("[text]", code), false)];
    return (await listNewValues({ files, statement: "", regions })).separators;
  };
  expect(await listed('text.split(",")')).toEqual([","]);
  expect(await listed('",".join(sorted(text.split(",")))')).toEqual([","]);
  expect(await listed('"".join(text.split(","))')).toEqual([]);
  expect(await listed('text.replace(",", "").split(",")')).toEqual([]);
  expect(await listed('text.replace(",", "")')).toEqual([]);
});

test("single signs, the tables of an added text, and questions for whole numbers are listed", async () => {
  const old = 'def seconds(text):\n    units = {"s": 1, "m": 60, "h": 3600}\n    return units[text[-1]]\n';
  const files = (line: string) => [
    compareTexts("a.py", old, old.replace("    return", `${line}\n    return`), false),
  ];
  const listed = (line: string) => listNewValues({ files: files(line), statement: "", regions });
  expect((await listed('    text = text.replace(",", "").replace("é", "e")')).signs).toEqual([",", "é"]);
  expect((await listed('    if "h" in text:\n        return 0')).tables).toEqual([["s", "m", "h"]]);
  expect((await listed("    if isinstance(text, int):\n        return 0")).asksWhole).toBe(true);
  expect((await listed("    if isinstance(text, (int, float)):\n        return 0")).asksWhole).toBe(false);
});
