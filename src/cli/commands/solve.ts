import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { type Command, Option } from "commander";
import { createRun, newRunId, type RunDescription } from "../../agent/run-store.ts";
import { MillwrightError } from "../../base/errors.ts";
import { hashText } from "../../base/hash.ts";
import { taskKindSchema } from "../../domain/task.ts";
import { selectSandbox } from "../../sandbox/index.ts";
import { strategies } from "../../strategies/index.generated.ts";
import { conductRun, unknownStrategy } from "../conduct.ts";
import { type OutputFormat, outputFormats } from "../output.ts";
import { addSettingFlags } from "../setting-flags.ts";
import { loadSettings, runsDirectoryOf, type Settings } from "../settings.ts";
import { version } from "../version.ts";

interface SolveFlags {
  readonly repo: string;
  readonly kind: string;
  readonly issue?: string;
  readonly target?: string;
  readonly partialPatch?: string;
  readonly apply?: boolean;
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
    .option("--target <file:symbol>", "the place that the task is about")
    .option("--partial-patch <file>", "an earlier attempt, as a unified diff")
    .option("--apply", "lay a verified patch on the repository at the end")
    .addOption(
      new Option("--output <format>", "what to print on standard output")
        .choices(outputFormats)
        .default("text"),
    );
  addSettingFlags(command);
  command.action(async (statement: string | undefined, flags: SolveFlags) => {
    process.exitCode = await solve(statement, flags);
  });
}

async function solve(statement: string | undefined, flags: SolveFlags): Promise<number> {
  if (statement !== undefined && existsSync(statement) && statSync(statement).isDirectory()) {
    throw new MillwrightError("usage", `${statement} is a folder, and the argument of solve is a statement`, {
      hint: `To work on that folder: millwright solve --repo ${statement}`,
    });
  }
  const repository = findRepository(flags.repo);
  const { repo: _r, kind, issue, target, partialPatch, apply, output, ...settingFlags } = flags;
  const { settings, warnings } = loadSettings({ repository, environment: process.env, flags: settingFlags });
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
  const strategy = chooseStrategy(settings, kind);
  const text = issue === undefined ? (statement ?? "") : readStatement(issue, statement);
  const { provider, availability, passedOver } = await selectSandbox(settings.sandbox);
  for (const { name, reason } of passedOver) process.stderr.write(`note: no ${name} sandbox: ${reason}\n`);
  for (const warning of availability.warnings) process.stderr.write(`warning: ${warning}\n`);
  const commit = headCommit(repository);
  const run = newRunId(basename(repository), new Date());
  const description: RunDescription = {
    schema: "millwright.run/1",
    run,
    version,
    startedAt: new Date().toISOString(),
    task: {
      id: `${basename(repository)}-${hashText(`${kind}\n${text}\n${commit ?? ""}`).slice(0, 8)}`,
      kind: taskKindSchema.parse(kind),
      statement: text,
      repository,
      ...(commit === undefined ? {} : { baseCommit: commit }),
      ...(target === undefined ? {} : { target }),
      ...(partialPatch === undefined ? {} : { partialPatch: readText(partialPatch) }),
    },
    strategy,
    model: settings.model === "none" ? null : settings.model,
    sandbox: provider.name,
    ...(settings.image === undefined ? {} : { image: settings.image }),
    network: settings.network,
    ...(settings.testCommand === undefined ? {} : { testCommand: settings.testCommand }),
    parallel: settings.parallel,
    limits: limitsOf(settings),
    apply: apply === true,
  };
  const directory = await createRun(runsDirectoryOf(settings, process.env), description);
  return conductRun(directory, output);
}

function limitsOf(settings: Settings): RunDescription["limits"] {
  return {
    ...(settings.maxTime === undefined ? {} : { maxMs: settings.maxTime }),
    ...(settings.maxSteps === undefined ? {} : { maxSteps: settings.maxSteps }),
    ...(settings.maxCost === undefined ? {} : { maxUsd: settings.maxCost }),
    memoryBytes: settings.memory,
    cpus: settings.cpus,
    processes: settings.processes,
  };
}

function chooseStrategy(settings: Settings, kind: string): string {
  if (settings.model !== "none") {
    throw new MillwrightError(
      "usage",
      `The model ${settings.model} cannot be used: this version works without a model only`,
      {
        hint: "Leave --model out, or give --model none.",
      },
    );
  }
  const name = settings.strategy ?? "search-repair";
  const strategy = strategies.find((each) => each.name === name);
  if (strategy === undefined) throw unknownStrategy(name);
  if (!strategy.kinds.some((each) => each === kind)) {
    throw new MillwrightError("usage", `The strategy ${name} does not do tasks of the kind ${kind}`, {
      hint: `It does: ${strategy.kinds.join(", ")}.`,
    });
  }
  return name;
}

function findRepository(folder: string): string {
  const path = resolve(folder);
  if (!existsSync(path) || !statSync(path).isDirectory()) {
    throw new MillwrightError("usage", `${path} is no folder`, {
      hint: "Give the repository's folder with --repo.",
    });
  }
  return realpathSync(path);
}

function readStatement(issue: string, statement: string | undefined): string {
  if (/^https?:\/\//.test(issue)) {
    throw new MillwrightError(
      "usage",
      "--issue takes a file; issues behind a URL are not read by this version",
      {
        hint: "Save the issue's text to a file and give that.",
      },
    );
  }
  return [statement, readText(issue)].filter((part) => part !== undefined).join("\n\n");
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new MillwrightError("usage", `${path} cannot be read: ${String(error)}`, { cause: error });
  }
}

/** The commit of HEAD; undefined outside of git or before the first commit. Reads only. */
function headCommit(repository: string): string | undefined {
  try {
    const text = execFileSync(
      "git",
      [
        "-C",
        repository,
        "-c",
        "core.fsmonitor=false",
        "-c",
        "safe.directory=*",
        "rev-parse",
        "--verify",
        "HEAD",
      ],
      {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
        env: { PATH: process.env.PATH ?? "", GIT_OPTIONAL_LOCKS: "0" },
      },
    );
    return text.trim();
  } catch {
    return undefined;
  }
}
