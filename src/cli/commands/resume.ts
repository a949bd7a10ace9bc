import { type Command, Option } from "commander";
import { findRun } from "../../agent/run/run-store.ts";
import { conductRun } from "../conduct.ts";
import { type OutputFormat, outputFormats } from "../output.ts";
import { runsDirectoryFromFlags } from "../runs-directory.ts";

export function addResumeCommand(program: Command): void {
  program
    .command("resume")
    .description("go on with a run that was interrupted or killed; finished steps are not repeated")
    .argument("<run>", "its id, a unique part of it, its folder, or `last`")
    .option("--runs-dir <dir>", "the folder of all runs")
    .addOption(
      new Option("--output <format>", "what to print on standard output")
        .choices(outputFormats)
        .default("text"),
    )
    .action(async (run: string, flags: { runsDir?: string; output: OutputFormat }) => {
      const directory = await findRun(runsDirectoryFromFlags(flags), run);
      process.exitCode = await conductRun(directory, flags.output);
    });
}
