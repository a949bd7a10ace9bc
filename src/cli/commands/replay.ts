import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Command, Option } from "commander";
import { notesSchema } from "../../agent/run/memory.ts";
import { readEvents } from "../../agent/run/recorder.ts";
import { createRun, findRun, newRunId, type RunDescription, readRun } from "../../agent/run/run-store.ts";
import { MillwrightError } from "../../base/errors.ts";
import type { RunEvent } from "../../domain/run-event.ts";
import type { SolveReport } from "../../domain/solve-report.ts";
import { interruptedExitCode, performRun } from "../conduct.ts";
import { type OutputFormat, outputFormats, printReport } from "../output.ts";
import { runsDirectoryFromFlags } from "../runs-directory.ts";
import { version } from "../version.ts";

export function addReplayCommand(program: Command): void {
  program
    .command("replay")
    .description(
      "do a run again, as a new one, with the models' recorded answers; says whether the patch is the same",
    )
    .argument("<run>", "its id, a unique part of it, its folder, or `last`")
    .option("--runs-dir <dir>", "the folder of all runs")
    .addOption(
      new Option("--output <format>", "what to print on standard output")
        .choices(outputFormats)
        .default("text"),
    )
    .action(async (run: string, flags: { runsDir?: string; output: OutputFormat }) => {
      const directory = await findRun(runsDirectoryFromFlags(flags), run);
      process.exitCode = await replay(directory, flags.output);
    });
}

/** Another patch, or none to compare with. */
const different = 1;

async function replay(directory: string, output: OutputFormat): Promise<number> {
  const original = await readRun(directory);
  const before = await readEvents(join(directory, "events.jsonl"));
  const description = { ...describeReplay(original, join(directory, "calls")), ...recalledBy(before) };
  const again = await createRun(dirname(directory), description);
  const changed: string[] = [];
  const report = await performRun(again, output, { onMiss: (message) => changed.push(message) });
  if (report === undefined) return interruptedExitCode;
  const after = await readEvents(join(again, "events.jsonl"));
  const compared = compare(original.run, before, after, report, changed);
  if (output === "text") {
    printReport(output, report);
    process.stdout.write(`${explain(compared)}\n`);
  } else {
    const document = { schema: "millwright.replay/1", ...compared, report };
    process.stdout.write(`${JSON.stringify(document, null, output === "json" ? 2 : undefined)}\n`);
  }
  return compared.same === true ? 0 : different;
}

/** Nothing is applied by it, and no model but the recording is named. */
function describeReplay(original: RunDescription, calls: string): RunDescription {
  const { recordTo: _, notesFile: _n, modelSettings = {}, ...rest } = original;
  if (original.model !== null && !existsSync(calls))
    throw new MillwrightError("usage", `The run ${original.run} has no recorded calls`, {
      hint: "A run whose model was never asked cannot be replayed.",
    });
  const { modelRoles: _r, embeddingModel, ...others } = modelSettings;
  const model = original.model === null ? null : `replay:${calls}`;
  const now = new Date();
  return {
    ...rest,
    run: newRunId(basename(original.task.repository), now),
    version,
    startedAt: now.toISOString(),
    model,
    modelSettings: {
      ...others,
      ...(embeddingModel === undefined || model === null ? {} : { embeddingModel: model }),
    },
    apply: false,
    replays: original.run,
  };
}

/** The notes that it began with. */
function recalledBy(events: readonly RunEvent[]): Pick<RunDescription, "recalled"> {
  const step = events.find((event) => event.event === "step-finished" && event.step === "notes");
  return step?.event === "step-finished" ? { recalled: notesSchema.parse(step.result) } : {};
}

interface Comparison {
  readonly of: string;
  readonly run: string;
  /** Null where the run that is replayed came to no end. */
  readonly same: boolean | null;
  /** Whether the repository has other files than when the run began. */
  readonly repositoryChanged: boolean;
  /** Requests that the recording does not have, each with where it leaves the nearest one. The first is the cause of the others. */
  readonly changed: readonly string[];
}

function compare(
  of: string,
  before: readonly RunEvent[],
  after: readonly RunEvent[],
  { run, patch }: SolveReport,
  changed: readonly string[],
): Comparison {
  const end = before.find((event) => event.event === "run-ended");
  const baseOf = (events: readonly RunEvent[]): string | undefined =>
    events.find((event) => event.event === "workspace-opened")?.base;
  return {
    of,
    run,
    same: end === undefined ? null : end.report.patch === patch,
    repositoryChanged: baseOf(before) !== baseOf(after),
    changed,
  };
}

function explain({ of, same, repositoryChanged, changed }: Comparison): string {
  const verdict =
    same === null
      ? "The run came to no end: there is no patch to compare with."
      : `The patch is ${same ? "the same as" : "not that"} of ${of}.`;
  return [
    verdict,
    ...(repositoryChanged ? ["The repository is not as it was when the run began."] : []),
    ...(changed[0] === undefined ? [] : [`A request changed: ${changed[0]}`]),
  ].join("\n");
}
