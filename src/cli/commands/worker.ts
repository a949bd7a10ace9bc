/** `millwright worker`: executes the tries of batches that lie in a queue. */
import type { Command } from "commander";
import { count, sizeOption } from "../bench-flags.ts";
import { queueOption } from "../bench-queue.ts";
import { runWorker, type WorkerFlags } from "../bench-worker.ts";

const exitCodes = `
Exit codes:
  0 with --once: nothing is left to do   2 wrong usage   3 the queue, the store or this machine cannot be used
  130 interrupted: what it was at goes to other workers`;

export function addWorkerCommand(program: Command): void {
  program
    .command("worker")
    .description(
      "execute the tries of batches that `bench run --queue` put into a queue, until it is stopped",
    )
    .addOption(queueOption())
    .option("--workers <count>", "tries at the same time", count, 1)
    .option("--bench-dir <dir>", "environments and working folders; default: the state directory")
    .option("--name <name>", "what it is called in reports; default: the machine's name and the process")
    .option("--lease <seconds>", "after so long without a sign of life its tries go to others", count, 30)
    .addOption(
      sizeOption("--least-disk <size>", "takes nothing while the disk of --bench-dir has less", "1g"),
    )
    .addOption(sizeOption("--least-memory <size>", "takes nothing while the machine has less", "512m"))
    .option("--once", "end when nothing is left in the queue")
    .addHelpText("after", exitCodes)
    .action(async (flags: WorkerFlags) => {
      process.exitCode = await runWorker(flags);
    });
}
