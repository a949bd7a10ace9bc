import { expect, test } from "vitest";
import { isNamedIn, isWrittenFirst, readText } from "./compared-data.ts";

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
