/** `millwright bench mine`: makes tasks from a repository. */
import { type Command, Option } from "commander";
import { type StepName, stepNames } from "../../mine/contract.ts";
import { sources as derivedDatasets } from "../../mine/derive/derive-tasks.ts";
import type { WantedFaults } from "../../mine/mine-faults.ts";
import { count } from "../bench-flags.ts";
import { runJudge } from "../bench-judge.ts";
import {
  type DeriveFlags,
  type RecheckFlags,
  runDerive,
  runFreeze,
  runMine,
  runMutants,
  runRecheck,
  runRefresh,
} from "../bench-mine.ts";
import { addSelectFlags, runSelect, type SelectFlags } from "../bench-select.ts";
import { addMineFlags, type MineCommand, type MineFlags, withUsual } from "../mine-flags.ts";

const exitCodes = `
Exit codes:
  0 done, whatever the number of tasks   2 wrong usage
  3 a change, task, environment or host failed (sandbox, network, disk): run the command again to continue   130 interrupted: run the command again to continue`;

const wholeHelp = `
All steps, from a clone to a dataset:
  millwright bench mine CLONE --out DIR
Its options are those of \`publish\`: millwright bench mine publish --help`;

/** Help text of each step. */
const steps: Readonly<Record<StepName, string>> = {
  collect: "list the changes of the main branch, with their bases, numbers and statements",
  filter: "keep changes that touch code and tests, and split each into a fix and a test patch",
  validate: "make environments, and run the tests before and after each fix",
  review: "judge the statements, and judge the tests by wrong and rewritten fixes; drop duplicates",
  publish: "write the tasks, their hidden parts and the card (same as `bench mine CLONE`)",
};

const wholeHistory = "a git repository with its whole history; Millwright never writes to it";
const minedClone = "the clone that the dataset was mined from; Millwright never writes to it";
const countOfTestRuns = "number of test runs with the gold patch, and with the empty patch";

export function addMineCommands(bench: Command): void {
  const mine = bench
    .command("mine")
    .description("make tasks from a repository's own history; each step continues where it stopped")
    .usage("CLONE --out DIR [options] | COMMAND")
    .addHelpText("after", wholeHelp);
  addSelect(mine);
  const whole = mine.command("all", { isDefault: true, hidden: true }).usage("CLONE --out DIR");
  for (const step of stepNames) {
    const command = mine.command(step).description(steps[step]).argument("<clone>", wholeHistory);
    onClone<MineFlags>("steps", addQueueFlag(command), (clone, flags) => runMine(clone, step, flags));
  }
  onClone<MineFlags>("steps", addQueueFlag(whole).argument("<clone>", wholeHistory), (clone, flags) =>
    runMine(clone, "publish", flags),
  );
  addJudge(mine);
  addUpkeep(mine);
  addDerive(mine);
  addMutants(mine);
}

function addQueueFlag(command: Command): Command {
  return command.option(
    "--queue <url>",
    "let workers (`millwright worker`) run the tests of `validate` and `review`; a PostgreSQL server, such as postgres://USER@HOST/DATABASE",
  );
}

/** Adds the flags that the command uses, and runs `act` on the clone. The result of `act` is the exit code. */
function onClone<Flags extends MineFlags>(
  name: MineCommand,
  command: Command,
  act: (clone: string, flags: Flags) => Promise<number>,
): void {
  addMineFlags(command, name)
    .addHelpText("after", exitCodes)
    .exitOverride()
    .action(async (clone: string, flags: Flags) => {
      process.exitCode = await act(clone, withUsual(flags));
    });
}

function addSelect(mine: Command): void {
  addSelectFlags(
    mine
      .command("select")
      .description("choose repositories by their hosts' data: stars, activity, tests and discussion")
      .argument(
        "<addresses...>",
        "HOST=URL of a repository's page or of a whole host: github, gitlab or gitea",
      ),
  )
    .addHelpText("after", exitCodes)
    .exitOverride()
    .action(async (addresses: string[], flags: SelectFlags) => {
      process.exitCode = await runSelect(addresses, flags);
    });
}

function addJudge(mine: Command): void {
  mine
    .command("judge")
    .description(
      "judge the sample of a dataset yourself; after two people, the command prints their agreement (Cohen's kappa)",
    )
    .argument("<dataset>", "the dataset's folder (--out)")
    .requiredOption("--reviewer <name>", "your name in reviews.jsonl")
    .exitOverride()
    .action(async (dataset: string, flags: { readonly reviewer: string }) => {
      process.exitCode = await runJudge(dataset, flags);
    });
}

function addUpkeep(mine: Command): void {
  onClone<MineFlags>(
    "refresh",
    addQueueFlag(mine.command("refresh"))
      .description("add newly merged changes to a dataset, with the dataset's own settings")
      .argument("<clone>", minedClone),
    runRefresh,
  );
  onClone<MineFlags>(
    "freeze",
    mine
      .command("freeze")
      .description(
        "store the files that setups added to the tasks' repositories, for machines without a network",
      )
      .argument("<clone>", minedClone),
    runFreeze,
  );
  onClone<RecheckFlags>(
    "recheck",
    mine
      .command("recheck")
      .description("check a dataset's tasks in new environments, and retire tasks that are no longer fit")
      .argument("<clone>", minedClone)
      .option("--repeats <count>", countOfTestRuns, count, 3)
      .option("--retire-unbuilt", "also retire tasks with an environment that Millwright can no longer build")
      .addOption(
        new Option("--frozen", "use the environments that `freeze` stored, and run no setup").conflicts(
          "retireUnbuilt",
        ),
      ),
    runRecheck,
  );
}

function addDerive(mine: Command): void {
  onClone<DeriveFlags>(
    "derive",
    mine
      .command("derive")
      .description(
        "make tasks of another kind, in a known dataset's format: from a mined dataset's changes (swt-bench, swetry, feature-development), or from functions of the newest commit (repotest, repocod)",
      )
      .argument("<clone>", "a git repository; Millwright never writes to it")
      .addOption(
        new Option("--dataset <name>", "format and kind of the tasks")
          .choices(Object.keys(derivedDatasets))
          .makeOptionMandatory(),
      )
      .option("--count <count>", "maximum number of tasks", count, 20)
      .option("--repeats <count>", countOfTestRuns, count, 3)
      .option(
        "--attempts <file>",
        "swetry: predictions for the mined tasks, such as those of `bench run`; default: parts and mutants of the fix",
      ),
    runDerive,
  );
}

function addMutants(mine: Command): void {
  onClone<MineFlags & WantedFaults>(
    "mutants",
    mine
      .command("mutants")
      .description(
        "insert small faults into the newest commit, and make tasks from the faults that its tests detect",
      )
      .argument("<clone>", "a git repository with passing tests; Millwright never writes to it")
      .option("--count <count>", "maximum number of tasks", count, 100)
      .option("--faults <count>", "number of faults in each task", count, 1),
    runMutants,
  );
}
