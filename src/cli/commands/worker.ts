/** `millwright worker`: executes the queued tries of batches. */
import { type Command, InvalidArgumentError } from "commander";
import { addRoomFlags, count } from "../bench-flags.ts";
import { queueOption } from "../bench-queue.ts";
import { runWorker, type WorkerFlags } from "../bench-worker.ts";

const exitCodes = `
Exit codes:
  0 with --once: nothing is left to do   2 wrong usage   3 the queue, the store or this machine cannot be used
  130 interrupted: other workers take this worker's running tries`;

export function addWorkerCommand(program: Command): void {
  const worker = program
    .command("worker")
    .description(
      "execute the queued work of `bench run --queue` and `bench mine --queue`, until you stop the worker",
    )
    .addOption(queueOption())
    .option("--workers <count>", "number of tries at the same time", count, 1)
    .option(
      "--bench-dir <dir>",
      "folder of this worker's environments and working folders, used by no other process; default: worker in the state directory",
    )
    .option("--name <name>", "the worker's name in reports; default: the machine's name and the process id")
    .option(
      "--lease <seconds>",
      "seconds without a heartbeat after which other workers take this worker's tries; at least 10",
      leaseSeconds,
      30,
    )
    .option("--once", "end when the queue is empty")
    .addHelpText("after", exitCodes);
  addRoomFlags(worker);
  worker.action(async (flags: WorkerFlags) => {
    process.exitCode = await runWorker(flags);
  });
}

/** Parses a lease in seconds. The minimum leaves room for several heartbeats within a lease, even on a busy machine. */
export function leaseSeconds(text: string): number {
  if (/^[1-9]\d{1,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give a whole number of seconds from 10 to 9999.");
}
