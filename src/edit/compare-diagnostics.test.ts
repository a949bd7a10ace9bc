import { expect, test } from "vitest";
import { checkDiagnostics, type SeeProblems } from "./check-diagnostics.ts";
import { findNewErrors, type SeenDiagnostic } from "./compare-diagnostics.ts";

function seen(
  message: string,
  line: number,
  more: Partial<SeenDiagnostic["diagnostic"]> = {},
): SeenDiagnostic {
  const at = { line, column: 0 };
  return {
    symbol: "f",
    diagnostic: { path: "a.py", severity: "error", message, range: { start: at, end: at }, ...more },
  };
}

const messages = (found: readonly SeenDiagnostic[]): string[] =>
  found.map(({ diagnostic }) => diagnostic.message);

test("an error that only moved is not new, and one that names a line which moved is neither", () => {
  const before = [seen("x is not defined", 3), seen("already declared at line 2", 9)];
  const after = [seen("x is not defined", 30), seen("already declared at line 29", 36)];
  expect(findNewErrors(before, after)).toEqual([]);
});

test("an error is new where the same message was in another symbol, or once less", () => {
  const before = [seen("x is not defined", 3)];
  const twice = [seen("x is not defined", 3), seen("x is not defined", 4)];
  expect(messages(findNewErrors(before, twice))).toEqual(["x is not defined"]);
  const elsewhere = [{ ...seen("x is not defined", 3), symbol: "g" }];
  expect(messages(findNewErrors(before, elsewhere))).toEqual(["x is not defined"]);
});

test("new warnings stay with us, new fatal problems do not", () => {
  const after = [
    seen("unused", 1, { severity: "warning" }),
    seen("cannot be parsed", 1, { severity: "fatal" }),
  ];
  expect(messages(findNewErrors([], after))).toEqual(["cannot be parsed"]);
});

test("the errors of a renamed file are known under its new name", () => {
  const after = [seen("x is not defined", 3, { path: "b.py" })];
  expect(findNewErrors([seen("x is not defined", 3)], after, new Map([["a.py", "b.py"]]))).toEqual([]);
});

test("errors are compared by the function that they stand in, wherever it has moved to", async () => {
  const texts = ["def f():\n    return y\n", "import os\n\n\ndef f():\n    return y + z\n"] as const;
  // A linter of undefined letters.
  const see: SeeProblems = async (files) =>
    files.flatMap(({ path, text }) =>
      [...text.matchAll(/\b[yz]\b/g)].map((match) => {
        const at = { line: text.slice(0, match.index).split("\n").length, column: 0 };
        return {
          path,
          severity: "error",
          message: `${match[0]} is not defined`,
          range: { start: at, end: at },
        };
      }),
    );
  const problems = await checkDiagnostics([{ path: "a.py", before: texts[0], after: texts[1] }], see);
  expect(problems).toMatchObject([
    { kind: "diagnostics", message: "a.py:5, in f: z is not defined", places: [{ startLine: 5 }] },
  ]);
});
