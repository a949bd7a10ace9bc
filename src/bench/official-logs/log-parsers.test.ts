/**
 * Compares each parser with SWE-bench's own on logs of lines as test runners print them, in random order and broken.
 * Expected values come from its package (swebench 5.0.2: `PARSER_REGISTRY`).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { findLogParser, logParserOf, logParsers } from "./log-parsers.ts";
import { readOfficialLog } from "./read-official-log.ts";

const caseSchema = z.object({
  parser: z.string(),
  id: z.string(),
  version: z.string(),
  log: z.string(),
  statuses: z.record(z.string(), z.string()),
});
const file = join(import.meta.dirname, "../../../tests/fixtures/datasets/official-logs.jsonl");
const cases = readFileSync(file, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => caseSchema.parse(JSON.parse(line)));

test("each parser takes the same from a log as SWE-bench's", () => {
  expect(new Set(cases.map(({ parser }) => parser)).size).toBe(Object.keys(logParsers).length);
  for (const { parser, log, id, version, statuses } of cases) {
    expect(Object.fromEntries(findLogParser(parser)(log, { id, version })), parser).toEqual(statuses);
  }
});

test("a parser that is not known is named, with what to do", () => {
  expect(() => findLogParser("parse_log_cobol")).toThrow(/no reader.*parse_log_cobol/);
  expect(logParserOf("PSF/Requests")).toBe("parse_log_pytest_options");
  expect(logParserOf("acme/ledger")).toBeUndefined();
});

const row = { id: "acme__ledger-1", version: "1.0" };
const around = (output: string, exitCode: number): string =>
  `+ pytest\n>>>>> Start Test Output\n${output}\n>>>>> End Test Output\n>>>>> Test Exit Code: ${exitCode}\n`;

test.each([
  ["results between the marks", around("PASSED t.py::a", 0), { kind: "results" }],
  ["the whole log, where the marks hold none", `PASSED t.py::a\n${around("", 0)}`, { kind: "results" }],
  ["a failure that explains the exit code", around("FAILED t.py::a - x", 1), { kind: "results" }],
  [
    "passed lines of a run that failed",
    around("PASSED t.py::a", 1),
    { kind: "void", reason: /ended with exit code 1/ },
  ],
  ["no marks", "PASSED t.py::a", { kind: "void", reason: /lacks the marks/ }],
  [
    "a patch that did not apply",
    `>>>>> Patch Apply Failed\n${around("PASSED t.py::a", 0)}`,
    { kind: "void" },
  ],
  ["nothing that ran", around("collected 0 items", 0), { kind: "void", reason: /no test ran/ }],
])("%s", (_, log, { kind, reason }: { kind: string; reason?: RegExp }) => {
  const read = readOfficialLog(log, "parse_log_pytest", row);
  expect(read.kind).toBe(kind);
  if (reason !== undefined) expect(read).toHaveProperty("reason", expect.stringMatching(reason));
});

test("a suite that names failing tests alone ran, if its summary counts any", () => {
  const output = around("Chrome 90 (Linux x86_64): Executed 12 of 12 SUCCESS", 0);
  expect(readOfficialLog(output, "parse_log_chart_js", row)).toMatchObject({ kind: "results" });
  const none = around("Executed 0 of 0 ERROR", 0);
  expect(readOfficialLog(none, "parse_log_chart_js", row)).toMatchObject({ kind: "void" });
});
