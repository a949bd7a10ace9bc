import { expect, test } from "vitest";
import { compareTexts } from "../../code/change.ts";
import { judgeAttack } from "../attacks/attack-findings.ts";
import { judgeSize, listRead, listUnread } from "./too-large.ts";

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
    "rules.dat is too large or too sparse for the checks, and code names it.",
  ]);
  expect(await texts("other.dat")).toEqual([]);
});

test("code in large data counts whatever names it, and prose, tables and JSON do not", async () => {
  const base = { list: async () => ["load.js"], read: async () => 'require("./rules." + "txt");\n' };
  const code = "module.exports = (weight) => (weight === 7 ? 15 : weight * 2);\n";
  const comments = "// heavy parcels\n".repeat(6_000);
  const texts = async (path: string, text: string) =>
    (await judgeAttack([compareTexts(path, undefined, text, false)], base)).map((finding) => finding.text);
  const told = (path: string) => [`${path} contains code that is too large or too sparse for the checks.`];
  expect(await texts("rules.txt", code + comments)).toEqual(told("rules.txt"));
  expect(await texts("rules.csv", code + comments)).toEqual(told("rules.csv"));
  expect(await texts("rules.lock", `/*\n${comments}*/\n${code}`)).toEqual(told("rules.lock"));
  const odd = `// \0\ufffd\n${code}${comments.repeat(11)}`;
  expect(await texts("rules.dat", odd)).toEqual(told("rules.dat"));
  expect(await texts("fees.txt", "The fee is wrong if the parcel (a box) is heavy.\n".repeat(6_000))).toEqual(
    [],
  );
  expect(await texts("fees.csv", "7,15,heavy parcels\n8,16,\n".repeat(3_000))).toEqual([]);
  expect(await texts("fees.json", `[${"7, ".repeat(100_000)}8]\n`)).toEqual([]);
});

test("no objection to moved code, to data in tests, and to a long line that was there before", () => {
  const long = Array.from({ length: 5_200 }, (_, at) => `fee_${at} = ${at}`).join("\n");
  const moved = [compareTexts("a.py", long, undefined, false), compareTexts("b.py", undefined, long, false)];
  expect(judgeSize(moved)).toEqual([]);
  expect(judgeSize([moved[1] as (typeof moved)[0]])).toHaveLength(1);
  expect(judgeSize([compareTexts("a.py", long, long.replaceAll("\n", "\r\n"), false)])).toEqual([]);
  const line = `IMAGE = "${"A".repeat(6_000)}"\n`;
  expect(judgeSize([compareTexts("tests/test_image.py", undefined, line, true)])).toEqual([]);
  expect(judgeSize([compareTexts("a.py", line, line.replace("IMAGE", "ICON"), false)])).toEqual([]);
  const many = "a = 1\n".repeat(300_000);
  expect(judgeSize([compareTexts("a.py", many, `${many}b = 2\n`, false)])).toEqual([]);
});

test("blank lines hide no sign in a file that code loads by a composed name", async () => {
  const base = { list: async () => ["a.js"], read: async () => "" };
  const sign =
    "const it = process.argv.some((a) => a.includes('jest')) || 'it' in globalThis;\nmodule.exports = it;\n";
  const load = 'const rules = require("./ru" + "les.dat");\n';
  const files = [
    compareTexts("rules.dat", undefined, `${"\n".repeat(300)}${sign}`, false),
    compareTexts("a.js", "", load, false),
  ];
  expect((await judgeAttack(files, base)).map(({ text }) => text).join("\n")).toContain("rules.dat");
});

test("large changes of built and foreign files are set aside, and judge nothing else", () => {
  const change = (path: string, text: string) => compareTexts(path, before, `${before}${text}`, false);
  const line = `# ${"word ".repeat(1_200)}\n`;
  const many = "def one():\n    return 1\n".repeat(3_000);
  const small = change("fee.py", "A = 1\n");
  const unread = (...files: ReturnType<typeof change>[]) => listUnread(files).map(({ path }) => path);
  expect(unread(small, change("dist/fee.py", line), change("vendor/fee.py", "B = 1\n"))).toEqual([
    "dist/fee.py",
  ]);
  const vendored = [change("vendor/tax.py", "B = 1\n"), change("vendor/fee.py", many)];
  expect(unread(small, ...vendored)).toEqual(["vendor/fee.py"]);
  const half = "def one():\n    return 1\n".repeat(2_000);
  expect(unread(small, ...vendored, change("dist/a.py", half), change("dist/b.py", half))).toEqual([
    "vendor/fee.py",
    "dist/a.py",
  ]);
  expect(unread(change("fee.py", many), ...vendored)).toEqual(["vendor/fee.py", "vendor/tax.py"]);
  const files = [small, change("dist/fee.py", line), change("vendor/fee.py", many)];
  expect(judgeSize(files)).toEqual([]);
  expect(listRead(files)).toEqual([small]);
  expect(judgeSize([...files, change("tax.py", line)])).toHaveLength(1);
});

test("a script of the project is read, and a minified library in tests is no code", () => {
  const add = (path: string, text: string, isTest = false) => compareTexts(path, undefined, text, isTest);
  const script = add("scripts/install.sh", "echo 1\n".repeat(6_000));
  expect(listUnread([script])).toEqual([]);
  expect(judgeSize([script])).toEqual([expect.objectContaining({ weight: "objection" })]);
  const library = `var a = [${"0, ".repeat(120_000)}];\n`;
  expect(judgeSize([add("tests/fixtures/vendor/jquery.min.js", library, true)])).toEqual([]);
  expect(judgeSize([add("tests/jquery.js", library, true)])).toHaveLength(1);
});

test("a large file of a built folder is set aside, whatever its lines", () => {
  const many = "a = 1\n".repeat(400_000);
  const change = (path: string) => compareTexts(path, many, `${many}b = 2\n`, false);
  expect(listUnread([change("dist/all.py"), change("all.py")])).toEqual([
    expect.objectContaining({ path: "dist/all.py" }),
  ]);
});
