/**
 * The contract of a dataset. Its record converts rows to tasks, separates their hidden part, and names the rule that
 * grades patches.
 */
import { existsSync } from "node:fs";
import type { z } from "zod";
import type { GradedTask } from "../graded-task.ts";
import type { Grader } from "../graders/contract.ts";
import { type PlacedRow, parseRow, type RowProblem } from "../rows.ts";
import type { DatasetTask, EnvironmentRecipe, HiddenPart } from "../task.ts";

/** The paths of the user's task files. */
export interface RowSources {
  readonly tasks: string;
  /** Only Millwright's own tasks have a second file. */
  readonly hidden?: string | undefined;
}

/** The file of hidden parts: the given one, or the one next to the tasks; undefined if there is none. */
export function hiddenFileOf({ tasks, hidden }: RowSources): string | undefined {
  const beside = tasks.replace(/(\.jsonl)?$/, ".hidden.jsonl");
  return hidden ?? (existsSync(beside) ? beside : undefined);
}

/** A prediction, read from any format. */
export interface Prediction {
  /** The task's id, as in `task`. */
  readonly id: string;
  /** "" if the agent produced none. */
  readonly patch: string;
}

export interface WrittenPrediction extends Prediction {
  readonly task: DatasetTask;
  /** The target's text with the patch, if the task asks for a function and the patch applied. */
  readonly target?: string | undefined;
}

/**
 * The record of a dataset. `row` accepts values of type `Row`. `task` and `hidden` are separate functions with separate
 * types, so that no hidden data can accidentally reach a solver.
 */
export interface DatasetRecord<Row> {
  /** The name for `--dataset` and in results, in kebab-case. */
  readonly name: string;
  /** One line on the purpose of the tasks and the source of the rows. */
  readonly description: string;
  /** The addresses of the dataset and of the paper about it. */
  readonly card: { readonly home: string; readonly paper?: string };
  /**
   * True for rows with this dataset's fields, which identify the dataset if `--dataset` is missing. Exactly one dataset
   * may match.
   */
  recognises(row: Readonly<Record<string, unknown>>): boolean;
  /** Adds data from other files to the rows. */
  readonly completeRows?: (
    rows: readonly PlacedRow[],
    sources: RowSources,
    problems: RowProblem[],
  ) => PlacedRow[];
  /** A row that does not fit is reported with its place and field, and skipped. */
  readonly row: z.ZodType<Row>;
  /** The part that a solver may see. */
  task(row: Row): DatasetTask;
  /** The part that only the grader's process may see. */
  hidden(row: Row): HiddenPart;
  /** The recipe for the environment, if the row has one. The user's rules take precedence. */
  readonly environment?: (row: Row) => EnvironmentRecipe;
  readonly grader: Grader;
  /** Chooses another rule by the row, one of `furtherGraders`. */
  readonly graderOf?: (row: Row) => Grader;
  /** The other rules that rows may choose. */
  readonly furtherGraders?: readonly Grader[];
  /**
   * The dataset's own format of predictions. SWE-bench's `instance_id` and `model_patch` are accepted for every
   * dataset.
   */
  readonly prediction?: z.ZodType<Prediction>;
  /** A line in that format, if the dataset has its own. `name`: the author of the patch. */
  readonly formatPrediction?: (prediction: Prediction, name: string) => unknown;
  /** The entries of a document in the dataset's own form; undefined for any other. */
  readonly predictionEntries?: (document: unknown) => readonly unknown[] | undefined;
  /** The patch that a `prediction` text stands for, if the format does not hold patches. */
  readonly patchOf?: (text: string, task: DatasetTask) => string;
  /** All predictions as one JSON document, if the official harness expects that. */
  readonly formatDocument?: (predictions: readonly WrittenPrediction[], name: string) => unknown;
}

export interface DatasetRule {
  readonly name: string;
  readonly description: string;
  /** Our own rule, if it differs. */
  readonly own?: string;
  /** Reported in addition; decides nothing. */
  readonly isTold?: true;
}

function describeRules(graders: readonly Grader[]): DatasetRule[] {
  return graders.flatMap((grader) => {
    const { name, description, own } = grader;
    const told = grader.asks === "hidden-tests" ? [] : (grader.tells ?? []);
    return [
      { name, description, ...(own === undefined ? {} : { own }) },
      ...told.map((each) => ({ ...each, isTold: true as const })),
    ];
  });
}

/** A dataset's record for callers that do not know the type of its rows. */
export interface Dataset
  extends Pick<
    DatasetRecord<unknown>,
    | "name"
    | "description"
    | "card"
    | "recognises"
    | "completeRows"
    | "prediction"
    | "formatPrediction"
    | "predictionEntries"
    | "patchOf"
    | "formatDocument"
  > {
  /** The rules as shown to people, the usual one first. */
  readonly rules: readonly DatasetRule[];
  /** Undefined if the row does not fit; `problems` then gets a line for each wrong field. */
  read(row: PlacedRow, problems: RowProblem[]): GradedTask | undefined;
}

export function defineDataset<Row>(record: DatasetRecord<Row>): Dataset {
  const { row: schema, task, hidden, environment, grader, graderOf, furtherGraders = [], ...rest } = record;
  return {
    ...rest,
    rules: describeRules([grader, ...furtherGraders]),
    read(placed, problems) {
      const row = parseRow(schema, placed, problems);
      if (row === undefined) return undefined;
      return {
        dataset: record.name,
        task: task(row),
        environment: environment?.(row) ?? {},
        hidden: hidden(row),
        grader: graderOf?.(row) ?? grader,
        place: placed.place,
      };
    },
  };
}
