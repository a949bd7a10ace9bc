/**
 * Reads named tests from a command's output, in the formats of common test programs. Pure. The program under test
 * writes to the same output, so `command.ts` checks printed results against the exit code.
 */
import { cutLines, withoutColours } from "../../base/terminal-text.ts";
import type { Printed, PrintedTest } from "./printed.ts";
import { parseTap, withoutReason } from "./printed-tap.ts";

/** The most lines kept per failure. */
const mostLines = 40;

/**
 * Returns the tests in the first format that matches the output. Undefined if no format matches, or the output lists no
 * test.
 */
export function readPrintedTests(output: string): Printed | undefined {
  const lines = cutLines(withoutColours(output)).split(/\r?\n/);
  const tap = parseTap(lines);
  const found = tap ?? dialects.map((read) => read(lines)).find((each) => each !== undefined);
  return found === undefined || found.tests.length === 0 ? undefined : found;
}

type Dialect = (lines: readonly string[]) => Printed | undefined;

/** `[ RUN      ] Suite.Name` up to `[       OK ]` or `[  FAILED  ]`; a test without an end crashed. */
const googleTest: Dialect = (lines) => {
  if (!lines.some((line) => line.startsWith("[ RUN      ] "))) return undefined;
  const tests: PrintedTest[] = [];
  let open: { name: string; said: string[] } | undefined;
  const close = (status: PrintedTest["status"], durationMs = 0): void => {
    if (open !== undefined) tests.push({ name: open.name, status, said: shorten(open.said), durationMs });
    open = undefined;
  };
  for (const line of lines) {
    const run = /^\[ RUN {6}\] (\S.*)$/.exec(line);
    const end = /^\[ +(OK|FAILED|SKIPPED) +\] (\S+?),?(?: \((\d+) ms\))?$/.exec(line);
    if (run?.[1] !== undefined) {
      close("failed");
      open = { name: run[1].trim(), said: [] };
    } else if (end !== null && open?.name === end[2]) {
      close(end[1] === "OK" ? "passed" : end[1] === "FAILED" ? "failed" : "skipped", Number(end[3] ?? 0));
    } else if (/^\[[-=]{10}\]/.test(line)) close("failed");
    else open?.said.push(line);
  }
  close("failed");
  return { dialect: "GoogleTest", tests };
};

/** Catch2 and doctest name passing tests only if their durations are on (`-d yes`, `-d`): `0.001 s: name`. */
const durations: Dialect = (lines) => {
  if (!lines.some((line) => /^(?:\[doctest\] test cases: |test cases: +\d|All tests passed \()/.test(line)))
    return undefined;
  const failed = new Map<string, string[]>();
  let name: string | undefined;
  for (const [at, line] of lines.entries()) {
    const doctest = /^TEST CASE: {2}(.*)$/.exec(line);
    // Catch2 writes the name between two rulers.
    const isCatch = /^-{70,}$/.test(lines[at - 1] ?? "") && /^-{70,}$/.test(lines[at + 1] ?? "");
    if (doctest !== null || isCatch) name = (doctest?.[1] ?? line).trim();
    if (name === undefined) continue;
    if (/(?:FAILED|ERROR|FATAL ERROR):/.test(line)) failed.set(name, failed.get(name) ?? []);
    failed.get(name)?.push(line);
  }
  const tests = lines.flatMap((line): PrintedTest[] => {
    const [, seconds = "", title = ""] = /^(\d+\.\d+) s: (.+)$/.exec(line) ?? [];
    if (title === "") return [];
    const said = failed.get(title.trim());
    const status = said === undefined ? "passed" : "failed";
    return [{ name: title.trim(), status, said: shorten(said ?? []), durationMs: 1000 * Number(seconds) }];
  });
  return tests.length === 0 ? undefined : { dialect: "Catch2 or doctest with durations", tests };
};

const unittestName = String.raw`\w+ \([\w.<>]+\)`;
const unittestStart = new RegExp(String.raw`^(${unittestName})(?: \.\.\. ?(.*))?$`);
const unittestEnd = /^(?:.* \.\.\. )?(ok|FAIL|ERROR|skipped\b.*|expected failure|unexpected success)$/;
const unittestFailure = new RegExp(`^(?:FAIL|ERROR): (${unittestName})`);

/** Python's unittest with `-v`: `test_a (pkg.Case.test_a) ... ok`. A documented test has its text before the dots. */
const unittest: Dialect = (lines) => {
  if (!lines.some((line) => /^Ran \d+ tests? in /.test(line))) return undefined;
  const failures = new Map<string, string[]>();
  let said: string[] | undefined;
  for (const line of lines) {
    const [, failed] = unittestFailure.exec(line) ?? [];
    if (/^={70}$/.test(line)) said = undefined;
    else said?.push(line);
    if (failed === undefined) continue;
    said = [];
    failures.set(failed, said);
  }
  const tests: PrintedTest[] = [];
  let open: string | undefined;
  for (const line of lines) {
    const started = unittestStart.exec(line);
    if (started !== null) open = started[1];
    const [, word = ""] = unittestEnd.exec(started === null ? line : (started[2] ?? "")) ?? [];
    if (open === undefined || word === "") continue;
    const status = word === "expected failure" ? "expected-failure" : statusOf(word);
    tests.push({ name: open, status, said: shorten(failures.get(open) ?? []) });
    open = undefined;
  }
  return tests.length === 0 ? undefined : { dialect: "unittest", tests };
};

interface LineForm {
  readonly dialect: string;
  readonly form: RegExp;
  /** A line that only this format has. Required if the format's results look like those of another format. */
  readonly sign?: RegExp;
  /** The positions of the groups for name and result. */
  readonly name: number;
  readonly word: number;
}

/** The most reliable first; each format has one line per test. */
const forms: readonly LineForm[] = [
  {
    dialect: "Automake",
    form: /^(PASS|FAIL|XFAIL|XPASS|SKIP|ERROR): (\S.*)$/,
    sign: /^# TOTAL: /,
    name: 2,
    word: 1,
  },
  { dialect: "cargo", form: /^test (\S.*?) \.\.\. (ok|FAILED|ignored)\b/, name: 1, word: 2 },
  { dialect: "go", form: /^\s*--- (PASS|FAIL|SKIP): (\S+) \(/, name: 2, word: 1 },
  {
    dialect: "prove",
    form: /^(\S+\.t) \.{2,} ?(ok|skipped|Failed|Dubious|All \d+ subtests passed)\b/,
    name: 1,
    word: 2,
  },
  {
    dialect: "lines of results",
    form: /^\s*\[?\s*(ok|pass(?:ed)?|fail(?:ed|ure)?|not ok|error|skip(?:ped)?)\s*\]?(?:\s*[:\-–]\s*|\s+)(\S.*)$/i,
    name: 2,
    word: 1,
  },
  {
    dialect: "lines of results",
    form: /^\s*(\S.*?)\s*(?:\.{2,}|:|[ \t]-|→|=>)\s*\[?\s*(ok|pass(?:ed)?|fail(?:ed|ure)?|not ok|error|skip(?:ped)?)\s*\]?[.!]?$/i,
    name: 1,
    word: 2,
  },
];

/** Texts that are not test names: totals, as in `3 passed`, and messages, as in `failed to open a.c`. */
const figures = /^(?:(?:\d+|all|total|tests?|suites?|summary|results?)\b|to\s)/i;

const ofForm =
  ({ dialect, form, sign, name, word }: LineForm): Dialect =>
  (lines) => {
    if (sign !== undefined && !lines.some((line) => sign.test(line))) return undefined;
    const found = lines.flatMap((line, at) => {
      const match = form.exec(line);
      const title = match?.[name]?.trim() ?? "";
      const isFigure = dialect === "lines of results" && figures.test(title);
      return match === null || isFigure ? [] : [{ at, title, said: match[word] ?? "" }];
    });
    const tests = found.map(({ at, title, said }, index): PrintedTest => {
      const status = statusOf(said);
      const before = lines.slice((found[index - 1]?.at ?? -1) + 1, at + 1);
      const after = lines.slice(at + 1, found[index + 1]?.at ?? lines.length);
      // Some programs print the reason before the result, others after it.
      return {
        name: status === "failed" ? withoutReason(title) : title,
        status,
        said: status === "failed" ? shorten([...before, ...after]) : "",
      };
    });
    return tests.length === 0 ? undefined : { dialect, tests };
  };

function statusOf(word: string): PrintedTest["status"] {
  if (/^(?:ok|pass|passed|all)\b/i.test(word)) return "passed";
  if (/^(?:skip|ignored)/i.test(word)) return "skipped";
  return word === "XFAIL" ? "expected-failure" : "failed";
}

const dialects: readonly Dialect[] = [googleTest, durations, unittest, ...forms.map(ofForm)];

function shorten(lines: readonly string[]): string {
  return lines.slice(-mostLines).join("\n").trim();
}
