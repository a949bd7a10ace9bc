/** Reads the results of a Java build run by `run-build.sh`. */

import { countOf } from "../../base/count.ts";
import {
  formatTestKey,
  isFailing,
  type TestFailure,
  type TestKey,
  type TestOutcome,
} from "../../domain/test-outcome.ts";
import type { ReportRequest, TestReport } from "../contract.ts";
import { type JunitCase, readJunitXml } from "../junit-xml.ts";
import { crashType } from "../report-lines.ts";
import { describeBrokenBuild } from "./java-build-errors.ts";
import { readJavaCoverage } from "./java-coverage.ts";
import { type BuildRun, moduleOf, openRun, outputOf, textOfFile } from "./java-run.ts";
import { readJavaStack } from "./java-stack.ts";
import { findEnded, type WatchedTest } from "./java-watch.ts";

const longestText = 4000;

export function parseBuildReport(request: ReportRequest): TestReport {
  const run = openRun(request);
  const problems: string[] = [];
  const outcomes = new Map<string, TestOutcome>();
  const watched = findEnded(run);
  for (const { path, text } of readResults(run)) {
    for (const suite of readJunitXml(text)) {
      if (suite.problem !== undefined) problems.push(`${path} cannot be read: ${suite.problem}`);
      for (const each of suite.cases) addCase(run, path, each, outcomes, watched.timedOut);
    }
  }
  for (const { test, failure } of [...watched.timedOut, ...watched.died]) {
    addWatched(run, test, failure, outcomes);
  }
  for (const outcome of describeBrokenBuild(run, outcomes)) {
    outcomes.set(formatTestKey(outcome.key), outcome);
  }
  const selected = selectOutcomes(run, [...outcomes.values()]);
  return {
    outcomes: selected,
    coverage: readJavaCoverage(run),
    invalid: findInvalidity(run, selected, problems) ?? findDisagreement(run, [...outcomes.values()]),
  };
}

/** This run's reports; if the run was killed, those of the finished classes. */
function readResults(run: BuildRun): { path: string; text: string }[] {
  const name = run.files.has("results.txt") ? "results.txt" : "results-so-far.txt";
  const byPath = new Map<string, string>();
  for (const part of textOfFile(run, name)
    .split(/^@@report /m)
    .slice(1)) {
    const end = part.indexOf("\n");
    byPath.set(part.slice(0, end).replace(/^\.\//, ""), part.slice(end + 1).trim());
  }
  return [...byPath].map(([path, text]) => ({ path, text }));
}

function addCase(
  run: BuildRun,
  path: string,
  each: JunitCase,
  outcomes: Map<string, TestOutcome>,
  timedOut: readonly WatchedTest[],
): void {
  const prefix = run.directory === "" ? "" : `${run.directory}/`;
  const key: TestKey = { package: moduleOf(run, prefix + path), target: each.className, name: nameOf(each) };
  const status = statusOf(each, key);
  let failure: TestFailure | undefined;
  if (isFailing(status)) {
    const method = key.name.replace(/\W.*$/s, "");
    const ended = timedOut.find((one) => one.test === `${each.className}#${method}`);
    const stopped = ended !== undefined && /ThreadDeath$/.test(each.type);
    failure = stopped ? ended.failure : describeFailure(run, each);
  }
  const outcome: TestOutcome = { key, status, durationMs: each.durationMs, ...(failure && { failure }) };
  addOnce(outcomes, outcome);
}

/** Adds an outcome. Numbers invocations with the same name (TestNG data, dynamic tests) in order. */
function addOnce(outcomes: Map<string, TestOutcome>, outcome: TestOutcome): void {
  let { key } = outcome;
  for (let number = 2; outcomes.has(formatTestKey(key)); number += 1) {
    key = { ...outcome.key, name: `${outcome.key.name}[${number}]` };
  }
  outcomes.set(formatTestKey(key), { ...outcome, key });
}

/** A test's name; "" for a failure of a whole class, which has no name or the class's name. */
function nameOf(each: JunitCase): string {
  const simple = each.className.slice(each.className.lastIndexOf(".") + 1);
  return each.name === each.className || each.name === simple ? "" : each.name;
}

function statusOf(each: JunitCase, key: TestKey): TestOutcome["status"] {
  if (each.result === "skipped") {
    return /^Skipped after failure|skipAfterFailureCount/.test(each.message) ? "not-run" : "skipped";
  }
  if (each.result === "passed") return "passed";
  return key.name === "" ? "errored" : "failed";
}

/** Keeps the end of a long stack, too: the deepest `Caused by` is the cause. */
function bothEnds(text: string): string {
  const half = longestText / 2;
  return text.length <= longestText ? text : `${text.slice(0, half)}\n[…]\n${text.slice(-half)}`;
}

function describeFailure(run: BuildRun, each: JunitCase): TestFailure {
  const type = each.type.slice(each.type.lastIndexOf(".") + 1) || "Error";
  const firstLine = each.text.split("\n")[0] ?? "";
  const message = each.message !== "" ? each.message : firstLine.replace(/^[\w.$]+(: )?/, "");
  return {
    type,
    message: message.slice(0, longestText),
    frames: readJavaStack(each.text, run.findSource),
    text: bothEnds(each.text),
  };
}

/** Adds a test that the agent saw running when its virtual machine ended, so that its class has no report. */
function addWatched(
  run: BuildRun,
  test: string,
  failure: TestFailure,
  outcomes: Map<string, TestOutcome>,
): void {
  const [target = "", name = ""] = test.split("#");
  const known = [...outcomes.values()].some(
    ({ key }) => key.target === target && key.name.replace(/\W.*$/s, "") === name,
  );
  if (known) return;
  const source = run.findSource(
    target.includes(".") ? target.slice(0, target.lastIndexOf(".")) : "",
    `${target.slice(target.lastIndexOf(".") + 1).split("$")[0]}.java`,
  );
  const key = { package: moduleOf(run, source ?? ""), target, name };
  outcomes.set(formatTestKey(key), { key, status: "failed", durationMs: 0, failure });
}

/** The outcomes of the requested tests. A test without a report is `not-run`. */
function selectOutcomes(run: BuildRun, outcomes: readonly TestOutcome[]): TestOutcome[] {
  const { selection } = run.asked;
  if (selection.kind !== "tests") return [...outcomes];
  const wanted = new Map(selection.tests.map((key) => [formatTestKey(key), key]));
  const whole = new Set(selection.tests.filter((key) => key.name === "").map((key) => formatTestKey(key)));
  const chosen = outcomes.filter(
    ({ key }) =>
      wanted.has(formatTestKey(key)) || key.name === "" || whole.has(formatTestKey({ ...key, name: "" })),
  );
  const seen = new Set(chosen.map(({ key }) => formatTestKey(key)));
  const missing = [...wanted].filter(([id, key]) => !seen.has(id) && key.name !== "");
  return [...chosen, ...missing.map(([, key]): TestOutcome => ({ key, status: "not-run", durationMs: 0 }))];
}

function findInvalidity(
  run: BuildRun,
  outcomes: readonly TestOutcome[],
  problems: readonly string[],
): string | undefined {
  const { exitCode } = run;
  const said = exitCode === null ? "killed" : `exit code ${exitCode}`;
  if (problems[0] !== undefined) return `${problems[0]} (${said})`;
  if (!outcomes.some((outcome) => outcome.status !== "not-run")) {
    return `no test ran (${said})${quoteErrors(run)}`;
  }
  if (exitCode === null) return "the run was killed";
  const crashed = outcomes.find(({ failure }) => failure?.type === crashType);
  if (crashed) return `the run ended early, in ${formatTestKey(crashed.key)} (${said})`;
  const failing = outcomes.some((outcome) => isFailing(outcome.status));
  if (failing && exitCode === 0) return "a test failed, but the build ended with exit code 0";
  const selected = run.asked.selection.kind === "tests";
  if (!failing && exitCode !== 0 && !(selected && /There are test failures/.test(run.stdout))) {
    return `no test failed, but the build ended with ${said}${quoteErrors(run)}`;
  }
  return undefined;
}

/**
 * Matches the totals that surefire (2 and 3) and Gradle print after a module's tests, without times. The groups capture
 * the numbers of failures and errors.
 */
const summaries =
  /^(?:\[[A-Z]+\] )?Tests run: \d+, Failures: (\d+), Errors: (\d+), Skipped: \d+(?:, Flakes: \d+)?\s*$|^\d+ tests? completed, (\d+) failed\b/gm;

/**
 * Returns the reason not to believe the report files, if they contain fewer failures than the build tool printed. A
 * process that tests leave behind can change these files, but not the printed output and the exit code.
 */
function findDisagreement(run: BuildRun, outcomes: readonly TestOutcome[]): string | undefined {
  if (run.exitCode === 0 || !outcomes.some(({ status }) => status === "passed")) return undefined;
  const counts = [...run.stdout.matchAll(summaries)].map((match) =>
    match.slice(1).reduce((sum, count) => sum + Number(count ?? 0), 0),
  );
  const said = counts.reduce((sum, count) => sum + count, 0);
  const failing = outcomes.filter(({ status }) => isFailing(status)).length;
  if (counts.length > 0 && said <= failing) return undefined;
  return counts.length === 0
    ? `the build tool failed without reporting a number of failed tests (exit code ${run.exitCode})${quoteErrors(run)}`
    : `the build tool counts ${countOf(said, "failed test")}, but its reports contain ${countOf(failing, "failure")}`;
}

/** The first lines that the tool marks as errors, or else its last lines. */
function quoteErrors(run: BuildRun): string {
  const output = outputOf(run);
  const marked = [...output.matchAll(/^\[ERROR\] (.+)$/gm)].map((match) => match[1] ?? "");
  const hint = /offline/i.test(output)
    ? " — Tests run offline: build the project once with network access, so that the local repository has all dependencies."
    : "";
  const text = marked.length > 0 ? marked.slice(0, 4).join(" ") : output.trim().slice(-800);
  return text === "" ? hint : `: ${text.slice(0, 1500)}${hint}`;
}
