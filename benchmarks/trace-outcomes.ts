/**
 * Reads the result of each test from a test command's output, if common runners print it on one line. Compares two runs
 * of one suite.
 */
import { stripVTControlCharacters } from "node:util";

const patterns: readonly RegExp[] = [
  /^test (.+?) \.\.\. (ok|FAILED|ignored)\b/, // cargo
  /^\s*--- (PASS|FAIL|SKIP): (\S+)/, // go test -v
  /^(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS) (\S+)/, // pytest -rA
  /^\s*([✓✔√×✗✕])\s+(.+?)(?:\s+\(?\d+(?:\.\d+)?\s?m?s\)?)?$/u, // mocha, vitest, jest
];

/** "test status" of each; a test that is printed twice is there twice. Sorted. */
export function readOutcomes(output: string): string[] {
  const plain = stripVTControlCharacters(output);
  return plain
    .split("\n")
    .flatMap((line) => {
      for (const pattern of patterns) {
        const found = pattern.exec(line);
        if (found !== null) return [`${found[1]} ${found[2]}`.replaceAll(/\s+/g, " ")];
      }
      return [];
    })
    .sort();
}

/** Lines of one run that the other has not, each with a sign. */
export function compareOutcomes(before: readonly string[], after: readonly string[]): string[] {
  const count = new Map<string, number>();
  for (const line of before) count.set(line, (count.get(line) ?? 0) - 1);
  for (const line of after) count.set(line, (count.get(line) ?? 0) + 1);
  return [...count]
    .filter(([, times]) => times !== 0)
    .map(([line, times]) => `${times < 0 ? "-" : "+"} ${line}`);
}
