/**
 * Reads the Test Anything Protocol, versions 12 to 14, from program output; streams of several programs may follow each
 * other. Pure.
 */
import { countOf } from "../../base/count.ts";
import type { Printed, PrintedTest } from "./printed.ts";

const result = /^(not )?ok\b(?:\s+(\d+))?(?:\s*-)?\s*(.*)$/;
const plan = /^1\.\.(\d+)\b/;
const mostLines = 40;

/**
 * Reads TAP. Undefined if neither a plan nor a version identifies the output as TAP. Indented lines belong to subtests,
 * whose parent has its own line.
 */
export function parseTap(lines: readonly string[]): Printed | undefined {
  if (!lines.some((line) => plan.test(line) || /^TAP version \d+/.test(line))) return undefined;
  const tests: { name: string; status: PrintedTest["status"]; said: string[] }[] = [];
  let planned: number | undefined;
  let stopped = "";
  for (const line of lines) {
    const announced = plan.exec(line)?.[1];
    if (announced !== undefined) planned = (planned ?? 0) + Number(announced);
    stopped ||= /^Bail out!\s*(.*)$/.exec(line)?.[0] ?? "";
    // `prove -v` ends each file's tests with such a line.
    if (line === "ok" && tests.length === planned) continue;
    const match = result.exec(line);
    if (match === null) {
      if (tests.length > 0 && !plan.test(line)) tests.at(-1)?.said.push(line.replace(/^#\s?/, ""));
      continue;
    }
    const [, not, order = String(tests.length + 1), rest = ""] = match;
    const [, title = rest, directive = "", why = ""] =
      /^(.*?)\s*#\s*(TODO|SKIP)\S*\s*(.*)$/i.exec(rest) ?? [];
    const name = title.trim() === "" ? `test ${order}` : title.trim();
    const status = statusOf(not !== undefined, directive.toUpperCase());
    tests.push({
      name: status === "failed" ? withoutReason(name) : name,
      status,
      said: why === "" ? (withoutReason(name) === name ? [] : [name]) : [why],
    });
  }
  const ran = tests.length;
  const problem =
    stopped !== ""
      ? stopped
      : planned !== undefined && planned !== ran
        ? `the TAP plan has ${countOf(planned, "test")}, but ${ran} ${ran === 1 ? "has a result" : "have results"}`
        : undefined;
  return {
    dialect: "TAP",
    problem,
    tests: tests.map(({ said, ...test }) => ({ ...test, said: said.slice(0, mostLines).join("\n").trim() })),
  };
}

/**
 * Removes a failure's reason from a title: `fee 7: expected 15, got 10` becomes `fee 7`, the test's name when it
 * passes. Treats every comparison in a title as such a reason.
 */
export function withoutReason(title: string): string {
  return (
    /^(.*?\S)\s*[:;,(–-]+\s*(?:expect\w*|want\w*|got|actual\w*)\b.*\b(?:expect\w*|want\w*|got|actual\w*|was)\b/i.exec(
      title,
    )?.[1] ?? title
  );
}

/** A test's status. A test marked TODO may fail; if it passes, it counts as passed. */
function statusOf(isNot: boolean, directive: string): PrintedTest["status"] {
  if (directive === "SKIP") return "skipped";
  if (directive === "TODO") return isNot ? "expected-failure" : "passed";
  return isNot ? "failed" : "passed";
}
