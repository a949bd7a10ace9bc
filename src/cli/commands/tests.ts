import { type Command, InvalidArgumentError } from "commander";
import pc from "picocolors";
import { openTestExecutor } from "../../agent/measure/test-executor.ts";
import type { TestExecutor } from "../../agent/suite.ts";
import { countOf } from "../../base/count.ts";
import { sanitizeForTerminal } from "../../base/terminal-text.ts";
import { formatDuration } from "../../base/units.ts";
import { formatTestKey, isFailing, type TestOutcome } from "../../domain/test-outcome.ts";
import { testFrameworks } from "../../languages/index.generated.ts";
import { findRepository } from "../../session/repository.ts";
import type { Settings } from "../../session/settings.ts";
import { withTemporaryWorkspace } from "../../session/temporary-workspace.ts";
import type { Workspace } from "../../workspace/contract.ts";
import { findFlakyTests } from "../../workspace/flaky-tests.ts";
import { findTestCommand, listTestCommands } from "../../workspace/test-command.ts";
import { findTestsOf } from "../../workspace/tests-of-location.ts";
import { askAgain, moreTime } from "../../workspace/time-outs.ts";
import { hostOf } from "../host.ts";
import { withInterrupts } from "../interrupt.ts";
import { readSettings } from "../load-settings.ts";
import { addSettingFlags, solvingOnly } from "../setting-flags.ts";

interface TestsFlags {
  readonly repo: string;
  readonly repeat: number;
  readonly of?: string;
  readonly json?: boolean;
  readonly [setting: string]: unknown;
}

interface TestsReport {
  readonly schema: "millwright.tests/1";
  readonly framework: string;
  readonly directory: string;
  readonly command: string;
  readonly foundBy: string;
  readonly durationMs: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly failing: readonly string[];
  /** Tests that exceeded `--test-timeout`. Most of them also exceeded the longer limit of a second run. */
  readonly timedOut: readonly string[];
  readonly flaky: readonly { readonly test: string; readonly statuses: readonly string[] }[];
  readonly runs: number;
  readonly remarks: readonly string[];
  readonly related?: { readonly evidence: string; readonly tests: readonly string[] };
}

const noTestsExitCode = 11;
/** Milliseconds for one test, and for a full run. */
const usualTestTimeoutMs = 10_000;
const suiteTimeoutMs = 30 * 60_000;
const mostNamed = 20;

const exitCodes = `
Exit codes: 0 the tests were found and run   ${noTestsExitCode} no test command works here
  2 wrong usage or configuration   3 infrastructure (sandbox, disk)   130 interrupted`;

export function addTestsCommand(program: Command): void {
  const command = program
    .command("tests")
    .description("find and run a repository's test command, and report the results and the command's source")
    .option("--repo <dir>", "the repository; Millwright never writes to it", ".")
    .option("--repeat <n>", "run all tests N times, and name the flaky ones", readCount, 1)
    .option(
      "--of <file:line>",
      "also name the tests of this file, as FILE or FILE:LINE; `find --kind test` also uses the line",
    )
    .option("--json", "print one JSON document")
    .addHelpText("after", exitCodes);
  addSettingFlags(command, [...solvingOnly, "maxTime"]);
  command.action(async (flags: TestsFlags) => {
    process.exitCode = await showTests(flags);
  });
}

function readCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0 && count <= 100) return count;
  throw new InvalidArgumentError("Give a whole number from 1 to 100.");
}

async function showTests(flags: TestsFlags): Promise<number> {
  const { repo, repeat, of: place, json, ...given } = flags;
  const repository = findRepository(repo);
  const settings = readSettings(repository, given);
  const found = await withInterrupts((signal) =>
    withTemporaryWorkspace({ host: hostOf(), repository, settings, signal }, async ({ workspace }) => {
      const executor = await openTestExecutor(workspace, testFrameworks, signal);
      try {
        return await examine(workspace, executor, settings, { repeat, place });
      } finally {
        await executor.close();
      }
    }),
  );
  if (typeof found === "string") {
    process.stderr.write(`${sanitizeForTerminal(found)}\n`);
    if (json) process.stdout.write(`${JSON.stringify({ schema: "millwright.tests/1", message: found })}\n`);
    return noTestsExitCode;
  }
  process.stdout.write(json ? `${JSON.stringify(found, null, 2)}\n` : render(found));
  return 0;
}

/** Finds a working test command. Returns a text with the reason if no command works. */
async function examine(
  workspace: Workspace,
  executor: TestExecutor,
  settings: Settings,
  wanted: { readonly repeat: number; readonly place: string | undefined },
): Promise<TestsReport | string> {
  const testTimeoutMs = settings.testTimeout ?? usualTestTimeoutMs;
  const limits = { tree: workspace.base, timeoutMs: suiteTimeoutMs };
  const request = { ...limits, selection: { kind: "all" }, testTimeoutMs } as const;
  const commands = listTestCommands(executor.project, testFrameworks, settings.testCommand);
  const found = await findTestCommand(
    commands,
    (command) => {
      process.stderr.write(
        `trying ${sanitizeForTerminal(command.command)} (${sanitizeForTerminal(command.foundBy)})\n`,
      );
      return executor.run(command, request);
    },
    { project: executor.project },
  );
  if (!found.ok) return found.message;
  const { command, run, remarks } = found.value;
  const outcomes = await askAgain(
    run.report.outcomes,
    () => true,
    (test) => {
      const alone = { kind: "tests", tests: [test] } as const;
      const again = { ...limits, selection: alone, testTimeoutMs: moreTime * testTimeoutMs };
      return executor.run(command, again);
    },
  );
  const runs: (readonly TestOutcome[])[] = [outcomes];
  while (runs.length < wanted.repeat) runs.push((await executor.run(command, request)).report.outcomes);
  const related = wanted.place === undefined ? undefined : relate(wanted.place, executor, outcomes);
  return {
    schema: "millwright.tests/1",
    framework: command.framework,
    directory: command.directory,
    command: command.command,
    foundBy: command.foundBy,
    durationMs: run.durationMs,
    counts: countStatuses(outcomes),
    failing: outcomes
      .filter(({ status }) => isFailing(status) && status !== "timed-out")
      .map(({ key }) => formatTestKey(key)),
    timedOut: outcomes.filter(({ status }) => status === "timed-out").map(({ key }) => formatTestKey(key)),
    flaky: findFlakyTests(runs).map(({ key, statuses }) => ({ test: formatTestKey(key), statuses })),
    runs: runs.length,
    remarks,
    ...(related === undefined ? {} : { related }),
  };
}

function relate(
  place: string,
  executor: TestExecutor,
  outcomes: readonly TestOutcome[],
): NonNullable<TestsReport["related"]> {
  const [, file = place, line] = /^(.*?)(?::(\d+))?$/s.exec(place) ?? [];
  const tests = outcomes.map(({ key }) => key);
  const { selection, evidence } = findTestsOf(
    { file: file.replace(/^\.\//, ""), ...(line === undefined ? {} : { line: Number(line) }) },
    { project: executor.project, tests },
  );
  if (selection.kind === "all") return { evidence, tests: tests.map(formatTestKey) };
  return {
    evidence,
    tests: selection.kind === "files" ? selection.files : selection.tests.map(formatTestKey),
  };
}

function countStatuses(outcomes: readonly TestOutcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of outcomes) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function render(report: TestsReport): string {
  const total = Object.values(report.counts).reduce((sum, count) => sum + count, 0);
  const counts = Object.entries(report.counts).map(([status, count]) => `${count} ${status}`);
  const place = report.directory === "" ? "" : ` in ${report.directory}`;
  const lines = [
    `${pc.green("found")}: ${plain(`${report.command}${place} (${report.foundBy})`)}`,
    `${countOf(total, "test")} of ${report.framework}: ${counts.join(", ")}, in ${formatDuration(report.durationMs)}`,
    ...report.remarks.map((text) => `note: ${plain(text)}`),
    ...listNames(pc.red("failing"), report.failing),
    ...listNames(
      `${pc.yellow("exceeded Millwright's limit for one test")} (--test-timeout raises it)`,
      report.timedOut,
    ),
    ...listNames(
      `${pc.yellow("flaky")} in ${countOf(report.runs, "run")}`,
      report.flaky.map(({ test, statuses }) => `${test} (${statuses.join(", ")})`),
    ),
    ...(report.related === undefined
      ? []
      : listNames(`tests of the given code (evidence: ${report.related.evidence})`, report.related.tests)),
  ];
  return `${lines.join("\n")}\n`;
}

const plain = sanitizeForTerminal;

function listNames(title: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > mostNamed ? [`  and ${names.length - mostNamed} more`] : [];
  return [`${title}:`, ...names.slice(0, mostNamed).map((name) => `  ${plain(name)}`), ...more];
}
