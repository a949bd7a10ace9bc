import { expect, test } from "vitest";
import { findCompilerError, readCppFailure } from "../cpp/cpp-failure.ts";
import { readPrintedTests } from "./printed-tests.ts";

const length = 400_000;
const lines = {
  dots: `a${".".repeat(length)}b`,
  blanks: `a:${" ".repeat(length)}b`,
  "a result's blanks": `not ok 1 - ${" ".repeat(length)}b`,
  "carriage returns": "\r".repeat(length),
  brackets: "[\n".repeat(length / 2),
};

test.each(Object.entries(lines))("a long output of %s does not hold up its readers", (_, output) => {
  expect(readPrintedTests(`${output}\nfee: ok\n`)?.tests.map(({ name }) => name)).toContain("fee");
  expect(readCppFailure(`${output}\nfee.c:3: expected 25\n`, "Failed", "", "/r").frames).toEqual([
    { file: "fee.c", line: 3 },
  ]);
  expect(findCompilerError(`${output}\nfee.c:3: error: no\n`, "/r").message).toContain("no");
});
