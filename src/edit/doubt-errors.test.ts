import { expect, test } from "vitest";
import type { SeenDiagnostic } from "./compare-diagnostics.ts";
import { doubtError, kindOfError } from "./doubt-errors.ts";

const path = "tests/test_a.py";

function seen(message: string, line: number, code?: string): SeenDiagnostic {
  const at = { line, column: 0 };
  const range = { start: at, end: at };
  return { diagnostic: { path, severity: "error", message, range, ...(code === undefined ? {} : { code }) } };
}

function doubt(
  error: SeenDiagnostic,
  files: { before?: SeenDiagnostic[]; after?: SeenDiagnostic[]; text?: string },
): string | undefined {
  const { before = [], after = [error], text = "" } = files;
  return doubtError(error.diagnostic, { before, after, texts: new Map([[path, text]]) });
}

test("a kind of error that was there before says little, whatever it names and where it stands", () => {
  const before = [seen('"mark" is not known in "pytest"', 3)];
  const known = seen('"skip" is not known in "other"', 90);
  expect(doubt(known, { before })).toBe("there were errors of this kind before");
  expect(doubt(seen('"skip" is not callable', 90), { before })).toBeUndefined();
  expect(kindOfError(seen("Expected 0 arguments", 1).diagnostic)).toBe(
    kindOfError(seen("Expected 12 arguments", 5).diagnostic),
  );
});

test("an error of another rule is taken at its word, though its text is alike", () => {
  const before = [seen("wrong", 1, "ruleOne")];
  expect(doubt(seen("wrong", 2, "ruleTwo"), { before })).toBeUndefined();
});

test("an import that the server cannot resolve, and what follows from it, are doubted", () => {
  const text =
    "import pytest\n\n\n@pytest.mark.parametrize('a', [1])\ndef test_a(a):\n    take(a) + pytest.a\n";
  const missing = seen('Import "pytest" could not be resolved', 1, "reportMissingImports");
  const call = seen("Expected 0 positional arguments", 4, "reportCallIssue");
  const own = seen('"take" is not defined', 6, "reportUndefinedVariable");
  const after = [missing, call, own];
  expect(doubt(missing, { after, text })).toContain("lacks the imported package");
  expect(doubt(call, { after, text })).toBe("the server cannot resolve the import of pytest");
  expect(doubt(own, { after, text })).toBeUndefined();
});
