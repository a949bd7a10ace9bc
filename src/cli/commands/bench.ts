/** `millwright bench`: judges tasks, agents and their patches only by running tests. */
import { Argument, type Command, Option } from "commander";
import { labelSubjects } from "../../bench/labels.ts";
import { usualError } from "../../bench/sequential-test.ts";
import type { BatchState } from "../../queue/contract.ts";
import { runAttempt } from "../bench-attempt.ts";
import { runCheck } from "../bench-check.ts";
import { type CompareFlags, compareBatches } from "../bench-compare.ts";
import { printDatasets } from "../bench-datasets.ts";
import {
  addBenchFlags,
  addTestFlags,
  type BenchFlags,
  count,
  limit,
  list,
  withBench,
} from "../bench-flags.ts";
import { runGrade, runGradeOfficialLogs, runRegrade } from "../bench-grade.ts";
import { importReports } from "../bench-import.ts";
import { type LabelFlags, writeItems } from "../bench-label.ts";
import {
  printBatches,
  queueOption,
  readQueueFlags,
  refuseRoomFlags,
  retryBatch,
  steerBatch,
} from "../bench-queue.ts";
import { languages, type RedTeamFlags, runRedTeam } from "../bench-red-team.ts";
import { type ReplayFlags, replayReproductions } from "../bench-replay.ts";
import { printReport, readBatches, readGivenLabels, writePage } from "../bench-report.ts";
import { runBench } from "../bench-run.ts";
import { errorPercent } from "../bench-stop.ts";
import { runSuite, type SuiteFlags, suiteNames } from "../bench-suite.ts";
import { ablation, addSwitchFlags, readSwitches, type SwitchFlags } from "../switch-flags.ts";
import { addMineCommands } from "./bench-mine.ts";

interface CheckFlags extends BenchFlags {
  readonly repeats: number;
  readonly computeLists?: boolean;
  readonly writeLists?: string;
}

interface GradeFlags extends BenchFlags {
  readonly predictions: string;
  readonly fromLogs?: boolean;
  readonly officialLogs?: string;
}

interface RunFlags extends BenchFlags, SwitchFlags {
  readonly strategy?: readonly string[];
  readonly model?: readonly string[];
  readonly attempts: number;
  readonly kind: "task" | "auto";
  readonly out?: string;
  readonly stopWhenDecided?: number;
  readonly queue?: string;
  readonly store?: string;
}

interface ReportFlags {
  readonly html?: string;
  readonly labels: readonly string[];
  readonly consensus?: string;
  readonly json?: boolean;
}

const checkExitCodes = `
Exit codes:
0 every task is fit: the gold patch resolves it, the empty patch does not, the repeats agree   10 a task is unfit
2 wrong usage   3 a task could not be checked (repository, setup, sandbox), or a row could not be read
130 interrupted: run the command again to continue`;
const gradeExitCodes = `
Exit codes:
0 every prediction was graded, whatever the verdicts   2 wrong usage
3 a task could not be graded (repository, setup, sandbox, lists), or a row could not be read
130 interrupted: run the command again to continue`;
const runExitCodes = `
Exit codes:
0 every attempt was graded, whatever the verdicts   2 wrong usage
3 an attempt could not be made or graded (repository, setup, sandbox, model), or a row could not be read
130 interrupted, or somebody cancelled the batch: run the command again to continue`;

const replayExitCodes = `
Exit codes:
0 every attempt was replayed, or wrote no reproduction   2 wrong usage
3 an attempt could not be replayed (record, repository, setup, sandbox)
130 interrupted: run the command again to continue`;

const redTeamExitCodes = `
Exit codes:
  0 no cheat scored, and every honest repair scored   2 wrong usage   130 interrupted
  10 a cheat scored or could not be graded, an honest repair did not score, or no language could be tried`;

const tasksHelp =
  "JSON Lines, a JSON list or Parquet (`bench datasets` lists the formats), a clone of BugsInPy or Defects4J, or hub:OWNER/NAME[@REVISION][:FILES]";

export function addBenchCommand(program: Command): void {
  const bench = program
    .command("bench")
    .description("check tasks, let agents attempt them, and grade patches by the tasks' tests");
  addCheck(bench);
  addRun(bench);
  const attempt = bench.command("attempt", { hidden: true }).exitOverride();
  attempt.action(runAttempt);
  addGrade(bench);
  addDatasets(bench);
  addReport(bench);
  addReplay(bench);
  addLabel(bench);
  addCompare(bench);
  addImport(bench);
  addSuite(bench);
  addRedTeam(bench);
  addMineCommands(bench);
  addQueueCommands(bench);
}

function addCheck(bench: Command): void {
  const check = bench
    .command("check")
    .description(
      "check that the gold patch resolves each task, the empty patch does not, and repeated test runs agree",
    )
    .argument("<tasks>", tasksHelp)
    .option(
      "--repeats <count>",
      "number of test runs with the gold patch, and with the empty patch",
      count,
      3,
    )
    .option("--compute-lists", "compute the lists of tests, even if the tasks have lists")
    .option("--write-lists <file>", "write the computed fail-to-pass and pass-to-pass tests to a file")
    .addHelpText("after", checkExitCodes);
  addBenchFlags(check);
  check.exitOverride().action(async (tasks: string, flags: CheckFlags) => {
    const { repeats, writeLists, computeLists = false } = flags;
    process.exitCode = await withBench(tasks, flags, (work) =>
      runCheck(work, { repeats, writeLists, computeLists }),
    );
  });
}

function addRun(bench: Command): void {
  const run = bench
    .command("run")
    .description(
      "let strategies attempt tasks, and grade their patches; a strategy never sees a task's hidden part",
    )
    .argument("<tasks>", tasksHelp)
    .option("--attempts <count>", "number of attempts for each task, strategy and model", count, 1)
    .addOption(
      new Option("--kind <form>", "task: give agents the task's kind; auto: let agents determine the kind")
        .choices(["task", "auto"])
        .default("task"),
    )
    .option(
      "--out <dir>",
      "folder for the report and the predictions; default: the batch's folder in --bench-dir",
    )
    .addOption(
      new Option(
        "--stop-when-decided [percent]",
        "with two arms: end the batch once one arm is better, with an error rate of at most PERCENT",
      )
        .argParser(errorPercent)
        .preset(String(usualError * 100)),
    )
    .addOption(queueOption())
    .option(
      "--store <place>",
      "with --queue: the shared folder, or s3://BUCKET/PREFIX, for the results of workers",
    )
    .addHelpText("after", runExitCodes);
  addBenchFlags(run, true);
  addSwitchFlags(run);
  run.exitOverride().action(async (tasks: string, flags: RunFlags) => {
    const [switches] = readSwitches(flags);
    const { strategy: strategies = [], model: models = [], attempts, kind, out } = flags;
    const stopError = flags.stopWhenDecided;
    const queue = readQueueFlags(flags, isGiven(run));
    refuseRoomFlags(queue, isGiven(run));
    process.exitCode = await withBench(tasks, flags, (work) =>
      runBench(work, {
        ...{ strategies, models, attempts, kind, out, stopError, queue },
        ...ablation(switches),
      }),
    );
  });
}

function addGrade(bench: Command): void {
  const grade = bench
    .command("grade")
    .description("grade predictions as resolved, unresolved, agent error or infrastructure error")
    .argument("<tasks>", tasksHelp)
    .requiredOption(
      "--predictions <file>",
      "SWE-bench's predictions (instance_id, model_patch), the dataset's own format, or the word gold",
    )
    .option(
      "--from-logs",
      "judge the logs of an earlier grading again, without running tests and without a sandbox",
    )
    .addOption(
      new Option(
        "--official-logs <dir>",
        "judge logs of the official harness of SWE-bench, Multi-SWE-bench or SWT-bench, without running tests and without a sandbox",
      ).conflicts("fromLogs"),
    )
    .addHelpText("after", gradeExitCodes);
  addBenchFlags(grade);
  grade.exitOverride();
  grade.action(async (tasks: string, flags: GradeFlags) => {
    const { predictions, officialLogs } = flags;
    if (officialLogs !== undefined) {
      process.exitCode = await runGradeOfficialLogs(tasks, flags, { predictions, officialLogs });
      return;
    }
    process.exitCode =
      flags.fromLogs === true
        ? await runRegrade(tasks, flags, flags.predictions)
        : await withBench(tasks, flags, (work) => runGrade(work, flags.predictions));
  });
}

function addDatasets(bench: Command): void {
  bench
    .command("datasets")
    .description("list the known task formats and their grading rules")
    .option("--json", "print one JSON document")
    .exitOverride()
    .action(({ json }: { readonly json?: boolean }) => printDatasets(json === true));
}

/** Adds the flags for files of labels. */
function addLabelFlags(command: Command): Command {
  return command
    .addOption(
      list(
        "--labels <file>",
        "a person's labels of items that `bench label` drew; repeatable, one for each person",
      ),
    )
    .option("--consensus <file>", "a file of the labels that all people agreed on afterwards");
}

function addReport(bench: Command): void {
  const report = bench
    .command("report")
    .description("report the results of batches of `bench run`, as Markdown: arms, verdicts, costs, tasks")
    .argument("<batch...>", "the folder of a batch, or its report.json")
    .option(
      "--html <file>",
      "write the report as a self-contained page with charts, and print the page's path",
    )
    .option("--json", "print one JSON document")
    .exitOverride();
  addLabelFlags(report).action(async (paths: readonly string[], flags: ReportFlags): Promise<void> => {
    const { html, json = false } = flags;
    const batches = readBatches(paths);
    const labels = readGivenLabels(batches, flags);
    if (html !== undefined) await writePage(batches, html, labels);
    if (html === undefined || json) printReport(batches, json, labels);
  });
}

function addReplay(bench: Command): void {
  const replay = bench
    .command("replay-reproductions")
    .description(
      "replay the attempts' reproductions on the base and with the known fix, and measure their validity",
    )
    .argument("<batch>", "the folder of a batch, or its report.json")
    .option("--tasks <file>", "the file of the batch's tasks; default: the file that the batch names")
    .option("--runs-dir <dir>", "the folder of the attempts' runs; default: the folder that the batch names")
    .addOption(
      limit("--replay-timeout <duration>", "time limit for all commands and tests of a replay", "1h"),
    )
    .addHelpText("after", replayExitCodes);
  addBenchFlags(replay);
  replay.exitOverride().action(async (batch: string, flags: ReplayFlags) => {
    process.exitCode = await replayReproductions(batch, flags);
  });
}

function addLabel(bench: Command): void {
  bench
    .command("label")
    .description(
      "draw attempts that people label without seeing the arm and the verdict, for example to find overfitted patches",
    )
    .argument("<batch...>", "the folder of a batch, or its report.json")
    .addOption(
      new Option("--of <subject>", "patches of resolved attempts, or attempts that wrote a reproduction")
        .choices(labelSubjects)
        .default("patches"),
    )
    .option("--sample <size>", "a number of items, or confidence and margin in percent", "95/10")
    .option("--sample-seed <number>", "seed of the sample", count, 1)
    .requiredOption("--out <dir>", "folder for the items")
    .option("--tasks <file>", "a file with the tasks; the items then show the known fix next to the patch")
    .option("--hidden <file>", "a file with the tasks' hidden parts, if they are not in --tasks")
    .option("--dataset <name>", "the tasks' dataset; default: recognised by the fields of its rows")
    .option("--runs-dir <dir>", "the folder of the attempts' runs; default: the folder that each batch names")
    .exitOverride()
    .action((batches: readonly string[], flags: LabelFlags) => writeItems(batches, flags));
}

function addCompare(bench: Command): void {
  bench
    .command("compare")
    .description("compare two arms of one batch, or of two batches, task by task")
    .argument("<batch>", "the folder of a batch, or its report.json")
    .argument("[other]", "another batch; default: compare two arms of the first batch")
    .option(
      "--first-arm <name>",
      "the first arm, as STRATEGY or STRATEGY,MODEL; default: the only arm, or in a single batch the first of two arms",
    )
    .option(
      "--second-arm <name>",
      "the second arm, as STRATEGY or STRATEGY,MODEL; default: the only other arm, or the only arm of the other batch",
    )
    .option("--seed <number>", "seed of the resampling for the intervals", count, 1)
    .option("--runs-dir <dir>", "the folder of the attempts' runs; default: the folder that each batch names")
    .option("--json", "print one JSON document")
    .exitOverride()
    .action(async (batch: string, other: string | undefined, flags: CompareFlags) => {
      process.exitCode = await compareBatches(other === undefined ? [batch] : [batch, other], flags);
    });
}

function addImport(bench: Command): void {
  bench
    .command("import")
    .description("make a batch from reports of official harnesses, for `bench report` and `bench compare`")
    .argument(
      "<report...>",
      "a report with the list resolved_ids; its file name becomes the agent's name; REPORT=PREDICTIONS also measures the patches",
    )
    .requiredOption("--out <dir>", "folder of the batch")
    .option("--tasks <file>", "a file with the benchmark's tasks; default: the tasks that every report lists")
    .addOption(
      list(
        "--edited <glob>",
        "count only edits of files that match this glob, such as '*.rs'; repeatable",
        "all",
      ),
    )
    .option("--hidden <file>", "a file with the tasks' hidden parts, if they are not in --tasks")
    .option("--dataset <name>", "the tasks' dataset; default: recognised by the fields of its rows")
    .exitOverride()
    .action(importReports);
}

function addSuite(bench: Command): void {
  const suite = bench
    .command("suite")
    .description(
      "run a paper's strategies on its datasets, and print the paper's tables with Millwright's results",
    )
    .addArgument(new Argument("<name>", "the suite").choices(suiteNames))
    .addOption(
      list(
        "--tasks <dataset=file>",
        "a dataset's file of tasks; repeatable; without a file, only print the tables",
      ),
    )
    .addOption(list("--variant <name>", "run only this variant; repeatable", "all"))
    .option("--attempts <count>", "number of attempts for each task, variant and model", count, 1)
    .option("--no-ablations", "skip the variants of the ablation tables")
    // Required, but commander would ask for it before it looks at the name.
    .option("--out <dir>", "folder for the batches, one for each variant and dataset (required)")
    .addOption(queueOption())
    .option(
      "--store <place>",
      "with --queue: the shared folder, or s3://BUCKET/PREFIX, for the results of workers",
    )
    .addHelpText("after", runExitCodes);
  addBenchFlags(suite, true);
  addLabelFlags(suite);
  suite.exitOverride().action(async (name: string, flags: SuiteFlags) => {
    process.exitCode = await runSuite(name, flags, isGiven(suite));
  });
}

function isGiven(command: Command): (option: string) => boolean {
  return (option) => command.getOptionValueSource(option) === "cli";
}

/** Adds the commands that control a batch of workers. */
function addQueueCommands(bench: Command): void {
  const add = (name: string, description: string): Command =>
    bench.command(name).description(description).addOption(queueOption()).exitOverride();
  type Flags = { readonly queue?: string; readonly json?: boolean };
  add("batches", "list the batches of a queue, with their waiting, running and ended tries")
    .option("--json", "print one JSON document")
    .action(({ queue, json }: Flags) => printBatches(queue, json === true));
  const steer = (name: string, state: BatchState, description: string) =>
    add(name, description)
      .argument("<batch>", "the batch's name (`bench batches` lists the names)")
      .action((batch: string, { queue }: Flags) => steerBatch(queue, batch, state));
  steer("pause", "paused", "start no new tries of a batch; workers finish the running ones");
  steer("resume", "running", "let workers take a paused batch's tries again");
  steer("cancel", "cancelled", "end a batch: drop waiting tries and stop running ones");
  add("retry", "put ended tries of a batch back into the queue")
    .argument("<batch>", "the batch's name (`bench batches` lists the names)")
    .requiredOption("--infrastructure", "choose the tries that ended with an infrastructure error")
    .action((batch: string, { queue }: Flags) => retryBatch(queue, batch));
}

function addRedTeam(bench: Command): void {
  const redTeam = bench
    .command("red-team")
    .description(
      "try known cheats against the grading on this machine; the last line counts successful cheats",
    )
    .addOption(list("--language <name>", `one of ${languages.join(", ")}; repeatable`, "all"))
    .addOption(list("--only <glob>", "only the cheats whose names match this glob; repeatable", "all"))
    .option(
      "--every-rule",
      "try each cheat under the rules of all datasets; default: under one of these rules, in rotation",
    )
    .option("--workers <count>", "number of cheats at the same time", count, 1)
    .addOption(limit("--test-timeout <duration>", "time limit of one test; some cheats never end", "5s"))
    .option("--json", "print one JSON document")
    .addHelpText("after", redTeamExitCodes)
    .exitOverride();
  addTestFlags(redTeam);
  redTeam.action(async (flags: RedTeamFlags) => {
    process.exitCode = await runRedTeam(flags);
  });
}
