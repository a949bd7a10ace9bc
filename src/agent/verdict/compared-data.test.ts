import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import { findComparedData, isNamedIn, isWrittenFirst, readText } from "./compared-data.ts";

const key = { package: "", target: "tests/test_report.py", name: "test_report" };
const isWritten = async (...lines: readonly string[]) => {
  const text = ["def test_report():", ...lines.map((line) => `    ${line}`), ""].join("\n");
  return isWrittenFirst(await readText(key.target, text), [key], "out/report.csv");
};
const write = 'frame().to_csv("out/report.csv")';

test("comments and texts are no branches of a test that writes its result", async () => {
  expect(await isWritten("# If the folder is new, or empty: make it.", write)).toBe(true);
  expect(await isWritten('make("for a case")', write)).toBe(true);
  expect(await isWritten(`if ask(): ${write}`)).toBe(false);
  expect(await isWritten('make(f"{a if b else c}")', write)).toBe(false);
});

test("a written file does not stand for one whose name is the end of its name", async () => {
  expect(await isWritten('frame().to_csv("layout/my_report.csv")', write)).toBe(true);
  const compared = 'assert read() == open("report.csv").read()';
  expect(await isWritten('frame().to_csv("my_report.csv")', compared)).toBe(false);
  expect(await isWritten('frame().to_csv("out/my-report.csv")', compared)).toBe(false);
});

test("a folder's name counts as a whole word", () => {
  expect(isNamedIn('DATA = join("data", name)', "tests/data/a.json")).toBe(true);
  expect(isNamedIn('open("tests/data_dir/x")', "tests/data/a.json")).toBe(true);
  expect(isNamedIn("database = metadata()", "tests/data/a.json")).toBe(false);
  expect(isNamedIn('open("about.txt")', "out.txt")).toBe(false);
});

test("tests may compare with data that only a helper names, not with data that only code names", async () => {
  const texts: Readonly<Record<string, string>> = {
    "tests/test_report.py": "from helpers import check\n\ndef test_report():\n    check(1)\n",
    "tests/helpers.py": 'def check(made):\n    assert open("expected/report.txt").read() == str(made)\n',
    "report.py": 'CACHE = "cache/state.txt"\n',
  };
  const context = partOf<Parameters<typeof findComparedData>[0]>({
    frameworks: [],
    suite: { command: { framework: "pytest" }, outcomes: [{ key, status: "passed", durationMs: 1 }] },
    workspace: {
      base: "base",
      trees: {
        list: async () => Object.keys(texts).map((path) => ({ path, mode: "100644", blob: path })),
        read: async (_: string, path: string) => Buffer.from(texts[path] ?? ""),
      },
    },
  });
  const changed = ["cache/state.txt", "expected/report.txt", "report.py"];
  expect(await findComparedData(context, { tree: "t", tests: [key] }, changed)).toEqual([
    "expected/report.txt",
  ]);
});
