/** `bench import`: makes a batch from reports of official harnesses. */
import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import picomatch from "picomatch";
import { writeFileAtomically } from "../base/atomic-file.ts";
import { countOf, wordFor } from "../base/count.ts";
import { MillwrightError } from "../base/errors.ts";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import { countOutcomes } from "../bench/batch-report.ts";
import { loadTasks } from "../bench/load-tasks.ts";
import {
  batchOfReports,
  commonTasks,
  type ImportedTasks,
  type OfficialReport,
  readOfficialReport,
} from "../bench/official-reports.ts";
import { readPatches } from "../bench/predictions.ts";
import { type RowProblem, tellProblems } from "../bench/rows.ts";
import { factsOf } from "../bench/task-facts.ts";
import { describeCounts } from "./bench-progress.ts";

export interface ImportFlags {
  readonly out: string;
  readonly tasks?: string;
  readonly hidden?: string;
  readonly dataset?: string;
  /** Globs of paths; a glob without a slash matches names in every folder. */
  readonly edited?: readonly string[];
}

/**
 * Imports official reports as a batch. `given`: paths, each as `REPORT` or `REPORT=PREDICTIONS`. Throws
 * MillwrightError("usage") if two reports have the same file name, or if the reports share no task.
 */
export async function importReports(given: readonly string[], flags: ImportFlags): Promise<void> {
  const problems: RowProblem[] = [];
  const reports = given.map((each) => readGiven(each, problems));
  const names = reports.map(({ agent }) => agent);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new MillwrightError("usage", `Two reports have the name ${twice}.json`, {
      hint: "Rename one of the files: the file name becomes the agent's name.",
    });
  const tasks = flags.tasks === undefined ? tasksOf(reports) : await readTasks(flags.tasks, flags, problems);
  if (tasks.ids.length === 0)
    throw new MillwrightError("usage", "No task is in the lists of all reports", {
      hint: "Check the reports' lists, and import reports of different benchmarks separately.",
    });
  const { edited = [] } = flags;
  const isCounted = edited.length === 0 ? () => true : picomatch([...edited], { dot: true, basename: true });
  const batch = batchOfReports(reports, tasks, isCounted);
  mkdirSync(flags.out, { recursive: true });
  const file = join(flags.out, "report.json");
  await writeFileAtomically(file, `${JSON.stringify(batch, null, 2)}\n`, 0o666);
  const notes = [...problems, ...differences(reports, tasks)];
  if (notes.length > 0) process.stderr.write(sanitizeForTerminal(`note:\n  ${tellProblems(notes)}\n`));
  const lines = reports.map(({ agent }) => {
    const own = batch.tries.filter(({ strategy }) => strategy === agent);
    return `${agent}: ${describeCounts(countOutcomes(own))}`;
  });
  process.stdout.write(sanitizeForTerminal(`${[...lines, file].join("\n")}\n`));
}

function readGiven(given: string, problems: RowProblem[]): OfficialReport {
  const at = given.indexOf("=");
  const [path, predictions] = at < 0 ? [given, undefined] : [given.slice(0, at), given.slice(at + 1)];
  const patches = predictions === undefined ? new Map<string, string>() : readPatches(predictions, problems);
  return readOfficialReport(path, basename(path).replace(/\.json$/, ""), patches);
}

function tasksOf(reports: readonly OfficialReport[]): ImportedTasks {
  return { file: reports.map(({ path }) => path).join(", "), ids: commonTasks(reports), facts: [] };
}

async function readTasks(
  path: string,
  { hidden, dataset }: ImportFlags,
  problems: RowProblem[],
): Promise<ImportedTasks> {
  const tasks = await loadTasks({ tasks: path, hidden, dataset }, problems);
  return { file: path, ids: tasks.map(({ task }) => task.id), facts: tasks.map(factsOf) };
}

/** Lists the differences between each report and the tasks. */
function differences(reports: readonly OfficialReport[], { ids }: ImportedTasks): RowProblem[] {
  const known = new Set(ids);
  return reports.flatMap(({ path, results, total }) => {
    const others = [...results.keys()].filter((id) => !known.has(id)).length;
    const left =
      others === 0
        ? []
        : [
            `skipped ${countOf(others, "task")} of its lists that ${wordFor(others, "is", "are")} not among the imported tasks`,
          ];
    const listed = results.size;
    const wrong =
      total === undefined || total === listed
        ? []
        : [`it states ${countOf(total, "task")}, but its lists name ${listed}`];
    return [...left, ...wrong].map((message) => ({ place: path, message }));
  });
}
