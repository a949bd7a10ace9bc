import { resolve as resolvePath } from "node:path";
import { type Command, Option } from "commander";
import { checkTarget } from "../../agent/kinds/target.ts";
import { createRun, type RunDescription } from "../../agent/run/run-store.ts";
import type { Strategy } from "../../agent/strategy.ts";
import { MillwrightError } from "../../base/errors.ts";
import { taskKindSchema } from "../../domain/task.ts";
import { strategies } from "../../strategies/index.generated.ts";
import { conductRun, unknownStrategy } from "../conduct.ts";
import { describeRun, describeTask } from "../describe-run.ts";
import { openModelSession, redactorOver, refuseUnpriced } from "../model-session.ts";
import { type OutputFormat, outputFormats } from "../output.ts";
import { addSettingFlags } from "../setting-flags.ts";
import { loadSettings, runsDirectoryOf, type Settings } from "../settings.ts";
import { addSwitchFlags, readSwitches, type SwitchFlags } from "../switch-flags.ts";
import {
  failingTestFlag,
  findRepository,
  readerOf,
  readStatement,
  readText,
  refuseFolder,
} from "../task-arguments.ts";
import { chooseSandbox } from "../temporary-workspace.ts";

interface SolveFlags extends SwitchFlags {
  readonly repo: string;
  readonly kind: string;
  readonly issue?: string;
  readonly failingTest?: readonly string[];
  readonly target?: string;
  readonly partialPatch?: string;
  readonly apply?: boolean;
  readonly record?: string;
  readonly output: OutputFormat;
  readonly [setting: string]: unknown;
}

export function addSolveCommand(program: Command): void {
  const command = program
    .command("solve")
    .description("solve a task in a repository and return a patch with its evidence")
    .argument("[statement]", "the issue in your words; without one, the failing tests are the task")
    .option("--repo <dir>", "the repository; it is never written, unless --apply is given", ".")
    .addOption(
      new Option("--kind <kind>", "what kind of task it is")
        .choices(taskKindSchema.options)
        .default("repair"),
    )
    .option("--issue <file>", "read the statement from a file")
    .option(...failingTestFlag)
    .option("--target <file:symbol>", "the place that the task is about")
    .option("--partial-patch <file>", "an earlier attempt, as a unified diff")
    .option("--apply", "lay a verified patch on the repository at the end")
    .option(
      "--record <dir>",
      "copy the calls of models there at the end; `--model replay:DIR` answers from them",
    )
    .addOption(
      new Option("--output <format>", "what to print on standard output")
        .choices(outputFormats)
        .default("text"),
    );
  addSwitchFlags(command);
  addSettingFlags(command);
  command.action(async (statement: string | undefined, flags: SolveFlags) => {
    process.exitCode = await solve(statement, flags);
  });
}

async function solve(statement: string | undefined, flags: SolveFlags): Promise<number> {
  refuseFolder("solve", statement);
  const repository = findRepository(flags.repo);
  const {
    repo: _r,
    kind,
    issue,
    failingTest,
    target,
    partialPatch,
    apply,
    output,
    record,
    ...others
  } = flags;
  const { without, partialPatchIn, backtracking, rules, heldBack, workspace, trace, ...settingFlags } =
    others;
  const { settings, warnings } = loadSettings({ repository, environment: process.env, flags: settingFlags });
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
  const strategy = chooseStrategy(settings, kind);
  const switches = readSwitches(
    { without, partialPatchIn, backtracking, rules, heldBack, workspace, trace },
    stagesOf(strategy),
  );
  const redactor = redactorOver(process.env, [process.cwd(), repository]);
  const text = redactor.known(readStatement(issue, statement));
  // What is missing is said before there is a run.
  if (needsModel(strategy))
    refuseUnpriced(
      await openModelSession(settings, { environment: process.env, folder: process.cwd() }),
      settings.maxCost,
    );
  const sandbox = await chooseSandbox(settings.sandbox);
  const task = describeTask({
    kind: taskKindSchema.parse(kind),
    statement: text,
    repository,
    ...(failingTest === undefined ? {} : { failingTests: [...failingTest] }),
    ...(target === undefined ? {} : { target }),
    ...(partialPatch === undefined ? {} : { partialPatch: readText(partialPatch) }),
  });
  await checkTarget(task, readerOf(repository));
  const description: RunDescription = {
    ...describeRun({
      task,
      strategy,
      settings,
      switches,
      sandbox: sandbox.provider.name,
      apply: apply === true,
    }),
    ...(needsModel(strategy) ? {} : { model: null }),
    ...(record === undefined ? {} : { recordTo: resolvePath(record) }),
  };
  const directory = await createRun(runsDirectoryOf(settings, process.env), description);
  return conductRun(directory, output, sandbox);
}

function chooseStrategy(settings: Settings, kind: string): string {
  const hasModel = settings.model !== "none";
  const name = settings.strategy ?? (hasModel ? "unified" : "search-repair");
  const strategy = strategies.find((each) => each.name === name);
  if (strategy === undefined) throw unknownStrategy(name);
  if (!strategy.kinds.some((each) => each === kind)) {
    throw new MillwrightError("usage", `The strategy ${name} does not do tasks of the kind ${kind}`, {
      hint: `It does: ${strategy.kinds.join(", ")}.`,
    });
  }
  if (strategy.needsModel && !hasModel) {
    throw new MillwrightError("usage", `The strategy ${name} needs a model`, {
      hint: "Give --model PROVIDER/ID, or take search-repair, which needs none.",
    });
  }
  return name;
}

function stagesOf(name: string): readonly string[] {
  const strategy: Strategy | undefined = strategies.find((each) => each.name === name);
  return strategy?.stages ?? [];
}

function needsModel(name: string): boolean {
  return strategies.some((each) => each.name === name && each.needsModel);
}
