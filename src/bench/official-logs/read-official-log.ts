/**
 * Reads one `test_output.txt` of SWE-bench's harness (version 4 or 5) as that harness does (`grading.py`,
 * `get_logs_eval`).
 */
import type { LogRow, StatusMap } from "./contract.ts";
import { findLogParser } from "./log-parsers.ts";

/**
 * A log as the official harness reads it. `void`: the harness counts the task as unresolved, whatever the lists say.
 */
export type OfficialLog =
  | { readonly kind: "results"; readonly statuses: StatusMap }
  | { readonly kind: "void"; readonly reason: string };

/** Marks of the harness's own script that void a log. */
const voids: Readonly<Record<string, string>> = {
  ">>>>> Patch Apply Failed": "the patch did not apply",
  ">>>>> Reset Failed": "the harness could not reset the repository",
  ">>>>> Tests Errored": "the tests could not be run",
  ">>>>> Tests Timed Out": "the tests reached the harness's time limit",
};
const begin = ">>>>> Start Test Output";
const end = ">>>>> End Test Output";

/** Signs that a suite ran, for parsers that name only failing tests. A count of 0 is not a sign. */
const ran =
  /Executed [1-9]\d* of \d+|TOTAL: [1-9]\d* (?:SUCCESS|FAILED)|[1-9]\d* passing|Tests:\s+[1-9]\d*|Test Suites:\s+(?:\d+ [\p{L}\p{N}_]+, )*[1-9]\d* total|^# tests [1-9]\d*|[1-9]\d* specs?, \d+ failures?|': ok$/mu;

/** Reads the log with our implementation of SWE-bench's parser. Throws MillwrightError("usage") if there is none. */
export function readOfficialLog(text: string, parser: string, row: LogRow): OfficialLog {
  const log = text.replaceAll(/\r\n?/g, "\n");
  const cause = Object.entries(voids).find(([mark]) => log.includes(mark));
  if (cause !== undefined) return { kind: "void", reason: cause[1] };
  if (!log.includes(begin) || !log.includes(end)) {
    return { kind: "void", reason: "the log lacks the marks around the tests' output" };
  }
  const parse = findLogParser(parser);
  const marked = parse(log.split(begin)[1]?.split(end)[0] ?? "", row);
  const statuses = marked.size > 0 ? marked : parse(log, row);
  if (statuses.size === 0 && !ran.test(log))
    return { kind: "void", reason: "the log shows that no test ran" };
  const exitCode = Number(/>>>>> Test Exit Code:\s*(-?\d+)/.exec(log)?.[1] ?? 0);
  const hasFailure = [...statuses.values()].some((status) => status === "FAILED" || status === "ERROR");
  if (exitCode !== 0 && statuses.size > 0 && !hasFailure) {
    return {
      kind: "void",
      reason: `the test command ended with exit code ${exitCode}, but the log shows no failure`,
    };
  }
  return { kind: "results", statuses };
}
