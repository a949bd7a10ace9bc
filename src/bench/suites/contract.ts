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
  /** The variant's title in tables. */
  readonly title: string;
  readonly strategy: string;
  readonly switches?: Partial<Switches>;
  /** True for a variant that only ablation tables show: `--no-ablations` omits it. */
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
  /** Each variant with each of its models, once. A variant without a batch has one column without a model. */
  readonly columns: readonly SuiteColumn[];
  /** The variants without a batch. */
  readonly missing: readonly SuiteVariant[];
  /** Labels that people gave, for each labelled subject; empty without labels. */
  readonly labels: readonly LabelSummary[];
}

/** The cell of a variant without a batch. */
export const notRun = "not run";
/** The cell of a figure that a batch or a paper does not have. */
export const noFigure = "–";

export interface SuiteColumn {
  readonly variant: SuiteVariant;
  readonly model: string | null;
  /** The column's head: `ours: TITLE, MODEL`. */
  readonly head: string;
  /** The attempts at all datasets. */
  readonly tries: readonly BatchTry[];
  find(dataset: string): ReportedArm | undefined;
}

/** Reads the results of a suite. `files`: the people's labels of the batches' attempts, if any. */
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
  const missing = suite.variants.filter(({ name }) => !arms.some(({ variant }) => variant.name === name));
  const columnOf = (named: Pick<SuiteArm, "variant" | "model">, own: readonly SuiteArm[]): SuiteColumn => ({
    ...{ variant: named.variant, model: named.model, head: nameOurs(named) },
    tries: own.flatMap(({ arm }) => arm.tries),
    find: (dataset) => own.find((each) => each.dataset === dataset)?.arm,
  });
  const columns = [
    ...[...known.values()].flatMap((own) => own.slice(0, 1).map((first) => columnOf(first, own))),
    ...missing.map((variant) => columnOf({ variant, model: null }, [])),
  ];
  return {
    ...{ arms, columns, missing, labels: files === undefined ? [] : summariseNamed(arms, files) },
    of: (variant, dataset) =>
      arms.filter(
        (each) => each.variant.name === variant && (dataset === undefined || each.dataset === dataset),
      ),
  };
}

/**
 * Renders the rows of all arms and of the variants without a batch. `width`: number of cells of a row. `tell`: returns
 * the cells of an arm's rows after the arm's name; an arm without rows gets a row without figures. `isShown`: selects
 * variants.
 */
export function rowsOfOurs(
  { arms, missing }: Pick<SuiteResults, "arms" | "missing">,
  width: number,
  tell: (arm: SuiteArm) => readonly (readonly string[])[],
  { isShown = () => true, nameOf = nameOurs }: RowNames = {},
): string[][] {
  const rowOf = (name: string, cells: readonly string[]): string[] => [
    ...[name, ...cells],
    ...Array.from({ length: width - 1 - cells.length }, () => noFigure),
  ];
  return [
    ...arms
      .filter(({ variant }) => isShown(variant))
      .flatMap((arm) => {
        const rows = tell(arm);
        return (rows.length === 0 ? [[]] : rows).map((cells) => rowOf(nameOf(arm), cells));
      }),
    ...missing.filter(isShown).map((variant) => rowOf(nameOurs({ variant, model: null }), [notRun])),
  ];
}

interface RowNames {
  readonly isShown?: (variant: SuiteVariant) => boolean;
  readonly nameOf?: (arm: SuiteArm) => string;
}

/** True for variants of all tables, not only of ablation tables. */
export function isMain({ isAblation }: SuiteVariant): boolean {
  return isAblation !== true;
}

/**
 * Renders the number of resolved tasks as `3 of 5 (60.0 %)`. For several attempts, renders their mean. Without an arm,
 * renders `notRun`.
 */
export function tellResolved(arm: ReportedArm | undefined): string {
  if (arm === undefined) return notRun;
  const [resolved, tasks] = countResolved(arm);
  const mean = arm.attempts.length > 1 ? `, mean of ${arm.attempts.length} attempts` : "";
  return `${tellCount(resolved)} of ${tasks} (${percent(tasks === 0 ? 0 : resolved / tasks)} %${mean})`;
}

/** Returns the number of resolved tasks, as a mean over the attempts, and the number of all tasks. */
export function countResolved({ attempts }: ReportedArm): [number, number] {
  const tasks = Math.max(0, ...attempts.map((each) => each.tasks));
  const resolved = attempts.reduce((sum, each) => sum + each.resolved, 0) / Math.max(1, attempts.length);
  return [resolved, tasks];
}

export function tellCount(count: number): string {
  return Number.isInteger(count) ? String(count) : count.toFixed(1);
}

/** Renders pass@k in percent; no figure if no task has `k` attempts. Without an arm, renders `notRun`. */
export function tellPassAt(arm: ReportedArm | undefined, k: number): string {
  if (arm === undefined) return notRun;
  const share = arm.passAt[k];
  return share === undefined ? noFigure : percent(share);
}

/** Finds an arm's labels; undefined if people labelled none of its attempts. */
export function labelsOf(
  { labels }: SuiteResults,
  subject: LabelSubject,
  { name }: SuiteArm,
): LabelledArm | undefined {
  return labels.find((each) => each.subject === subject)?.arms.find((each) => each.name === name);
}

/** Renders a label's count among the decided items; no figure without a decided item. */
export function tellLabel({ counts, decided }: LabelledArm, label: string): string {
  return tellPart({ count: counts.find((each) => each.label === label)?.count ?? 0, of: decided });
}

/** Renders a share as `3 of 5 (60.0 %)`; no figure for a share of nothing. */
export function tellPart({ count, of }: Omit<Share, "interval">): string {
  return of === 0 ? noFigure : `${count} of ${of} (${percent(count / of)} %)`;
}

/** Names one of our arms: `ours: TITLE, MODEL`, or `ours: TITLE` without a model. */
export function nameOurs({ variant, model }: Pick<SuiteArm, "variant" | "model">): string {
  return `ours: ${model === null ? variant.title : `${variant.title}, ${model}`}`;
}
