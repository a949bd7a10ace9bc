import { type Command, Option } from "commander";
import { taskKindSchema } from "../../domain/task.ts";
import { performRun } from "../../session/perform-run.ts";
import { findRepository } from "../../session/repository.ts";
import { startRun } from "../../session/start-run.ts";
import { conductRun } from "../conduct.ts";
import { hostOf } from "../host.ts";
import { readSettings } from "../load-settings.ts";
import { type OutputFormat, outputFormats, quietFlag } from "../output.ts";
import { addSettingFlags } from "../setting-flags.ts";
import { addSwitchFlags, readSwitches, type SwitchFlags } from "../switch-flags.ts";
import { failingTestFlag, readStatement, readText, refuseFolder } from "../task-arguments.ts";

interface SolveFlags extends SwitchFlags {
  readonly repo: string;
  readonly kind: string;
  readonly issue?: string;
  readonly failingTest?: readonly string[];
  readonly target?: string;
  readonly partialPatch?: string;
  readonly apply?: boolean;
  readonly applyPartial?: boolean;
  readonly record?: string;
  readonly output: OutputFormat;
  readonly quiet?: boolean;
  readonly dryRun?: boolean;
  readonly [setting: string]: unknown;
}

export function addSolveCommand(program: Command): void {
  const command = program
    .command("solve")
    .description("solve a task in a repository and return a patch with its evidence")
    .argument("[statement]", "the issue in your words; without one, the failing tests are the task")
    .option(
      "--repo <dir>",
      "the repository; Millwright writes to it only with --apply or --apply-partial",
      ".",
    )
    .addOption(
      new Option(
        "--kind <kind>",
        "the kind of task; auto: Millwright decides by flags and statement, or asks a model",
      )
        .choices(["auto", ...taskKindSchema.options])
        .default("auto"),
    )
    .option("--issue <file>", "read the statement from a file")
    .option(...failingTestFlag)
    .option("--target <file:symbol>", "the code that the task is about, such as src/cart.py:Cart.total")
    .option("--partial-patch <file>", "an earlier attempt, as a unified diff")
    .option("--apply", "at the end, apply a verified patch to the repository")
    .option(
      "--apply-partial",
      "also apply a patch that repairs only some of the failing tests, if it meets all other conditions of the gate",
    )
    .option(
      "--record <dir>",
      "at the end, copy the recorded model calls to this folder; replay the answers with `--model replay:DIR`",
    )
    .addOption(
      new Option("--output <format>", "what to print on standard output")
        .choices(outputFormats)
        .default("text"),
    )
    .option(...quietFlag)
    .addOption(
      new Option("--dry-run", "leave the repository unchanged (the default)").conflicts([
        "apply",
        "applyPartial",
      ]),
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
    applyPartial,
    output,
    quiet,
    dryRun: _d,
    record,
    ...others
  } = flags;
  const [switches, settingFlags] = readSwitches(others);
  const { directory, sandbox } = await startRun({
    host: hostOf(),
    settings: readSettings(repository, settingFlags),
    task: {
      kind: kind === "auto" ? kind : taskKindSchema.parse(kind),
      statement: readStatement(issue, statement),
      repository,
      ...(failingTest === undefined ? {} : { failingTests: [...failingTest] }),
      ...(target === undefined ? {} : { target }),
      ...(partialPatch === undefined ? {} : { partialPatch: readText(partialPatch) }),
    },
    switches,
    apply: applyPartial === true ? "partial" : apply === true,
    recordTo: record,
  });
  return conductRun(directory, { output, quiet }, (options) => performRun({ ...options, sandbox }));
}
