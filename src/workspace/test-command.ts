/** Finds the command that runs a repository's tests: asks every framework, tries the likeliest, keeps the first that answers. */

import { type Failure, fail, type Result, succeed } from "../base/result.ts";
import { isFailing, type TestOutcome } from "../domain/test-outcome.ts";
import type { ProjectView, TestCommand, TestFramework } from "../languages/contract.ts";
import { crashType } from "../languages/report-lines.ts";
import type { TestRun } from "./test-runner.ts";

export interface FoundTestCommand {
  readonly command: TestCommand;
  /** The trial that convinced: a run of all tests on the base. */
  readonly run: TestRun;
}

/** How many candidates are tried before giving up. */
const mostTrials = 6;

/**
 * The commands that may run this repository's tests, likeliest first. With `given` (`--test-command`) only those that a
 * framework recognises in it.
 */
export function listTestCommands(
  project: ProjectView,
  frameworks: readonly TestFramework[],
  given: string | undefined,
): readonly TestCommand[] {
  if (given !== undefined) {
    return frameworks.flatMap((framework) => framework.recognise(given, project) ?? []);
  }
  const found = frameworks.flatMap((framework) => framework.detect(project));
  return [...found].sort((a, b) => b.likelihood - a.likelihood);
}

/**
 * Tries the commands in order by `run` (all tests, on the base) and returns the first whose report can be trusted and
 * holds a test that ran.
 */
export async function findTestCommand(
  commands: readonly TestCommand[],
  run: (command: TestCommand) => Promise<TestRun>,
): Promise<Result<FoundTestCommand, "no-test-command">> {
  const reasons: string[] = [];
  for (const command of commands.slice(0, mostTrials)) {
    const trial = await run(command);
    if (isUsable(trial)) {
      return succeed({ command, run: trial });
    }
    reasons.push(`\`${command.command}\`: ${whyNot(trial)}`);
  }
  return noCommand(reasons);
}

/** Also a run that ended in the middle of a test, and reported it so: that test is what is broken. */
function isUsable({ report }: TestRun): boolean {
  const crashed = report.outcomes.some(({ failure }) =>
    [crashType, "TimeoutError"].includes(failure?.type ?? ""),
  );
  return (report.invalid === undefined || crashed) && report.outcomes.some(didRun);
}

function didRun(outcome: TestOutcome): boolean {
  return outcome.status === "passed" || outcome.status === "expected-failure" || isFailing(outcome.status);
}

function whyNot(trial: TestRun): string {
  const lastLines = trial.output.trim().split("\n").slice(-3).join(" ").slice(-300);
  return `${trial.report.invalid ?? "no test ran"} (${trial.end}, exit code ${trial.exitCode ?? "none"}; ${lastLines})`;
}

function noCommand(reasons: readonly string[]): Failure<"no-test-command"> {
  if (reasons.length === 0) {
    return fail("no-test-command", "No test framework that Millwright knows was found; give --test-command.");
  }
  return fail(
    "no-test-command",
    `No test command gave a usable report. Tried ${reasons.join("; ")}. Give --test-command.`,
  );
}
