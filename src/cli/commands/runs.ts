import type { Command } from "commander";
import { sanitizeForTerminal } from "../../base/terminal-text.ts";
import { listRunsIn } from "../../session/read-runs.ts";
import { runsDirectoryFromFlags } from "../runs-directory.ts";

export function addRunsCommand(program: Command): void {
  program
    .command("runs")
    .description("list the runs, newest first")
    .option("--runs-dir <dir>", "the folder of all runs")
    .option("--json", "print one JSON document")
    .action(async (flags: { runsDir?: string; json?: boolean }) => {
      const directory = runsDirectoryFromFlags(flags);
      const rows = await listRunsIn(directory);
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

/** Renders lines with aligned columns. */
function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const width = (column: number): number => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0));
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(width(column)))
      .join("  ")
      .trimEnd(),
  );
}
