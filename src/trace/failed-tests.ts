/**
 * Finds the failed tests of a trace in the output of the traced command. The test runners of all languages mark the
 * lines of failed tests.
 */
import type { TraceProcess } from "./trace-model.ts";

/**
 * Marks a failed test's line: `FAILED a.py::test_a`, `test a ... FAILED`, `--- FAIL: TestA`, `not ok 1 - a`, `✕ a`,
 * `● a › b`, `  1) a`.
 */
const mark = /\b(?:FAILED|FAIL|ERROR|not ok)\b|[✕✗✖✘×●]|^\s+\d+\) /;
/** Limits on examined lines and tests. */
const mostLines = 1000;
const mostTests = 20_000;

/**
 * Finds the traced tests that the output marks as failed. First searches for whole test names; if it finds none,
 * searches for the last parts of the names.
 */
export function findFailedTests(processes: readonly TraceProcess[], output: string): string[] {
  const lines = output
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours.
    .replaceAll(/\x1b\[[0-9;]*m/g, "")
    .split("\n")
    .filter((line) => mark.test(line))
    .slice(0, mostLines)
    .map(withOneSeparator);
  if (lines.length === 0) return [];
  const text = lines.join("\n");
  const tests = testsOf(processes);
  const whole = tests.filter((test) => stands(text, withOneSeparator(test)));
  return whole.length > 0 ? whole : tests.filter((test) => stands(text, lastPart(withOneSeparator(test))));
}

function testsOf(processes: readonly TraceProcess[]): string[] {
  const names = new Set<string>();
  for (const { roots } of processes) {
    for (const { test } of roots) if (test !== undefined && names.size < mostTests) names.add(test);
  }
  return [...names];
}

/** Unifies the separators between a suite and a test, in which runners differ. */
function withOneSeparator(text: string): string {
  return text.replaceAll(/ [>›❯] /g, " ");
}

function lastPart(test: string): string {
  return test.split(/::|\.(?=\w+$)|\/(?=[^/]*$)/).at(-1) ?? test;
}

/** True if the text contains the name as a separate name: `test_ab` and `test_a[1]` do not contain `test_a`. */
function stands(text: string, name: string): boolean {
  if (name === "") return false;
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const [before = "", after = ""] = [text[at - 1], text[at + name.length]];
    if (!/\w/.test(before) && !/[\w[]/.test(after)) return true;
  }
  return false;
}
