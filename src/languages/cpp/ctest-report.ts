/** Reads the results of `runtime/cmake/millwright-ctest.sh`: the tests, how they ended, and why a build failed. */
import { gunzipSync } from "node:zlib";
import { parseXml, XmlElement } from "@rgrove/parse-xml";
import type { TestFailure, TestKey, TestOutcome } from "../../domain/test-outcome.ts";
import { isFailing } from "../../domain/test-outcome.ts";
import type { ReportRequest, TestReport } from "../contract.ts";
import { crashType } from "../report-lines.ts";
import { findCompilerError, readCppFailure } from "./cpp-failure.ts";

interface KnownTest {
  readonly number: string;
  readonly key: TestKey;
  /** CMake's name for the program it runs, or "". */
  readonly made: string;
}

export function parseCtestReport(request: ReportRequest): TestReport {
  const text = (name: string): string => request.files.get(name)?.toString("utf8") ?? "";
  const report = (outcomes: readonly TestOutcome[], invalid?: string): TestReport => ({
    outcomes,
    coverage: new Map(),
    invalid,
  });
  if (!request.files.has("build-status")) {
    const said =
      findConfigureError(text("configure.log")) || request.stderr.trim().slice(-500) || "cmake was not run";
    return report([], `CMake could not configure the project: ${said}`);
  }
  // Tests can write to these files, so they only supplement what ctest prints.
  const known = readTests(readNumbers(request.stdout) ?? text("tests"));
  const selection = readSelection(text("selection"), request.files.has("selection"));
  const isBuilt = text("build-status").trim() === "0";
  const build = isBuilt ? undefined : readBuildFailure(text("build.log"), request.root);
  const verdicts = readVerdicts(`${text("ctest.log")}\n${request.stdout}`);
  const cases = readCases(text("junit.xml"));
  const wanted = known.filter(({ key }) => selection?.includes(key) ?? true);
  const outcomes = wanted.map((test): TestOutcome => {
    if (build !== undefined && !build.built.has(test.made)) {
      return { key: test.key, status: "failed", durationMs: 0, failure: build.failure };
    }
    return judge(test.key, verdicts.get(test.number), takeCase(cases, test.key.name), request);
  });
  const gone = (selection?.keys ?? []).filter((key) => !known.some((test) => isSame(test.key, key)));
  const all = [...outcomes, ...gone.map((key): TestOutcome => ({ key, status: "not-run", durationMs: 0 }))];
  if (build !== undefined && all.length === 0) {
    const key = { package: "", target: build.failure.frames[0]?.file ?? "build", name: "" };
    all.push({ key, status: "errored", durationMs: 0, failure: build.failure });
  }
  return report(all, findInvalidity(request, all, build !== undefined));
}

function findInvalidity(
  request: ReportRequest,
  outcomes: readonly TestOutcome[],
  broken: boolean,
): string | undefined {
  const failing = outcomes.some((outcome) => isFailing(outcome.status));
  if (request.exitCode === null) return "the run was killed before its end";
  if (!outcomes.some((outcome) => outcome.status !== "not-run")) return "no test ran";
  if (failing && request.exitCode === 0 && !broken) return "a test failed, but ctest ended with exit code 0";
  if (!failing && request.exitCode !== 0)
    return `no test failed, but ctest ended with exit code ${request.exitCode}`;
  return undefined;
}

function findConfigureError(log: string): string {
  const at = log.indexOf("CMake Error");
  return at === -1 ? "" : log.slice(at, at + 500).trim();
}

/** Numbers the tests with the same program and name, because names are unique only within a folder. */
function readTests(text: string): KnownTest[] {
  const seen = new Map<string, number>();
  return text.split("\n").flatMap((line) => {
    const [number = "", target = "", made = "", ...name] = line.split("\t");
    if (number === "") return [];
    const full = name.join("\t");
    const count = (seen.get(`${target}\t${full}`) ?? 0) + 1;
    seen.set(`${target}\t${full}`, count);
    return [{ number, made, key: { package: "", target, name: count === 1 ? full : `${full} #${count}` } }];
  });
}

interface ReadSelection {
  readonly keys: readonly TestKey[];
  includes(key: TestKey): boolean;
}

function readSelection(text: string, isGiven: boolean): ReadSelection | undefined {
  if (!isGiven) return undefined;
  const lines = new Set(text.split("\n").filter((line) => line !== ""));
  const keys = [...lines].flatMap((line) => {
    const [target = "", ...name] = line.split("\t");
    return name.length === 0 ? [] : [{ package: "", target, name: name.join("\t") }];
  });
  return { keys, includes: (key) => lines.has(key.target) || lines.has(`${key.target}\t${key.name}`) };
}

function isSame(a: TestKey, b: TestKey): boolean {
  return a.target === b.target && a.name === b.name;
}

const longestList = 2 ** 26;

/** The list of tests as printed before the first one ran. Throws if a build printed something else. */
function readNumbers(stdout: string): string | undefined {
  const [, packed] = /^@@tests (\S+)$/m.exec(stdout) ?? [];
  return packed === undefined
    ? undefined
    : gunzipSync(Buffer.from(packed, "base64"), { maxOutputLength: longestList }).toString("utf8");
}

/**
 * By number: ctest's text after the dots, or "" for a test that started and did not end. If ctest's log and its output
 * disagree, the result that is not a pass counts.
 */
function readVerdicts(log: string): Map<string, { readonly said: string; readonly seconds: number }> {
  const verdicts = new Map<string, { said: string; seconds: number }>();
  for (const [, number = ""] of log.matchAll(/^ +Start +(\d+): /gm))
    verdicts.set(number, { said: "", seconds: 0 });
  for (const [line, number = ""] of log.matchAll(/^ *\d{1,9}\/\d{1,9} Test +#(\d{1,9}): [^\n]*/gm)) {
    const untilTime = line.slice(0, line.lastIndexOf(" sec"));
    const dots = untilTime.lastIndexOf(" .");
    const [time, seconds] = / (\d{1,9}\.\d{1,9})$/.exec(untilTime) ?? [];
    if (dots === -1 || time === undefined) continue;
    const said = untilTime
      .slice(dots + 1, -time.length)
      .replace(/^\.+/, "")
      .trim();
    const before = verdicts.get(number)?.said;
    if (before !== undefined && before !== "" && before !== "Passed") continue;
    verdicts.set(number, { said: said === "" ? "Passed" : said, seconds: Number(seconds) });
  }
  return verdicts;
}

/** The tests' output by name, in order, because folders may share names. */
function readCases(xml: string): Map<string, { readonly output: string; readonly skipped: string }[]> {
  const cases = new Map<string, { output: string; skipped: string }[]>();
  if (xml === "") return cases;
  try {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: tests print what XML does not allow
    const root = parseXml(xml.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "\ufffd"), {
      ignoreUndefinedEntities: true,
    }).root;
    for (const child of root?.children ?? []) {
      if (!(child instanceof XmlElement) || child.name !== "testcase") continue;
      const inner = (name: string): XmlElement | undefined =>
        child.children.find((one): one is XmlElement => one instanceof XmlElement && one.name === name);
      const name = child.attributes["name"] ?? "";
      const made = {
        output: inner("system-out")?.text ?? "",
        skipped: inner("skipped")?.attributes["message"] ?? "",
      };
      cases.set(name, [...(cases.get(name) ?? []), made]);
    }
  } catch {
    return new Map(); // cut off by a kill, but the log has the verdicts
  }
  return cases;
}

function takeCase(
  cases: ReturnType<typeof readCases>,
  name: string,
): { output: string; skipped: string } | undefined {
  return cases.get(name.replace(/ #\d+$/, ""))?.shift() ?? cases.get(name)?.shift();
}

function judge(
  key: TestKey,
  verdict: { readonly said: string; readonly seconds: number } | undefined,
  found: { readonly output: string; readonly skipped: string } | undefined,
  request: ReportRequest,
): TestOutcome {
  if (verdict === undefined) return { key, status: "not-run", durationMs: 0 };
  const durationMs = Math.round(verdict.seconds * 1000);
  const { said } = verdict;
  if (/^Passed/.test(said)) return { key, status: "passed", durationMs };
  if (/Skipped|Disabled/.test(said)) return { key, status: "skipped", durationMs };
  const output = found?.output ?? "";
  const failed = (type: string, message: string): TestOutcome => ({
    key,
    status: "failed",
    durationMs,
    failure: readCppFailure(output, type, message, request.root),
  });
  if (said === "") return failed(crashType, "ctest was killed while this test ran");
  if (/Timeout/.test(said)) return failed("TimeoutError", `the test did not end within ${verdict.seconds} s`);
  if (/Not Run/.test(said))
    return {
      ...failed("NotRun", found?.skipped || output || "the test could not be started"),
      status: "errored",
    };
  const exception = /Exception: *(\w+)/.exec(said)?.[1];
  return failed(exception ?? (/aborted/.test(said) ? "Abort" : "Failed"), said.replace(/\*+/g, " ").trim());
}

interface BuildFailure {
  /** CMake's names of targets that were built or up to date. Only make prints these. */
  readonly built: ReadonlySet<string>;
  readonly failure: TestFailure;
}

function readBuildFailure(log: string, root: string): BuildFailure {
  const built = [...log.matchAll(/\] Built target (\S+)/g)].map(([, name = ""]) => name);
  return { built: new Set(built), failure: findCompilerError(log, root) };
}
