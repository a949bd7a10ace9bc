/**
 * The contract of a suite: strategies × models × datasets, and the paper's tables in which Millwright prints the
 * results. Each suite is a file that exports `defineSuite(…)`; `npm run generate` adds it to the index.
 */
import type { Switches } from "../../agent/switches.ts";
import type { BatchDocument, BatchTry } from "../batch-document.ts";
import { summariseNamed } from "../label-tables.ts";
import type { LabelFiles, LabelledArm, LabelSubject, LabelSummary } from "../labels.ts";
import { percent, type Section } from "../report-sections.ts";
import { type ReportedArm, reportArms } from "../reported-arms.ts";
import type { Share } from "../result-groups.ts";

/** A strategy, optionally with disabled features. */
export interface SuiteVariant {
  /** The name of the variant's folder, in kebab-case. */
  readonly name: string;
  /** The title in tables. */
  readonly title: string;
  readonly strategy: string;
  readonly switches?: Partial<Switches>;
  /** True for a variant of ablation tables only: `--no-ablations` leaves it out. */
  readonly isAblation?: true;
}

export interface Suite {
  /** The suite's name on the command line, in kebab-case. */
  readonly name: string;
  readonly description: string;
  /** The source of the published figures. */
  readonly source: string;
  /** Names of datasets; the user gives a file for each of them. */
  readonly datasets: readonly string[];
  readonly variants: readonly SuiteVariant[];
  readonly tables: (results: SuiteResults) => readonly Section[];
}

export function defineSuite(suite: Suite): Suite {
  return suite;
}

/** A batch of one variant on one dataset, which this or an earlier run of the suite wrote. */
export interface SuiteBatch {
  readonly dataset: string;
  readonly variant: string;
  readonly path: string;
  readonly batch: BatchDocument;
}

/** An arm of the suite: a variant with one model on one dataset. */
export interface SuiteArm {
  /** Unique in the suite's results: `ours: TITLE, MODEL, DATASET`. */
  readonly name: string;
  readonly variant: SuiteVariant;
  readonly dataset: string;
  readonly model: string | null;
  readonly arm: ReportedArm;
}

export interface SuiteResults {
  readonly arms: readonly SuiteArm[];
  /** Finds a variant's arms, in one dataset or in all, in the order of models. */
  of(variant: string, dataset?: string): readonly SuiteArm[];
  /** Each variant with each of its models, once. */
  readonly columns: readonly SuiteColumn[];
  /** Labels that people gave, for each labelled subject; empty without labels. */
  readonly labels: readonly LabelSummary[];
}

export interface SuiteColumn {
  readonly variant: SuiteVariant;
  readonly model: string | null;
  /** `ours: TITLE, MODEL`. */
  readonly head: string;
  /** The attempts at all datasets. */
  readonly tries: readonly BatchTry[];
  find(dataset: string): ReportedArm | undefined;
}

/** `files`: the people's labels of the batches' attempts, if any. */
export function readResults(
  suite: Pick<Suite, "variants">,
  batches: readonly SuiteBatch[],
  files?: LabelFiles,
): SuiteResults {
  const arms = batches.flatMap(({ dataset, variant: name, path, batch }): SuiteArm[] => {
    const variant = suite.variants.find((each) => each.name === name);
    if (variant === undefined) return [];
    return reportArms([{ path, batch }]).map((arm) => {
      const { model } = arm;
      return { name: `${nameOurs({ variant, model })}, ${dataset}`, variant, dataset, model, arm };
    });
  });
  const known = Map.groupBy(arms, ({ variant, model }) => JSON.stringify([variant.name, model]));
  const columns = [...known.values()].flatMap((own): SuiteColumn[] => {
    const [first] = own;
    if (first === undefined) return [];
    const { variant, model } = first;
    return [
      {
        ...{ variant, model, head: nameOurs(first), tries: own.flatMap(({ arm }) => arm.tries) },
        find: (dataset) => own.find((each) => each.dataset === dataset)?.arm,
      },
    ];
  });
  return {
    ...{ arms, columns, labels: files === undefined ? [] : summariseNamed(arms, files) },
    of: (variant, dataset) =>
      arms.filter(
        (each) => each.variant.name === variant && (dataset === undefined || each.dataset === dataset),
      ),
  };
}

/**
 * Renders the number of resolved tasks as `3 of 5 (60.0 %)`. For several attempts, renders their mean. "–" without an
 * arm.
 */
export function tellResolved(arm: ReportedArm | undefined): string {
  if (arm === undefined) return "–";
  const [resolved, tasks] = countResolved(arm);
  const mean = arm.attempts.length > 1 ? `, mean of ${arm.attempts.length} attempts` : "";
  return `${tellCount(resolved)} of ${tasks} (${percent(tasks === 0 ? 0 : resolved / tasks)} %${mean})`;
}

/** The number of resolved tasks, as a mean over the attempts, and the number of all tasks. */
export function countResolved({ attempts }: ReportedArm): [number, number] {
  const tasks = Math.max(0, ...attempts.map((each) => each.tasks));
  const resolved = attempts.reduce((sum, each) => sum + each.resolved, 0) / Math.max(1, attempts.length);
  return [resolved, tasks];
}

export function tellCount(count: number): string {
  return Number.isInteger(count) ? String(count) : count.toFixed(1);
}

/** pass@k in percent; "–" without an arm, or if the arm has fewer than `k` attempts. */
export function tellPassAt(arm: ReportedArm | undefined, k: number): string {
  const share = arm?.passAt[k];
  return share === undefined ? "–" : percent(share);
}

/** Finds an arm's labels; undefined if people labelled none of its attempts. */
export function labelsOf(
  { labels }: SuiteResults,
  subject: LabelSubject,
  { name }: SuiteArm,
): LabelledArm | undefined {
  return labels.find((each) => each.subject === subject)?.arms.find((each) => each.name === name);
}

/** Renders a label's count among the decided items; "–" without a decided item. */
export function tellLabel({ counts, decided }: LabelledArm, label: string): string {
  return tellPart({ count: counts.find((each) => each.label === label)?.count ?? 0, of: decided });
}

/** Renders a share as `3 of 5 (60.0 %)`; "–" for a share of nothing. */
export function tellPart({ count, of }: Omit<Share, "interval">): string {
  return of === 0 ? "–" : `${count} of ${of} (${percent(count / of)} %)`;
}

/** The name of one of our arms: `ours: TITLE, MODEL`, or `ours: TITLE` without a model. */
export function nameOurs({ variant, model }: Pick<SuiteArm, "variant" | "model">): string {
  return `ours: ${model === null ? variant.title : `${variant.title}, ${model}`}`;
}
