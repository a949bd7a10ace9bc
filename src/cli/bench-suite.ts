/**
 * `bench suite`: runs a suite's variants on its datasets. Prints the tables of its paper with our results next to the
 * published ones.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { defaultSwitches } from "../agent/switches.ts";
import { countOf } from "../base/count.ts";
import { MillwrightError } from "../base/errors.ts";
import { readGivenFile } from "../base/regular-file.ts";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import { readBatch } from "../bench/batch-document.ts";
import { tellCancelled } from "../bench/cancelled-batch.ts";
import { tellLabels } from "../bench/label-tables.ts";
import { readLabelFiles } from "../bench/labels.ts";
import { renderMarkdown, type Section } from "../bench/report-sections.ts";
import { readResults, type Suite, type SuiteBatch, type SuiteVariant } from "../bench/suites/contract.ts";
import { suites } from "../bench/suites/index.generated.ts";
import { type BenchFlags, tellContinuing, withBench } from "./bench-flags.ts";
import { type QueueFlags, readQueueFlags, refuseRoomFlags, tellNotice } from "./bench-queue.ts";
import { readGivenLabels } from "./bench-report.ts";
import { performBatch } from "./bench-run.ts";
import { ablation } from "./switch-flags.ts";

export interface SuiteFlags extends BenchFlags {
  /** Task files, each as `DATASET=FILE`. */
  readonly tasks: readonly string[];
  readonly variant: readonly string[];
  readonly model?: readonly string[];
  readonly attempts: number;
  readonly out?: string | undefined;
  readonly queue?: string;
  readonly store?: string;
  /** False after `--no-ablations`. */
  readonly ablations: boolean;
  readonly labels: readonly string[];
  readonly consensus?: string;
}

/** Throws MillwrightError("usage") for wrong flags before the batches run, because they take hours. */
function checkLabelFlags({ labels, consensus }: Pick<SuiteFlags, "labels" | "consensus">): void {
  if (labels.length === 0 && consensus !== undefined) readLabelFiles([], consensus, []);
  for (const path of consensus === undefined ? labels : [...labels, consensus]) readGivenFile(path);
}

export const suiteNames: readonly string[] = suites.map(({ name }) => name);

/**
 * Runs the variants of a suite and prints its tables. Returns the highest exit code of the batches, or 130 after an
 * interrupt. `isGiven`: true for an option's name if the user gave its flag. Throws MillwrightError("usage") for an
 * unknown suite or wrong flags.
 */
export async function runSuite(
  name: string,
  flags: SuiteFlags,
  isGiven: (option: string) => boolean = () => false,
): Promise<number> {
  const suite = suites.find((each) => each.name === name);
  if (suite === undefined)
    throw new MillwrightError("usage", `Unknown suite: ${name}`, {
      hint: `Known suites: ${suiteNames.join(", ")}.`,
    });
  if (flags.out === undefined)
    throw new MillwrightError("usage", "--out is missing", {
      hint: "Give a folder for the batches. The same folder continues a suite, or prints its tables again.",
    });
  checkLabelFlags(flags);
  const files = readFiles(suite, flags.tasks);
  // Without tasks, the suite only prints its tables.
  const isRun = files.size > 0 || isGiven("queue");
  const queue = isRun ? readQueueFlags(flags, isGiven) : undefined;
  refuseRoomFlags(queue, isGiven);
  const variants = chooseVariants(suite, flags);
  const out = resolve(flags.out);
  let exitCode = 0;
  for (const [dataset, file] of files)
    for (const variant of variants) {
      process.stderr.write(sanitizeForTerminal(`${dataset}: ${variant.title}\n`));
      const ended = await runVariant(
        file,
        variant,
        { ...flags, out: join(out, variant.name, dataset) },
        queue,
      );
      if (ended === 130) return ended;
      exitCode = Math.max(exitCode, ended);
    }
  const batches = readBatches(suite, out);
  if (batches.length === 0)
    tellNotice(
      `${flags.out} contains no batch of the suite ${name}, so the tables contain only published figures. To run the suite, give a file of tasks: --tasks ${suite.datasets[0]}=FILE`,
    );
  const results = readResults(suite, batches, readGivenLabels(batches, flags));
  const tables = [...suite.tables(results), ...results.labels.map(tellLabels)];
  if (flags.json === true) {
    const document = {
      ...{ schema: "millwright.bench-suite/1", suite: name, source: suite.source },
      batches: batches.map(({ batch: _, ...rest }) => rest),
      sections: tables,
    };
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
    return exitCode;
  }
  const text = renderMarkdown(`Suite ${name}`, [describeSuite(suite, batches), ...tables]);
  process.stdout.write(sanitizeForTerminal(text));
  return exitCode;
}

function readFiles(suite: Suite, given: readonly string[]): Map<string, string> {
  const pairs = given.map((text): [string, string] => {
    const at = text.indexOf("=");
    const [dataset, file] = [text.slice(0, at), text.slice(at + 1)];
    if (at > 0 && file !== "" && suite.datasets.includes(dataset)) return [dataset, file];
    throw new MillwrightError(
      "usage",
      `--tasks ${text} does not name a dataset of ${suite.name} and its file`,
      {
        hint: `Give DATASET=FILE; the datasets are ${suite.datasets.join(", ")}.`,
      },
    );
  });
  return new Map(pairs);
}

function chooseVariants({ name, variants }: Suite, flags: SuiteFlags): readonly SuiteVariant[] {
  const unknown = flags.variant.filter((each) => !variants.some((known) => known.name === each));
  if (unknown.length > 0)
    throw new MillwrightError("usage", `${name} has no variant ${unknown.join(", ")}`, {
      hint: `Its variants: ${variants.map((each) => each.name).join(", ")}.`,
    });
  if (flags.variant.length > 0) return variants.filter((each) => flags.variant.includes(each.name));
  return variants.filter(({ isAblation }) => flags.ablations || isAblation !== true);
}

function runVariant(
  file: string,
  variant: SuiteVariant,
  flags: SuiteFlags & { readonly out: string },
  queue: QueueFlags | undefined,
): Promise<number> {
  const { out } = flags;
  const switches = ablation({ ...defaultSwitches, ...variant.switches });
  return withBench(file, flags, async (work) => {
    const ended = await performBatch(
      work,
      {
        ...{ strategies: [variant.strategy], models: flags.model ?? [], attempts: flags.attempts, out },
        ...{ kind: "task", stopError: undefined, queue, ...switches },
      },
      (line) => void process.stderr.write(line),
    );
    if (ended.cancelled !== undefined)
      tellNotice(`${tellCancelled(ended.cancelled)}. ${tellContinuing(flags)}`);
    return ended.exitCode;
  });
}

/** Reads the batches of this and earlier commands. */
function readBatches({ datasets, variants }: Suite, out: string): SuiteBatch[] {
  return variants.flatMap(({ name: variant }) =>
    datasets.flatMap((dataset) => {
      const path = join(out, variant, dataset);
      if (!existsSync(join(path, "report.json"))) return [];
      return [{ dataset, variant, path, batch: readBatch(path) }];
    }),
  );
}

function describeSuite({ source }: Suite, batches: readonly SuiteBatch[]): Section {
  const lines = batches.map(({ dataset, variant, batch: { tasks, version, sandbox, rules, cancelled } }) => {
    const of = `${countOf(tasks.count, "task")} of ${tasks.file} (sha256 ${tasks.sha256.slice(0, 12)}…)`;
    return `${variant} on ${dataset}: ${of}, rule ${rules.join(", ")}, sandbox ${sandbox}, Millwright ${version}${cancelled === undefined ? "" : `; ${tellCancelled(cancelled)}`}`;
  });
  return {
    texts: [
      `Theirs: the paper's published figures (${source}), not measured by Millwright.`,
      "Ours: measured by the batches below. Models, tasks and rules may differ from the paper's. `not run` marks a variant without a batch for that dataset. A dash marks a missing figure, such as a share without labels by people.",
    ],
    list: lines,
  };
}
