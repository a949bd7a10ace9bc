/**
 * Finds the command that runs a repository's tests: asks every framework, tries the likeliest commands, and keeps the
 * best. No other module makes this decision. `--test-command` overrides it.
 */

import { posix } from "node:path";
import { countOf } from "../base/count.ts";
import { MillwrightError } from "../base/errors.ts";
import { type Failure, fail, type Result, succeed } from "../base/result.ts";
import { quoteWord } from "../base/shell-word.ts";
import { isFailing, type TestOutcome } from "../domain/test-outcome.ts";
import type { Language, ProjectView, TestCommand, TestFramework } from "../languages/contract.ts";
import { findMissingPart } from "../languages/discovery/missing-parts.ts";
import { expandCommand } from "../languages/discovery/written-commands.ts";
import { languages } from "../languages/languages.generated.ts";
import { plainCommand } from "../languages/shell/plain-command.ts";
import { familyOf, isTestFile } from "../languages/source-files.ts";
import type { TestRun } from "./test-runner.ts";
import { judgeTrial, type Trial } from "./test-trial.ts";

export interface FoundTestCommand {
  readonly command: TestCommand;
  /** The successful trial: a run of all tests on the base. */
  readonly run: TestRun;
  /** Notes for people: targets that did not load, and likelier commands that failed. */
  readonly remarks: readonly string[];
  /** True if the run ended before all tests had ended, because it reported nothing for too long. */
  readonly isStalled?: boolean;
}

export interface Search {
  /** The project, so that a failure can name the missing parts. */
  readonly project?: ProjectView;
  /**
   * True for a trial that the caller prefers, if the repository has several suites (other frameworks, other folders). A
   * repair needs the suite in which tests fail.
   */
  readonly prefers?: (run: TestRun, command: TestCommand) => boolean;
  /**
   * True for a run that the caller's time limit ended, and whose results until then are usable. Absent: Millwright
   * rejects a command that exceeds its time limit.
   */
  readonly isCut?: (run: TestRun) => boolean;
  /** True for a run that the limit ended during its build. Millwright then tries no less likely command. */
  readonly isBuilding?: (run: TestRun) => boolean;
}

/** Maximum number of candidates. Below: the maximum if all of them together took at most `quickMs` milliseconds. */
const mostTrials = 8;
const mostQuickTrials = 40;
const quickMs = 2 * 60_000;
/** Maximum number of candidates for one framework in one folder. */
const mostOfSuite = 4;
/** Maximum number of further suites to try for a preferred one. */
const mostSuites = 4;
const leastLikelihood = 0.3;

/**
 * Lists the commands that may run this repository's tests, likeliest first. Of equally likely ones, first those of a
 * package that `statement` names, then those whose folder contains a file of `near`. Commands that give only an exit
 * code come last. With `given` (`--test-command`), returns the commands that frameworks recognise in it, each as a
 * separate command if it starts several. If there are none, returns those in the scripts that `given` calls (`make
 * test`, `./test.sh`), and then `given` itself, which gives only an exit code. Throws MillwrightError("usage") if no
 * framework accepts `given`.
 */
export function listTestCommands(
  project: ProjectView,
  frameworks: readonly TestFramework[],
  given: string | undefined,
  near: readonly string[] = [],
  statement = "",
): readonly TestCommand[] {
  if (given !== undefined) return recogniseGiven(project, frameworks, given);
  const nearness = ({ directory }: TestCommand): number =>
    isNamed(directory, statement) ? 2 : near.some((file) => file.startsWith(`${directory}/`)) ? 1 : 0;
  const found = frameworks.flatMap((framework) => {
    const weight = weighLanguage(project, framework.language);
    const last = framework.name === plainCommand ? 1 : 0;
    return framework
      .detect(project)
      .map((command) => ({ command, rank: command.likelihood * weight - last }));
  });
  return found
    .sort((a, b) => b.rank - a.rank || nearness(b.command) - nearness(a.command))
    .map(({ command }) => command);
}

/** True if the text contains the folder's path, or its compound name (`csv-stringify`). A plain name is a usual word. */
export function isNamed(directory: string, text: string): boolean {
  const name = posix.basename(directory);
  const said = text.split(/[^\w./@-]+/).flatMap((word) => [word, word.replace(/^.*\//, "")]);
  return (
    (directory.includes("/") && text.includes(`${directory}/`)) || (/[-_]/.test(name) && said.includes(name))
  );
}

function recogniseGiven(
  project: ProjectView,
  frameworks: readonly TestFramework[],
  given: string,
): readonly TestCommand[] {
  const parsed = frameworks.filter(({ name }) => name !== plainCommand);
  const plain = frameworks.filter(({ name }) => name === plainCommand);
  const followed = expandCommand(project, given).flatMap(({ directory, text, env, foundBy }) => {
    const assignments = Object.entries(env).map(([name, value]) => `${name}=${quoteWord(value)} `);
    const command = `${directory === "" ? "" : `cd ${directory} && `}${assignments.join("")}${text}`;
    return parsed.flatMap((framework) => {
      const recognised = framework.recognise(command, project);
      return recognised === undefined ? [] : [{ ...recognised, foundBy }];
    });
  });
  // A framework that does not join several starts of its runner would take only the first.
  const isOne = ({ name, joins }: TestFramework): boolean =>
    joins === true || followed.filter(({ framework }) => framework === name).length < 2;
  const direct = parsed.filter(isOne).flatMap((framework) => framework.recognise(given, project) ?? []);
  const others = followed.filter(({ framework }) => !direct.some((one) => one.framework === framework));
  if (direct.length > 0) return [...direct, ...others];
  const whole = plain.flatMap((framework) => framework.recognise(given, project) ?? []);
  if (followed.length + whole.length > 0) return [...followed, ...whole];
  const names = frameworks.map((framework) => framework.name).join(", ");
  throw new MillwrightError(
    "usage",
    `The test command \`${given}\` runs no framework whose report can be parsed (known frameworks: ${names})`,
    {
      hint: "Give the command that starts the framework itself, such as `python -m pytest tests`.",
    },
  );
}

/** Files that are test data, or belong to other projects. */
const foreign =
  /(^|\/)(node_modules|vendor|third_party|testdata|fixtures?|(examples?|samples?|demos?)([_-]\w+)?|docs?|website)\//;

/** True for a command in a folder of test data or of another project. Its tests may be meant to fail. */
function isForeign({ directory }: TestCommand): boolean {
  return foreign.test(`${directory}/`);
}

/**
 * Returns a weight between 0.6 and 1 for a command's language. A few scripts in another language are rarely the main
 * part of a repository.
 */
function weighLanguage(project: ProjectView, name: string): number {
  const known: readonly Language[] = languages;
  const counts = new Map<string, number>();
  for (const file of project.files) {
    const ending = file.slice(file.lastIndexOf("."));
    const language = foreign.test(file) ? undefined : known.find((one) => one.extensions.includes(ending));
    if (language) counts.set(familyOf(language.name), (counts.get(familyOf(language.name)) ?? 0) + 1);
  }
  const all = [...counts.values()].reduce((total, count) => total + count, 0);
  return all === 0 ? 1 : 0.6 + 0.4 * Math.sqrt((counts.get(familyOf(name)) ?? 0) / all);
}

/**
 * Tries the commands in order with `run`, which runs all tests on the base. A command is good if its report can be
 * trusted and most targets loaded; it is doubtful if most targets did not load. Ends at a good command that `search`
 * prefers, or at one that is too slow. Tries at most 40 commands, or eight if they took more than two minutes. Returns,
 * in this order of preference:
 * - the first good command whose run `search` prefers
 * - the good command that ran the most tests
 * - the doubtful command that ran the most tests
 *
 * In place of this command, returns a likelier one of the same suite that stalled after more tests.
 *
 * Takes a command that gives only an exit code only if no other command ran a test. If no command is usable, returns a
 * failure that names the missing parts, or the problems of the commands.
 */
export async function findTestCommand(
  commands: readonly TestCommand[],
  run: (command: TestCommand) => Promise<TestRun>,
  search: Search = {},
): Promise<Result<FoundTestCommand, "no-test-command">> {
  const trials: Trial[] = [];
  for (const command of commands) {
    if (!isWorthTrying(command, trials, search)) continue;
    const ran = await run(command);
    const trial = withoutGuesses(judgeTrial(command, ran, search.isCut?.(ran)), search);
    trials.push(trial);
    if (isPreferred(trial, search)) break;
    if (trial.verdict === "too-slow" || search.isBuilding?.(ran) === true) break;
  }
  const running = trials.filter(({ verdict }) => verdict === "good" || verdict === "doubtful");
  const parsed = running.filter(({ command, ran }) => command.framework !== plainCommand && ran > 0);
  const usable = parsed.length > 0 ? parsed : running;
  const best = usable.sort((a, b) => scoreOf(b, search) - scoreOf(a, search))[0];
  if (best === undefined || isMissingParts(best, search)) return explainNone(trials, search);
  const fuller = findFuller(best, trials);
  const chosen = fuller ?? best;
  const passedOver = trials
    .slice(0, trials.indexOf(chosen))
    .map(
      (trial) => `passed over \`${trial.command.command}\`: ${findMissing(trial, search) ?? trial.problem}`,
    );
  const { command, problem } = chosen;
  const remarks = [
    ...describeOthers(command, commands),
    ...describeLeftOut(command, trials, search),
    ...(problem === "" ? [] : [problem]),
    ...passedOver.filter((text) => !text.endsWith(": ")),
  ];
  return succeed({ command, run: chosen.run, remarks, ...(fuller && { isStalled: true }) });
}

/**
 * Returns a likelier command of the same suite that ran more tests than `best`, but then reported nothing for too long.
 * On a busy machine, this happens to commands that work. `best` then runs only a part of the suite.
 */
function findFuller(best: Trial, trials: readonly Trial[]): Trial | undefined {
  return trials
    .slice(0, trials.indexOf(best))
    .find(
      ({ command, ran, run }) =>
        run.end === "timed-out" && isSameSuite(command, best.command) && ran > best.ran,
    );
}

function isSameSuite(a: TestCommand, b: TestCommand): boolean {
  return a.framework === b.framework && a.directory === b.directory;
}

/**
 * Makes a trial unusable if its command gives only an exit code, and fails as a whole because this machine lacks
 * something. Such a failure says nothing about the code.
 */
function withoutGuesses(trial: Trial, search: Search): Trial {
  const isPlain = trial.command.framework === plainCommand;
  const { outcomes } = trial.run.report;
  const fails = outcomes.length > 0 && outcomes.every(({ status }) => isFailing(status));
  const missing = isPlain && fails ? findMissing(trial, search) : undefined;
  return missing === undefined ? trial : { ...trial, verdict: "unusable", problem: missing };
}

/** Remarks that the user's command also starts other runs of tests, which are not among the command's. */
function describeOthers({ directory, command }: TestCommand, all: readonly TestCommand[]): string[] {
  const others = all.filter(
    (each) =>
      each.foundBy.startsWith("--test-command") &&
      each.framework !== plainCommand &&
      (each.command !== command || each.directory !== directory),
  );
  const names = [...new Set(others.map((each) => `\`${each.command}\``))];
  return names.length === 0
    ? []
    : [`\`${command}\` is only a part of the given command. Millwright does not run ${names.join(", ")}`];
}

/** Remarks that the command omits most test files, because the command of a parent folder does not run. */
function describeLeftOut(
  { directory }: TestCommand,
  trials: readonly Trial[],
  { project }: Search,
): string[] {
  const above = trials.find(
    ({ command, verdict }) => verdict === "unusable" && isAbove(command.directory, directory),
  );
  const files = project?.files.filter(isTestFile) ?? [];
  const below = files.filter((path) => path.startsWith(`${directory}/`));
  if (above === undefined || 2 * below.length >= files.length) return [];
  return [
    `Only the tests in ${directory} run: ${below.length} of ${countOf(files.length, "test file")}. The state of the other files is unknown, because \`${above.command.command}\` does not run here`,
  ];
}

function isAbove(folder: string, directory: string): boolean {
  return folder === "" ? directory !== "" : directory.startsWith(`${folder}/`);
}

/**
 * True if the command is worth a trial. Once a suite works, Millwright tries only other suites, and only to find a
 * preferred one.
 */
function isWorthTrying(command: TestCommand, trials: readonly Trial[], search: Search): boolean {
  const isQuick = trials.reduce((total, { run }) => total + run.durationMs, 0) <= quickMs;
  if (trials.length >= (isQuick ? mostQuickTrials : mostTrials)) return false;
  const ofSuite = trials.filter((trial) => isSameSuite(trial.command, command));
  if (ofSuite.length >= mostOfSuite) return false;
  const good = trials.filter((trial) => trial.verdict === "good");
  if (good.length === 0) return true;
  const isOther = !ofSuite.some((trial) => trial.verdict === "good");
  return (
    search.prefers !== undefined &&
    isOther &&
    !isForeign(command) &&
    (isQuick || good.length <= mostSuites) &&
    command.likelihood >= leastLikelihood
  );
}

function isPreferred({ command, run, verdict }: Trial, { prefers }: Search): boolean {
  return verdict === "good" && (prefers === undefined || (prefers(run, command) && !isForeign(command)));
}

function scoreOf(trial: Trial, search: Search): number {
  return (isPreferred(trial, search) ? 4e9 : 0) + (trial.verdict === "good" ? 2e9 : 0) + trial.ran;
}

/** True if no target loaded for a known reason that no change of the repository's code could remove. */
function isMissingParts(trial: Trial, search: Search): boolean {
  return trial.ran === 0 && findMissing(trial, search) !== undefined;
}

function findMissing(trial: Trial, { project }: Search): string | undefined {
  const failures = trial.run.report.outcomes
    .slice(0, 50)
    .map((outcome: TestOutcome) => (isFailing(outcome.status) ? (outcome.failure?.message ?? "") : ""));
  const said = [trial.run.output, trial.run.report.invalid ?? "", ...failures].join("\n");
  const part = project && findMissingPart(project, trial.command, said);
  return part && `${part.what}; ${part.remedy}`;
}

function explainNone(trials: readonly Trial[], search: Search): Failure<"no-test-command"> {
  const [first] = trials;
  if (first === undefined) {
    return fail("no-test-command", "Millwright found no known test framework: give --test-command.");
  }
  for (const { command, ...trial } of trials) {
    const missing = findMissing({ command, ...trial }, search);
    if (missing === undefined) continue;
    return fail(
      "no-test-command",
      `\`${command.command}\` (${command.foundBy}) does not run here: ${missing}.`,
    );
  }
  const slow = trials.find((trial) => trial.verdict === "too-slow");
  if (slow !== undefined) {
    return fail(
      "no-test-command",
      `\`${slow.command.command}\` (${slow.command.foundBy}) runs the tests, but ${slow.problem}. Give a command that runs part of them.`,
    );
  }
  const reasons = trials.map((trial) => `\`${trial.command.command}\`: ${trial.problem}`);
  return fail(
    "no-test-command",
    `No test command gave a usable report. Tried ${reasons.join("; ")}. Give a test command that runs here.`,
  );
}
