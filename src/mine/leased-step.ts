/** Executes jobs of a queue: each decides one change in one step. */
import { z } from "zod";
import { parseJson } from "../base/parse-json.ts";
import { executeJob } from "../bench/job.ts";
import type { GradingOptions } from "../bench/open-task.ts";
import { parseTryName, type TryName } from "../bench/queued-try.ts";
import type { ResultStore } from "../bench/result-store.ts";
import type { JobEnd, Lease } from "../queue/contract.ts";
import { type Outcome, reviewSchema, validationSchema } from "./contract.ts";
import { outcomeJob } from "./perform-step.ts";
import { openSlowSteps, type SlowJob, type SlowWork, slowJobSchema, slowSteps } from "./slow-step.ts";

/** The data of a mining batch that a worker needs. Paths must be the same on all machines. */
export const mineSpecSchema = z.object({
  schema: z.literal("millwright.mine-batch/1"),
  version: z.string(),
  repository: z.string(),
  /** The git directory of the clone, and its newest commit. */
  clone: z.string(),
  head: z.string(),
  /** Hash of the values, besides the change, on which results depend. */
  conditions: z.string(),
  /** Differs for each run of the command that ignores earlier results. */
  epoch: z.string(),
  /** The flags of the sandbox and of its limits. */
  flags: z.record(z.string(), z.unknown()),
});
export type MineSpec = z.infer<typeof mineSpecSchema>;

/** Names a job. A changed key, such as after another `--suite-limit`, gives another job. */
export function nameOfSlowJob({ step, key, candidate: { change } }: SlowJob): Omit<TryName, "round"> {
  return { arm: slowSteps.indexOf(step), attempt: 1, task: `${change.id} ${key.slice(0, 16)}` };
}

/** Names a job for people: `acme__ledger-3 (validate)`. */
export function describeSlowJob(name: string): string {
  const parsed = parseTryName(name);
  const step = parsed === undefined ? undefined : slowSteps[parsed.arm];
  if (parsed === undefined || step === undefined) return name;
  const again = parsed.round === 0 ? "" : "; queued again";
  return `${parsed.task.replace(/ [0-9a-f]+$/, "")} (${step}${again})`;
}

// The queue's JSON cannot contain the character NUL, but a text of JSON can.
const dataSchema = z.object({ job: z.string() });
const endSchema = z.object({ outcome: z.string(), result: z.string() });

export function packSlowJob(job: SlowJob): object {
  return { job: JSON.stringify(job) };
}

/** Returns the outcome of an ended job. If no worker ended the job, returns an error for the next run to repeat. */
export function readSlowEnd({ output, reason }: JobEnd): unknown {
  const end = endSchema.safeParse(output).data;
  if (end !== undefined) return parseJson(end.result);
  const detail =
    reason ?? "all workers with the job lost their leases: they died, hung or lost the connection";
  return { verdict: "error", cause: "infrastructure", detail };
}

export interface LeasedSteps extends SlowWork {
  readonly store: ResultStore;
  /** Returns the options of one job. The signal stops only this job. */
  readonly optionsFor: (signal: AbortSignal) => GradingOptions;
}

/** Opens the steps for a batch's jobs on this machine. A result that this machine stored earlier ends a job at once. */
export function openLeasedSteps(work: LeasedSteps) {
  const steps = openSlowSteps(work);
  const decide = async (job: SlowJob, options: GradingOptions): Promise<Outcome<unknown>> => {
    const { step, key } = job;
    const perform = async <T>(type: z.ZodType<T>, execute: () => Promise<Outcome<T>>) =>
      (await executeJob(outcomeJob(step, key, type, execute), work.store, options.signal)).result;
    return step === "validate"
      ? perform(validationSchema, () => steps.validate({ ...job, options }))
      : perform(reviewSchema, () => steps.review({ ...job, options }));
  };
  return {
    describe: describeSlowJob,
    async execute(lease: Lease, findShortage: () => Promise<string | undefined>) {
      const job = slowJobSchema.parse(parseJson(dataSchema.parse(lease.data).job));
      const outcome = await decide(job, work.optionsFor(lease.signal));
      const isError = outcome.verdict === "error";
      const givenBack = isError ? await findShortage() : undefined;
      if (givenBack !== undefined) {
        await lease.giveBack(givenBack);
        return { outcome: "error", givenBack };
      }
      const told = isError ? "infrastructure-error" : outcome.verdict;
      await lease.end({ outcome: told, result: JSON.stringify(outcome) });
      return { outcome: told };
    },
  };
}
