import { type Command, Option } from "commander";
import { findRun } from "../../agent/run/run-store.ts";
import { resumeRun } from "../../session/resume-run.ts";
import { conductRun } from "../conduct.ts";
import { type OutputFormat, outputFormats, quietFlag } from "../output.ts";
import { runsDirectoryFromFlags } from "../runs-directory.ts";
import { addSurroundingsFlags, type SurroundingsFlags, surroundingsOf } from "../surroundings-flags.ts";

export function addResumeCommand(program: Command): void {
  const command = program
    .command("resume")
    .description("continue an interrupted or killed run, without repeating finished steps")
    .argument("<run>", "the run's id, a unique part of the id, the run's folder, or `last`")
    .option("--runs-dir <dir>", "the folder of all runs")
    .addOption(
      new Option("--output <format>", "what to print on standard output")
        .choices(outputFormats)
        .default("text"),
    )
    .option(...quietFlag);
  addSurroundingsFlags(command).action(async (run: string, flags: ResumeFlags) => {
    const directory = await findRun(runsDirectoryFromFlags(flags), run);
    const surroundings = surroundingsOf(flags);
    process.exitCode = await conductRun(directory, flags, (options) =>
      resumeRun({ ...options, surroundings }),
    );
  });
}

interface ResumeFlags extends SurroundingsFlags {
  readonly runsDir?: string;
  readonly output: OutputFormat;
  readonly quiet?: boolean;
}
