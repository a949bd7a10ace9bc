/** SWT-bench's log parsers. They behave like SWT-bench's repository at 330a649 (`src/log_parsers.py`). */
import { pythonPattern, type StatusMap, wordsOf } from "./contract.ts";
import { cutPath, seaborn, withoutEscapesOfV2, withoutMouseButtons } from "./pytest-parsers.ts";

/** A parser that reads the status of each test from a log. `log`: with `\n` line ends only. */
export type SwtParser = (log: string) => StatusMap;

/** SWT-bench's statuses: it knows no expected failures. */
const statusNames = ["FAILED", "PASSED", "SKIPPED", "ERROR"] as const;
const beginsWithStatus = (line: string): boolean => statusNames.some((status) => line.startsWith(status));
const { raw } = String;

function readSummary(line: string): readonly string[] {
  return wordsOf(line.startsWith("FAILED") ? line.replaceAll(" - ", " ") : line);
}

function pytestWith(changeLine: (line: string) => string, changeName: (name: string) => string): SwtParser {
  return (log) => {
    const found: StatusMap = new Map();
    for (const line of log.split("\n").map(changeLine)) {
      const [status, name] = beginsWithStatus(line) ? readSummary(line) : [];
      if (status !== undefined && name !== undefined) found.set(changeName(name), status);
    }
    return found;
  };
}

const same = (text: string): string => text;
const pytest = pytestWith(same, same);
const pytestOptions = pytestWith(same, cutPath);

/** Reads pytest's log. Old versions print the status after the name. */
const pytestV2: SwtParser = (log) => {
  const found: StatusMap = new Map();
  for (const line of log.split("\n").map(withoutEscapesOfV2)) {
    const isSummary = beginsWithStatus(line);
    if (!isSummary && !statusNames.some((status) => line.endsWith(status))) continue;
    const [first, second] = isSummary ? readSummary(line) : wordsOf(line);
    if (first === undefined || second === undefined) continue;
    if (isSummary) found.set(second, first);
    else found.set(first, second);
  }
  return found;
};

const sympyErrors = pythonPattern(raw`_\n_* [^\n]*\.py::?([^\n]*) _*`, "g");
const sympyTests = pythonPattern(raw`test_(\S*)\s+(E|F|ok)\s`, "g");
const sympyStatuses: Readonly<Record<string, string>> = { E: "ERROR", F: "FAILED", ok: "PASSED" };

const sympy: SwtParser = (log) => {
  const found: StatusMap = new Map();
  for (const [, name = ""] of log.matchAll(sympyErrors)) found.set(name, "FAILED");
  for (const [, name = "", mark = ""] of log.matchAll(sympyTests)) {
    found.set(`test_${name}`, sympyStatuses[mark] ?? "");
  }
  return found;
};

const begin = raw`(?<!\w)`;
const end = raw`(?!\w)`;
const djangoWords = `OK|ok|FAILED|ERROR|skipped`;
/** A name, `...`, and the next status word, without another `...` or the beginning of another test between them. */
const djangoTests = pythonPattern(
  raw`(${begin}(?:test|app_unmigrated)\S*\s+\([^)]*\))(?:[^](?!\.\.\.))*\s*\.\.\.` +
    raw`(?:[^](?!${begin}(?:test_|app_unmigrated|${djangoWords})${end}))*\s*${begin}(${djangoWords})${end}`,
  "g",
);
const djangoNames = pythonPattern(raw`${begin}(?:test_|app_unmigrated)\S*\s+\([^)]*\)`, "g");
const djangoStatuses: Readonly<Record<string, string>> = {
  ...{ ok: "PASSED", OK: "PASSED", skipped: "SKIPPED" },
  ...{ FAILED: "FAILED", ERROR: "ERROR" },
};

const django: SwtParser = (log) => {
  const found: StatusMap = new Map();
  for (const [, name = "", word = ""] of log.matchAll(djangoTests)) {
    found.set(name, djangoStatuses[word] ?? "");
  }
  for (const line of log.split("\n")) {
    for (const [mark, status] of [
      ["ERROR", "ERROR"],
      ["FAIL", "FAILED"],
    ] as const) {
      const names = line.startsWith(`${mark}:`) ? (line.split(mark)[1]?.match(djangoNames) ?? []) : [];
      if (names.length === 1) found.set(names[0] ?? "", status);
    }
  }
  return found;
};

/** Parses the log of a script that a model wrote. The script's exit code is the only test. */
export const scriptParser: SwtParser = (log) => {
  const [, code] = pythonPattern(raw`(?<![^\n])\+ echo (\d+)(?![^\n])`).exec(log) ?? [];
  const statuses =
    code === undefined ? [] : [["reproduction_script", code === "0" ? "PASSED" : "FAILED"] as const];
  return new Map(statuses);
};

const parsers: readonly { readonly parse: SwtParser; readonly of: readonly string[] }[] = [
  {
    parse: pytest,
    of: [
      ...["marshmallow-code/marshmallow", "pallets/flask", "pvlib/pvlib-python", "pydata/xarray"],
      ...["pylint-dev/astroid", "pytest-dev/pytest", "pyvista/pyvista", "sqlfluff/sqlfluff"],
      "nielstron/humaneval_fix",
    ],
  },
  { parse: pytestOptions, of: ["psf/requests", "pydicom/pydicom", "pylint-dev/pylint"] },
  { parse: pytestV2, of: ["astropy/astropy", "scikit-learn/scikit-learn", "sphinx-doc/sphinx"] },
  { parse: pytestWith(withoutMouseButtons, same), of: ["matplotlib/matplotlib"] },
  { parse: seaborn, of: ["mwaskom/seaborn"] },
  { parse: sympy, of: ["sympy/sympy"] },
  { parse: django, of: ["django/django"] },
];

/** Returns the log parser of a repository; undefined for a repository outside of SWT-bench. */
export const swtParserOf = (repository: string): SwtParser | undefined =>
  parsers.find((each) => each.of.includes(repository))?.parse;
