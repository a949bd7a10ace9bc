import { type Command, Option } from "commander";
import { type MeasuredFault, measureFault } from "../../agent/measure/localize-fault.ts";
import {
  type LocalizeReportInput,
  makeEmptyReport,
  makeLocalizeReport,
  nothingRanked,
} from "../../agent/measure/localize-report.ts";
import type { MeasurementContext } from "../../agent/measure/measurement.ts";
import { createLimits } from "../../agent/record/limits.ts";
import { MillwrightError } from "../../base/errors.ts";
import type { Result } from "../../base/result.ts";
import type { LocalizeReport } from "../../domain/localize-report.ts";
import { testFrameworks } from "../../languages/index.generated.ts";
import { languageOf } from "../../languages/source-files.ts";
import { formulas, ochiai } from "../../localize/formulas.ts";
import { rankStatements } from "../../localize/rank-statements.ts";
import { findRepository } from "../../session/repository.ts";
import type { Settings } from "../../session/settings.ts";
import { type TemporaryWorkspace, withTemporaryWorkspace } from "../../session/temporary-workspace.ts";
import { hostOf } from "../host.ts";
import { withInterrupts } from "../interrupt.ts";
import { readSettings } from "../load-settings.ts";
import { renderFaults } from "../localize-text.ts";
import { createProgress, type Progress } from "../progress.ts";
import { addSettingFlags, solvingOnly } from "../setting-flags.ts";
import { failingTestFlag, readStatement, refuseFolder } from "../task-arguments.ts";

interface LocalizeFlags {
  readonly repo: string;
  readonly issue?: string;
  readonly failingTest?: readonly string[];
  readonly formula: string;
  readonly top: string;
  readonly json?: boolean;
  readonly [setting: string]: unknown;
}

const exitCodes = `
Exit codes: 0 statements are ranked   ${nothingRanked} nothing to rank: no test command, or no failing test
2 wrong usage or configuration   3 infrastructure (sandbox, disk)   130 interrupted`;

export function addLocalizeCommand(program: Command): void {
  const command = program
    .command("localize")
    .description("run the tests, and rank suspicious statements and functions, with the evidence")
    .argument("[statement]", "the issue in your words; selects failing tests, and influences the ranking")
    .option("--repo <dir>", "the repository; Millwright never writes to it", ".")
    .option("--issue <file>", "read the statement from a file")
    .option(...failingTestFlag)
    .addOption(
      new Option(
        "--formula <name>",
        "formula that computes a statement's suspiciousness from the tests that execute the statement",
      )
        .choices(formulas.map(({ name }) => name))
        .default(ochiai.name),
    )
    .option("--top <n>", "number of statements and functions to list", "10")
    .option("--json", "print one JSON document")
    .addHelpText("after", exitCodes);
  addSettingFlags(command, solvingOnly);
  command.action(async (statement: string | undefined, flags: LocalizeFlags) => {
    process.exitCode = await localize(statement, flags);
  });
}

async function localize(statement: string | undefined, flags: LocalizeFlags): Promise<number> {
  refuseFolder("localize", statement);
  const repository = findRepository(flags.repo);
  const { repo: _r, issue, failingTest, formula, top, json, ...settingFlags } = flags;
  const listed = readCount(top);
  const settings = readSettings(repository, settingFlags);
  const words = readStatement(issue, statement);
  return withInterrupts(async (signal) => {
    const progress = await createProgress(process.stderr);
    const work = async (opened: TemporaryWorkspace): Promise<LocalizeReport> => {
      const started = performance.now();
      const measured = await measure(
        opened,
        settings,
        { statement: words, ...(failingTest && { failingTests: [...failingTest] }) },
        signal,
        progress,
      );
      const seconds = (performance.now() - started) / 1000;
      return report(measured, { repository, sandbox: opened.sandbox, formula, top: listed, seconds });
    };
    const options = { host: hostOf(), repository, settings, signal };
    const done = await withTemporaryWorkspace(options, work).finally(() => progress.close());
    process.stdout.write(json ? `${JSON.stringify(done, null, 2)}\n` : renderFaults(done));
    return done.exitCode;
  });
}

function measure(
  { workspace, sandbox }: TemporaryWorkspace,
  settings: Settings,
  task: MeasurementContext["task"],
  signal: AbortSignal,
  progress: Progress,
): Promise<Result<MeasuredFault>> {
  for (const text of workspace.notices())
    progress.show({ event: "remark-made", at: Date.now(), level: "note", text });
  const context = {
    workspace,
    frameworks: testFrameworks,
    testCommand: settings.testCommand,
    testTimeoutMs: settings.testTimeout,
    signal,
    task,
    recorder: {
      step<T>({ key, title }: { key: string; title: string }, execute: () => Promise<T>): Promise<T> {
        progress.show({ event: "step-started", at: Date.now(), step: key, title });
        return execute();
      },
    },
    limits: createLimits({ maxMs: settings.maxTime, maxSteps: undefined, usedMs: 0 }),
  };
  return measureFault(context, (phase, title) =>
    progress.show({ event: "phase-started", at: Date.now(), phase, title: `${title} (${sandbox})` }),
  );
}

async function report(measured: Result<MeasuredFault>, input: LocalizeReportInput): Promise<LocalizeReport> {
  if (!measured.ok) return makeEmptyReport(input, measured.message);
  const formula = formulas.find(({ name }) => name === input.formula) ?? ochiai;
  const ranking = await rankStatements({ ...measured.value.signs, languageOf, formula });
  return makeLocalizeReport(input, measured.value, ranking);
}

function readCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new MillwrightError("usage", `--top takes a whole number of at least 1, not ${text}`);
}
