import { type Command, Option } from "commander";
import { findRun } from "../../agent/run/run-store.ts";
import type { Replay } from "../../domain/replay.ts";
import { replayRun } from "../../session/replay-run.ts";
import { followRun } from "../conduct.ts";
import { type OutputFormat, outputFormats, printReport, quietFlag } from "../output.ts";
import { runsDirectoryFromFlags } from "../runs-directory.ts";
import { addSurroundingsFlags, type SurroundingsFlags, surroundingsOf } from "../surroundings-flags.ts";

export function addReplayCommand(program: Command): void {
  const command = program
    .command("replay")
    .description(
      "repeat a run with the models' recorded answers, and report whether the new run has the same patch",
    )
    .argument("<run>", "the run's id, a unique part of the id, the run's folder, or `last`")
    .option("--runs-dir <dir>", "the folder of all runs")
    .addOption(
      new Option("--output <format>", "what to print on standard output")
        .choices(outputFormats)
        .default("text"),
    )
    .option(...quietFlag);
  addSurroundingsFlags(command).action(async (run: string, flags: ReplayFlags) => {
    const directory = await findRun(runsDirectoryFromFlags(flags), run);
    process.exitCode = await replay(directory, flags);
  });
}

/** The exit code if the patches differ, or if there is no patch to compare. */
const different = 1;

interface ReplayFlags extends SurroundingsFlags {
  readonly runsDir?: string;
  readonly output: OutputFormat;
  readonly quiet?: boolean;
}

async function replay(directory: string, { output, quiet, ...flags }: ReplayFlags): Promise<number> {
  const surroundings = surroundingsOf(flags);
  const done = await followRun(directory, { output, quiet }, (options) =>
    replayRun({ ...options, surroundings }),
  );
  const { report, ...compared } = done;
  if (output === "text" || output === "patch") {
    printReport(output, report);
    const stream = output === "text" ? process.stdout : process.stderr;
    stream.write(`${explain(compared)}\n`);
  } else {
    const document = { schema: "millwright.replay/1", ...compared, report };
    process.stdout.write(`${JSON.stringify(document, null, output === "json" ? 2 : undefined)}\n`);
  }
  return compared.same === true ? 0 : different;
}

function explain({ of, same, repositoryChanged, changed }: Omit<Replay, "report">): string {
  const verdict =
    same === null
      ? "The original run did not finish: it has no patch to compare with."
      : `The patch is ${same ? "the same as" : "different from"} that of ${of}.`;
  return [
    verdict,
    ...(repositoryChanged ? ["The repository has changed since the run began."] : []),
    ...(changed[0] === undefined ? [] : [`A request changed: ${changed[0]}`]),
  ].join("\n");
}
