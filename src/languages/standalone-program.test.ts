import { expect, test } from "vitest";
import { isTestFile } from "./source-files.ts";
import { programFolder, programKey, splitPrograms } from "./standalone-program.ts";

const file = `${programFolder}/show.py`;
const program = programKey(file, `python3 ${file}`);
const tested = { package: "", target: "tests/test_fee.py", name: "test_fee" };

test("programs run next to the tests of a framework, which never gets them", () => {
  expect(splitPrograms({ kind: "tests", tests: [program, tested] })).toEqual({
    programs: [program],
    others: { kind: "tests", tests: [tested] },
  });
  expect(splitPrograms({ kind: "tests", tests: [program] })).toEqual({
    programs: [program],
    others: undefined,
  });
  expect(splitPrograms({ kind: "files", files: [file] })).toEqual({ programs: [], others: undefined });
  expect(splitPrograms({ kind: "all" })).toEqual({ programs: [], others: { kind: "all" } });
});

test("a program's file is test code, and a similar name elsewhere is not", () => {
  expect(isTestFile(file)).toBe(true);
  expect(isTestFile(`src/${file}`)).toBe(false);
});
