/**
 * A table of SWE-bench's parsers that read each line separately. They behave like `swebench` 5.0.2
 * (`harness/log_parsers`).
 */
import { type LogParser, type StatusMap, strip, withoutEscapes } from "./contract.ts";

const passed = "PASSED";
const failed = "FAILED";
const skipped = "SKIPPED";

interface LineForm {
  /** A pattern with the groups `mark` and `name`, matched at the start of the stripped line. */
  readonly pattern: RegExp;
  /** Statuses by mark; a line with another mark says nothing. */
  readonly marks: Readonly<Record<string, string>>;
  readonly nameOf?: (name: string, mark: string) => string;
}

function byLine({ pattern, marks, nameOf = (name) => name }: LineForm): LogParser {
  return (log) => {
    const found: StatusMap = new Map();
    for (const line of log.split("\n")) {
      const { mark = "", name = "" } = pattern.exec(strip(line))?.groups ?? {};
      const status = marks[mark];
      if (status !== undefined) found.set(nameOf(name, mark), status);
    }
    return found;
  };
}

/** Makes a parser for logs that name only failing tests. Counts every match in the whole log. */
function failuresBy(patterns: readonly RegExp[], nameOf: (name: string) => string): LogParser {
  return (log) => {
    const found: StatusMap = new Map();
    for (const pattern of patterns) {
      for (const { groups } of log.matchAll(pattern)) found.set(nameOf(groups?.["name"] ?? ""), failed);
    }
    return found;
  };
}

const onOneLine = (text: string): string => strip(text.replaceAll(/\s+/g, " "));

const minitest = byLine({
  pattern: /^(?<name>[^\n]+)\. [^\n]*=[^\n]*(?<mark>\.|F|E)[^\n]*$/,
  marks: { ".": passed, F: failed, E: failed },
});
const cucumber = byLine({ pattern: /^(?<name>[^\n]*) \.+(?<mark>\.|F)/, marks: { ".": passed, F: failed } });
const jest = byLine({
  pattern: /^\s*(?<mark>✓|✕|○)\s(?<name>[^\n]+?)(?:\s\((?:\d+\s*m?s)\))?$/,
  marks: { "✓": passed, "✕": failed, "○": skipped },
  nameOf: strip,
});
const jestJson = byLine({
  pattern: /^\[(?<mark>PASSED|FAILED)\]\s(?<name>[^\n]+)$/,
  marks: { PASSED: passed, FAILED: failed },
});

/** Reads lines such as `PASS FILE (5 s)`. Each file counts as one test, named without the time. */
export const filesParser: LogParser = (log) => {
  const found: StatusMap = new Map();
  for (const line of log.split("\n")) {
    const { mark, rest = "" } = /^(?<mark>PASS|FAIL)\s(?<rest>[^\n]*)/.exec(line)?.groups ?? {};
    if (mark === undefined) continue;
    const timed = [/^([^\n]*)\s\([\d.]+ms\)/, /^([^\n]*)\s\([\d.]+\ss\)/, /^([^\n]*)\s\([\d.]+s\)/];
    const name = timed.map((each) => each.exec(rest)?.[1]).find((each) => each !== undefined);
    found.set(name ?? rest, mark === "PASS" ? passed : failed);
  }
  return found;
};

/** Like `filesParser`, but reads the failing files first. A file with a failing and a passing line then counts as passed. */
const grommet: LogParser = (log) => {
  const found: StatusMap = new Map();
  for (const [mark, status] of [
    ["FAIL", failed],
    ["PASS", passed],
  ] as const) {
    for (const [, rest = ""] of log.matchAll(new RegExp(`^${mark}\\s([^\\n]*)`, "gm"))) {
      found.set(strip(rest).replace(/\s\([\d.]+\s?(?:ms|s)\)$/, ""), status);
    }
  }
  return found;
};

const chartJs = failuresBy(
  [/Chrome\s[\d.]+[^\S\r\n]\([^\n]+?\)[^\S\r\n](?<name>[^\n]*)FAILED$/gm],
  (name) => name,
);

/** Reads PHPUnit's log. The suite is the last line of the form `Calculator (Tests\Calculator)`. */
const phpunit: LogParser = (log) => {
  const found: StatusMap = new Map();
  const marks: Readonly<Record<string, string>> = { "✔": passed, "✘": failed, "↩": skipped };
  let suite = "None";
  for (const line of log.split("\n")) {
    const begun = /^([\p{L}\p{N}_][^\n]+) \([^\n]+\)$/u.exec(line)?.[1];
    if (begun !== undefined) {
      suite = begun;
      continue;
    }
    const { mark = "", name = "" } = /^\s*(?<mark>[✔✘↩])\s*(?<name>[^\n]*)$/u.exec(line)?.groups ?? {};
    const status = marks[mark];
    if (status !== undefined) found.set(`${suite} > ${name}`, status);
  }
  return found;
};

export const lineParsers: Readonly<Record<string, LogParser>> = {
  parse_log_gotest: byLine({
    pattern: /^--- (?<mark>PASS|FAIL|SKIP): (?<name>[^\n]+) \([^\n]+\)$/,
    marks: { PASS: passed, FAIL: failed, SKIP: skipped },
  }),
  parse_log_cargo: byLine({
    pattern: /^test\s+(?<name>\S+)\s+\.\.\.\s+(?<mark>[\p{L}\p{N}_]+)$/u,
    marks: { ok: passed, FAILED: failed },
  }),
  parse_log_googletest: byLine({
    pattern: /^[^\n]*\[\s*(?<mark>OK|FAILED)\s*\]\s(?<name>[^\n]*)\s\([^\n]*\)$/,
    marks: { OK: passed, FAILED: failed },
  }),
  parse_log_redis: byLine({
    pattern: /^\[(?<mark>ok|err|skip|ignore)\]:\s(?<name>[^\n]+?)(?:\s\((?:\d+\s*m?s)\))?$/,
    marks: { ok: passed, err: failed, skip: skipped, ignore: skipped },
    nameOf: (name, mark) => (mark === "err" ? name.replace(/\s+in\s+\S+$/, "") : name),
  }),
  parse_log_jq: byLine({
    pattern: /^\s*(?<mark>PASS|FAIL):\s(?<name>[^\n]+)$/,
    marks: { PASS: passed, FAIL: failed },
  }),
  parse_log_micropython_test: byLine({
    pattern: /^(?<mark>pass|FAIL|skip)\s+(?<name>[^\n]+)$/,
    marks: { pass: passed, FAIL: failed, skip: skipped },
  }),
  parse_log_ant: byLine({
    pattern: /^\s*\[junit\]\s+\[(?<mark>PASS|FAIL|ERR)\]\s+(?<name>[^\n]*)$/,
    marks: { PASS: passed, FAIL: failed, ERR: failed },
  }),
  parse_log_tap: byLine({
    pattern: /^(?<mark>ok|not ok) \d+ (?<name>[^\n]+)$/,
    marks: { ok: passed, "not ok": failed },
  }),
  parse_log_vitest: byLine({
    pattern: /^\s*(?<mark>✓|×|↓)\s(?<name>[^\n]+?)(?:\s(?:\d+\s*m?s?|\[skipped\]))?$/,
    marks: { "✓": passed, "×": failed, "↓": skipped },
  }),
  parse_log_ruby_unit: byLine({
    pattern: /^\s*(?:test: )?(?<name>[^\n]+):\s+(?<mark>\.|E\b|F\b|O\b)/,
    marks: { ".": passed, E: failed, F: failed, O: skipped },
  }),
  parse_log_rspec_transformed_json: byLine({
    pattern: /^(?<name>[^\n]+) - (?<mark>passed|failed)/,
    marks: { passed, failed },
  }),
  parse_log_minitest: minitest,
  parse_log_cucumber: cucumber,
  parse_log_jest: jest,
  parse_log_jest_json: jestJson,
  parse_log_phpunit: phpunit,
  parse_log_carbon: filesParser,
  parse_log_react_pdf: filesParser,
  parse_log_grommet: grommet,
  parse_log_marked: failuresBy([/^\d+\)[^\S\n](?<name>[^\n]*)/gm], strip),
  parse_log_eslint: failuresBy([/\s{2}\d+\)(?<name>[\s\S]*?)\s+(?:[^\n]*)Error/g], onOneLine),
  parse_log_bpmn_js: failuresBy(
    [
      /2KPhantomJS\s[\d.]+\s\(Linux\s[\d.]+\)\s(?<name>[^\n]*)FAILED\n/g,
      /2KPhantomJS\s[\d.]+\s\(Linux\sx86_64\)\s(?<name>[^\n]*)FAILED\n/g,
      /Chrome\sHeadless\s[^\n]*\s\(Linux\sx86_64\)\s(?<name>[^\n]*)FAILED\n/g,
      /HeadlessChrome\s[\d.]+\s\(Linux\s[\d.]+\)\s(?<name>[^\n]*)FAILED\n/g,
    ],
    (name) => name,
  ),
  parse_log_openlayers: failuresBy(
    [
      /Chrome\sHeadless\s[\d.]+\s\(Linux\s[\d._\S]+\)\s(?<name>[^\n]*)\sFAILED\n/g,
      /Chrome\s[\d.]+\s\(Linux\s[\d._\S]+\)\s(?<name>[^\n]*)FAILED\n/g,
      /^\s{2}\d+\)(?<name>[\s\S]*?)Error:/gm,
      /^case\s(?<name>[^\n]*):\smismatch/gm,
    ],
    onOneLine,
  ),
  parse_log_chart_js: (log, row) => chartJs(withoutEscapes(log), row),
  // Two projects changed their runner between tasks.
  parse_log_jekyll: (log, row) => {
    const number = row.id.split("-")[1] ?? "";
    return (["8761", "8771"].includes(number) ? cucumber : minitest)(log, row);
  },
  parse_log_immutable_js: (log, row) => (row.id.endsWith("-2005") ? jestJson : jest)(log, row),
};
