/** `millwright import`: imports trajectories of other agents as runs. */
import type { Command } from "commander";
import { countOf } from "../../base/count.ts";
import { sanitizeForTerminal } from "../../base/terminal-text.ts";
import { importTrajectory } from "../../session/import-trajectory.ts";
import { hostOf } from "../host.ts";
import { runsDirectoryFromFlags } from "../runs-directory.ts";

export function addImportCommand(program: Command): void {
  program
    .command("import")
    .description("import other agents' trajectories as runs: mini-swe-agent, SWE-agent, OpenHands, ATIF")
    .argument("<file...>", "*.traj.json, *.traj, OpenHands' events, or a trajectory in ATIF")
    .option("--runs-dir <dir>", "the folder of all runs")
    .action(async (files: readonly string[], flags: { runsDir?: string }) => {
      const runsDirectory = runsDirectoryFromFlags(flags);
      for (const file of files) {
        const { run, trajectory, usage } = await importTrajectory(file, { host: hostOf(), runsDirectory });
        const { agent, turns, end } = trajectory;
        const calls = turns.reduce((sum, turn) => sum + turn.calls.length, 0);
        const told = `${countOf(turns.length, "answer")}, ${countOf(calls, "call")} of tools, $${usage.usd.toFixed(2)}`;
        process.stdout.write(sanitizeForTerminal(`${run}: ${agent}, ${told}, ended with ${end}\n`));
      }
    });
}
