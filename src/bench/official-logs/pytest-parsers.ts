/** SWE-bench's parsers for Python projects. They behave like `swebench` 5.0.2 (`harness/log_parsers/python.py`). */
import { type LogParser, officialStatuses, type StatusMap, strip, wordsOf } from "./contract.ts";

const statusNames = Object.keys(officialStatuses);
const beginsWithStatus = (line: string): boolean => statusNames.some((status) => line.startsWith(status));

/** True for `SKIPPED [3] path:line: reason`, which counts skipped tests and names none. */
const isSkipCount = (status: string, name: string): boolean =>
  status === "SKIPPED" && /^\[\p{Nd}+\]$/u.test(name);

/** Parses one line of `pytest -rA`'s summary: the status, the node id, and after a failure ` - ` and its message. */
function summaryOf(line: string): readonly [status: string, name: string] | undefined {
  if (!beginsWithStatus(line)) return undefined;
  const [status, name] = wordsOf(line.startsWith("FAILED") ? line.replaceAll(" - ", " ") : line);
  return status === undefined || name === undefined || isSkipCount(status, name) ? undefined : [status, name];
}

function pytestWith(changeLine: (line: string) => string, changeName: (name: string) => string): LogParser {
  return (log) => {
    const found: StatusMap = new Map();
    for (const line of log.split("\n")) {
      const summary = summaryOf(changeLine(line));
      if (summary !== undefined) found.set(changeName(summary[1]), summary[0]);
    }
    return found;
  };
}

const same = (text: string): string => text;

/** Shortens a path that is a test's parameter: `test[/a/b.py]` becomes `test[/b.py]`. */
export function cutPath(name: string): string {
  const match = /([^\n]*?)\[([^\n]*)\]/.exec(name);
  if (match === null) return name;
  const [, main = "", option = ""] = match;
  const isPath = option.startsWith("/") && !option.startsWith("//") && !option.includes("*");
  return `${main}[${isPath ? `/${option.split("/").at(-1)}` : option}]`;
}

const pytest = pytestWith(same, same);
const pytestOptions = pytestWith(same, cutPath);
export const withoutMouseButtons = (line: string): string =>
  line.replaceAll("MouseButton.LEFT", "1").replaceAll("MouseButton.RIGHT", "3");
const matplotlib = pytestWith(withoutMouseButtons, same);

export const withoutEscapesOfV2 = (line: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours and other escapes are what has to go
  line.replaceAll(/\[\p{Nd}+m/gu, "").replaceAll(/[\x01-\x1f]/g, "");

/**
 * Reads the log without colours. A test's name may contain spaces. Old versions print the status at the end of a line.
 */
const pytestV2: LogParser = (log) => {
  const found: StatusMap = new Map();
  for (const line of log.split("\n").map(withoutEscapesOfV2)) {
    if (beginsWithStatus(line)) {
      const [status = "", ...name] = wordsOf(
        line.startsWith("FAILED") ? (line.split(" - ", 1)[0] ?? "") : line,
      );
      if (name.length > 0 && !isSkipCount(status, name[0] ?? "")) found.set(name.join(" "), status);
    } else if (statusNames.some((status) => line.endsWith(status))) {
      const words = wordsOf(line);
      if (words.length > 1) found.set(words.slice(0, -1).join(" "), words.at(-1) ?? "");
    }
  }
  return found;
};

export const seaborn = (log: string): StatusMap => {
  const found: StatusMap = new Map();
  for (const line of log.split("\n")) {
    const [first, second] = wordsOf(line);
    if (first === undefined || second === undefined) continue;
    if (line.startsWith("FAILED")) found.set(second, "FAILED");
    else if (line.includes(" PASSED ")) {
      if (second === "PASSED") found.set(first, "PASSED");
    } else if (line.startsWith("PASSED")) found.set(second, "PASSED");
  }
  return found;
};

const sympy: LogParser = (log) => {
  const found: StatusMap = new Map();
  for (const [, file = "", name = ""] of log.matchAll(/_* ([^\n]*)\.py:([^\n]*) _*/g)) {
    found.set(`${file}.py:${name}`, "FAILED");
  }
  const ends = [
    [" E", "ERROR"],
    [" F", "FAILED"],
    [" ok", "PASSED"],
  ] as const;
  for (const line of log.split("\n").map(strip)) {
    const end = line.startsWith("test_") ? ends.find(([suffix]) => line.endsWith(suffix)) : undefined;
    if (end !== undefined) found.set(wordsOf(line)[0] ?? "", end[1]);
  }
  return found;
};

/** Reads the log of Django's own runner: `NAME ... ok`. A test's output may stand between its name and its status. */
const django: LogParser = (log) => {
  const found: StatusMap = new Map();
  const version = "--version is equivalent to version";
  let previous: string | undefined;
  for (const line of log.split("\n").map(strip)) {
    if (line.includes(version)) found.set(version, "PASSED");
    if (line.includes(" ... ")) previous = line.split(" ... ")[0];
    noteDjango(found, line);
    if (line.startsWith("ok") && previous !== undefined) found.set(previous, "PASSED");
  }
  for (const printed of djangoPrinted) {
    for (const [, name = ""] of log.matchAll(printed)) found.set(name, "PASSED");
  }
  return found;
};

const djangoEnds = [" ... ok", " ... OK", " ...  OK"];
const djangoPrinted = [
  /^([^\n]*?)\s\.\.\.\sTesting against Django installed in (?:[\s\S]*?) silenced\)\.\nok$/gm,
  /^([^\n]*?)\s\.\.\.\sInternal Server Error: \/(?:[^\n]*)\/\nok$/gm,
  /^([^\n]*?)\s\.\.\.\sSystem check identified no issues \(0 silenced\)\nok$/gm,
];

function noteDjango(found: StatusMap, line: string): void {
  const end = djangoEnds.find((suffix) => line.endsWith(suffix));
  if (end !== undefined) {
    // One migration prints its name without a line end before its test's.
    const isJoined = line.startsWith("Applying sites.0002_alter_domain_unique...test_no_migrations");
    const own = isJoined ? strip(line.slice(line.indexOf("...") + 3)) : line;
    found.set(own.slice(0, own.lastIndexOf(end)), "PASSED");
  }
  if (line.includes(" ... skipped")) found.set(line.split(" ... skipped")[0] ?? "", "SKIPPED");
  for (const [mark, status] of [
    ["FAIL", "FAILED"],
    ["ERROR", "ERROR"],
  ] as const) {
    if (line.endsWith(` ... ${mark}`)) found.set(line.split(` ... ${mark}`)[0] ?? "", status);
    const name = line.startsWith(`${mark}:`) ? wordsOf(line)[1] : undefined;
    if (name !== undefined) found.set(name, status);
  }
}

export const pythonParsers: Readonly<Record<string, LogParser>> = {
  parse_log_pytest: pytest,
  parse_log_astroid: pytest,
  parse_log_flask: pytest,
  parse_log_marshmallow: pytest,
  parse_log_pvlib: pytest,
  parse_log_pyvista: pytest,
  parse_log_sqlfluff: pytest,
  parse_log_xarray: pytest,
  parse_log_pytest_options: pytestOptions,
  parse_log_pydicom: pytestOptions,
  parse_log_requests: pytestOptions,
  parse_log_pylint: pytestOptions,
  parse_log_pytest_v2: pytestV2,
  parse_log_astropy: pytestV2,
  parse_log_scikit: pytestV2,
  parse_log_sphinx: pytestV2,
  parse_log_matplotlib: matplotlib,
  parse_log_seaborn: seaborn,
  parse_log_sympy: sympy,
  parse_log_django: django,
};
