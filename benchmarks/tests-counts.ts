/** Reads the numbers of passed and failed tests from a runner's own output. Pure. */

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

interface Reading {
  /** Matches one summary; a project with several suites prints several. */
  readonly pattern: RegExp;
  readonly read: (match: RegExpExecArray) => Counts;
}

const number = (text: string | undefined): number => Number(text ?? 0);

const readings: readonly Reading[] = [
  // cargo test
  {
    pattern: /^test result: \w+\. (\d+) passed; (\d+) failed/gm,
    read: ([, passed, failed]) => ({ passed: number(passed), failed: number(failed) }),
  },
  // go test -v: subtests count too
  {
    pattern: /^\s*--- (PASS|FAIL): /gm,
    read: ([, word]) => ({ passed: word === "PASS" ? 1 : 0, failed: word === "FAIL" ? 1 : 0 }),
  },
  // Maven's last line of each module
  {
    pattern: /^(?:\[\w+\] )?Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)\s*$/gm,
    read: ([, run, failures, errors, skipped]) => {
      const failed = number(failures) + number(errors);
      return { passed: number(run) - failed - number(skipped), failed };
    },
  },
  // pytest
  {
    pattern:
      /^(?:=+ )?(?=.*\b(?:passed|failed)\b)(?:(\d+) failed)?[^\n]*?(?:(\d+) passed)?[^\n]* in [\d.:]+s/gm,
    read: ([line]) => ({
      passed: before(line, "passed"),
      failed: before(line, "failed") + before(line, "errors?"),
    }),
  },
  // jest and vitest
  {
    pattern: /^\s*Tests:?\s+(?=.*\bpassed\b|.*\bfailed\b)[^\n]*$/gm,
    read: ([line]) => ({ passed: before(line, "passed"), failed: before(line, "failed") }),
  },
  // node:test and TAP
  {
    pattern: /^(?:#|ℹ) (pass|fail)\s+(\d+)$/gm,
    read: ([, word, count]) =>
      word === "pass" ? { passed: number(count), failed: 0 } : { passed: 0, failed: number(count) },
  },
  // mocha
  {
    pattern: /^\s*(\d+) (passing|failing)\b/gm,
    read: ([, count, word]) =>
      word === "passing" ? { passed: number(count), failed: 0 } : { passed: 0, failed: number(count) },
  },
];

function before(line: string, word: string): number {
  return number(new RegExp(`(\\d+) ${word}\\b`).exec(line)?.[1]);
}

/** By the first runner whose words are found; undefined where none is known. */
export function readCounts(output: string): Counts | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours
  const plain = output.replaceAll(/\u001b\[[\d;]*m/g, "");
  for (const { pattern, read } of readings) {
    const found = [...plain.matchAll(pattern)].map(read);
    if (found.length > 0)
      return found.reduce((sum, each) => ({
        passed: sum.passed + each.passed,
        failed: sum.failed + each.failed,
      }));
  }
  return undefined;
}
