import type { Command } from "commander";
import { sanitizeForTerminal } from "../../base/terminal-text.ts";
import { type ForgedOutside, forgeOutside } from "../../session/forge-session.ts";
import { findRepository } from "../../session/repository.ts";
import { hostOf } from "../host.ts";
import { withInterrupts } from "../interrupt.ts";
import { readSettings } from "../load-settings.ts";
import { addSettingFlags, solvingOnly } from "../setting-flags.ts";

const help = `
The command creates the folder, and never writes to the target. It copies the build's inputs from the target, and builds the project once in the sandbox. Then write a program into the project, and run the program with or without a trace:
millwright forge ../try --target .
millwright trace --target . --workspace ../try --instrument 'src/parser.rs:parse' -- cargo run
Exit codes: 0 the project builds   2 wrong usage, or no project that builds can be made   3 infrastructure   130 interrupted`;

interface ForgeFlags {
  readonly target: string;
  readonly package: readonly string[];
  readonly about: string;
  readonly json?: boolean;
  readonly [setting: string]: unknown;
}

/** The initial value of a repeatable flag. */
const none: readonly string[] = [];

export function addForgeCommand(program: Command): void {
  const command = program
    .command("forge")
    .description(
      "create a small project that depends on a repository, to run programs against the repository's code",
    )
    .argument("<dir>", "the folder to create, outside the repository")
    .option("--target <dir>", "the repository; Millwright never writes to it", ".")
    .option(
      "--package <name>",
      "a package of the repository to depend on, by name or folder; repeatable [default: usually the root package, or else the libraries]",
      (text: string, before: readonly string[]) => [...before, text],
      none,
    )
    .option(
      "--about <words>",
      "for cargo and npm: a text about the project's purpose; packages named in the text come first",
      "",
    )
    .option("--json", "print one JSON document")
    .addHelpText("after", help);
  addSettingFlags(command, [...solvingOnly, "maxTime", "testCommand", "testTimeout"]);
  command.action(async (directory: string, flags: ForgeFlags) => {
    process.exitCode = await forge(directory, flags);
  });
}

async function forge(directory: string, flags: ForgeFlags): Promise<number> {
  const { target, package: packages, about, json, ...settingFlags } = flags;
  const repository = findRepository(target);
  const settings = readSettings(repository, settingFlags);
  const made = await withInterrupts((signal) =>
    forgeOutside({ host: hostOf(), directory, target: repository, packages, about, settings, signal }),
  );
  process.stdout.write(
    json ? `${JSON.stringify({ schema: "millwright.forge/1", ...made }, null, 2)}\n` : describe(made),
  );
  return 0;
}

function describe({
  directory,
  target,
  ecosystem,
  imports,
  entry,
  run,
  start,
  notes,
}: ForgedOutside): string {
  const names = imports.filter((name) => name !== "");
  const trace = ["millwright", "trace", "--target", target, "--workspace", directory];
  const lines = [
    `${directory} is a project (${ecosystem}) that depends on ${names.length === 0 ? target : names.join(", ")}; the project builds`,
    `the program   ${entry}`,
    `run it        cd ${directory} && ${run}`,
    ...(start === null
      ? []
      : [`trace it      ${trace.join(" ")} --instrument 'PATH:NAME' -- ${start.join(" ")}`]),
    ...notes,
  ];
  return `${sanitizeForTerminal(lines.join("\n"))}\n`;
}
