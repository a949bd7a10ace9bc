import { join } from "node:path";
import type { Command } from "commander";
import { readEvents } from "../../agent/run/recorder.ts";
import { isRunAlive, listRunIds, readRun } from "../../agent/run/run-store.ts";
import { sanitizeForTerminal } from "../../base/terminal-text.ts";
import { runsDirectoryFromFlags } from "../runs-directory.ts";

interface RunRow {
  readonly run: string;
  readonly state: string;
  readonly kind: string;
  readonly strategy: string;
  readonly repository: string;
  readonly startedAt: string;
}

export function addRunsCommand(program: Command): void {
  program
    .command("runs")
    .description("list the runs, newest first")
    .option("--runs-dir <dir>", "the folder of all runs")
    .option("--json", "print one JSON document")
    .action(async (flags: { runsDir?: string; json?: boolean }) => {
      const directory = runsDirectoryFromFlags(flags);
      const rows = await Promise.all(
        (await listRunIds(directory)).reverse().map((id) => describe(join(directory, id), id)),
      );
      if (flags.json) {
        process.stdout.write(
          `${JSON.stringify({ schema: "millwright.runs/1", directory, runs: rows }, null, 2)}\n`,
        );
        return;
      }
      if (rows.length === 0) process.stderr.write(`no runs in ${directory}\n`);
      const columns = rows.map((row) => [row.run, row.state, row.kind, row.repository]);
      for (const line of alignColumns(columns)) process.stdout.write(`${sanitizeForTerminal(line)}\n`);
    });
}

/** Lines whose columns begin at the same place. */
function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const width = (column: number): number => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0));
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(width(column)))
      .join("  ")
      .trimEnd(),
  );
}

async function describe(directory: string, id: string): Promise<RunRow> {
  try {
    const { task, strategy, startedAt } = await readRun(directory);
    const state = await stateOf(directory);
    return { run: id, state, kind: task.kind, strategy, repository: task.repository, startedAt };
  } catch {
    return { run: id, state: "damaged", kind: "", strategy: "", repository: "", startedAt: "" };
  }
}

/** An outcome, `limit` where one stopped it first, `running`, or `resumable`. */
async function stateOf(directory: string): Promise<string> {
  const events = await readEvents(join(directory, "events.jsonl"));
  const end = events.find((event) => event.event === "run-ended");
  if (end !== undefined) return end.report.exitCode === 12 ? "limit" : end.report.outcome;
  return isRunAlive(directory) ? "running" : "resumable";
}
