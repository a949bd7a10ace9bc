import { expect, test } from "vitest";
import { areTold, changeContent, isPassed, tellsPath } from "./find-read-results.ts";

test("another content keeps the first line, by which code may know a file", () => {
  expect(changeContent("Shopping\n- milk\n")).toBe("Shopping\n- njml\n");
  expect(changeContent("milk")).toBe("njml");
  expect(changeContent("milk\n")).not.toContain("milk");
  expect(changeContent("")).not.toBe("");
});

test("a text tells a path by its file's name or its folder, not by an ending", () => {
  const path = "tests/golden/total.csv";
  for (const text of ["total.csv", "tests/golden/total.csv", "golden", "golden/", "total"])
    expect(tellsPath(text, path), text).toBe(true);
  for (const text of [".csv", "csv", "tests", "totally", "gold"])
    expect(tellsPath(text, path), text).toBe(false);
  expect(tellsPath("expected_", "tests/expected_total.txt")).toBe(true);
});

test.each([
  ['assert len(load("data/rows.csv")) == 3', true],
  ['path = HERE / "rows.csv"\nassert len(load(path)) == 3', true],
  ['assert load(str(HERE / "rows.csv"), 3) == []', true],
  ['assert load(name) == Path("data/rows.csv").read_text()', false],
  ['expected = open("data/rows.csv").read()\nassert load(name) == expected', false],
  ['with open("data/rows.csv") as file:\n    assert load(name) == file.read()', false],
])("a path that a test gives to the code: %s", (code, isIn) => {
  expect(isPassed(code, "data/rows.csv", ["load"])).toBe(isIn);
});

test("a test without a result in a reliable report is unknown, not failed", () => {
  const key = { package: "", target: "t.py", name: "test_load" };
  const outcomes = [{ key, status: "failed" as const, durationMs: 1 }];
  expect(areTold({ outcomes, invalid: undefined }, [key])).toBe(true);
  expect(areTold({ outcomes, invalid: "it was changed" }, [key])).toBe(false);
  expect(areTold({ outcomes: [], invalid: undefined }, [key])).toBe(false);
});
