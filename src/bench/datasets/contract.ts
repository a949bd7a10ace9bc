/** What a dataset is: how its rows become tasks, what of a row stays hidden, and by which rule patches are graded. */
import type { z } from "zod";
import type { GradedTask } from "../graded-task.ts";
import type { Grader } from "../graders/contract.ts";
import { type PlacedRow, parseRow, type RowProblem } from "../rows.ts";
import type { DatasetTask, EnvironmentRecipe, HiddenPart } from "../task.ts";

/** The files that the user named. */
export interface RowSources {
  readonly tasks: string;
  /** Only Millwright's own tasks have a second file. */
  readonly hidden?: string | undefined;
}

/** A prediction, whatever its format calls the two. */
export interface Prediction {
  /** Of the task, as `task` gives it. */
  readonly id: string;
  /** "" where the agent gave none. */
  readonly patch: string;
}

export interface WrittenPrediction extends Prediction {
  readonly task: DatasetTask;
  /** The target's text with the patch, where the task asks for a function and the patch was laid. */
  readonly target?: string | undefined;
}

/**
 * `Row` is what `row` accepts. `task` and `hidden` are two functions with two types, so that nothing hidden gets into what a
 * solver sees by accident.
 */
export interface DatasetRecord<Row> {
  /** What `--dataset` and results call it: kebab-case. */
  readonly name: string;
  /** One line: what a task asks for, and where its rows come from. */
  readonly description: string;
  /** Where the dataset is published, and the paper that describes it. */
  readonly card: { readonly home: string; readonly paper?: string };
  /** True for a row that has the fields of this dataset: used where `--dataset` is not given. Exactly one dataset says so. */
  recognises(row: Readonly<Record<string, unknown>>): boolean;
  /** Adds to rows what lies in other files. */
  readonly completeRows?: (
    rows: readonly PlacedRow[],
    sources: RowSources,
    problems: RowProblem[],
  ) => PlacedRow[];
  /** A row that does not fit is named with its place and field, and left out. */
  readonly row: z.ZodType<Row>;
  /** What a solver may see. */
  task(row: Row): DatasetTask;
  /** What only the grader's process may see. */
  hidden(row: Row): HiddenPart;
  /** How the environment is made, where the row says so; the user's rules come before it. */
  readonly environment?: (row: Row) => EnvironmentRecipe;
  readonly grader: Grader;
  /** Where a row says by which other rule it is graded, … */
  readonly graderOf?: (row: Row) => Grader;
  /** … those that it may say. */
  readonly furtherGraders?: readonly Grader[];
  /** The dataset's own format of predictions. SWE-bench's `instance_id` and `model_patch` are read for every dataset. */
  readonly prediction?: z.ZodType<Prediction>;
  /** A line of that format, where the dataset has one of its own; `name` is what made the patch. */
  readonly formatPrediction?: (prediction: Prediction, name: string) => unknown;
  /** The entries of a document of its own form; undefined for any other. */
  readonly predictionEntries?: (document: unknown) => readonly unknown[] | undefined;
  /** The patch that a text of `prediction` stands for, where the format holds no patches. */
  readonly patchOf?: (text: string, task: DatasetTask) => string;
  /** All predictions as one JSON document, where the official harness reads that. */
  readonly formatDocument?: (predictions: readonly WrittenPrediction[], name: string) => unknown;
}

export interface DatasetRule {
  readonly name: string;
  readonly description: string;
  /** Our own, where it asks something else. */
  readonly own?: string;
  /** Told beside it, and decides nothing. */
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

/** A record whose rows are read without knowing their type. */
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
  /** The rules, for people: the usual one first. */
  readonly rules: readonly DatasetRule[];
  /** Undefined where the row does not fit: `problems` then has a line for each wrong field. */
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
