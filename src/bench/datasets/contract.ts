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
  /** A file, or a folder of a benchmark's own project. */
  readonly tasks: string;
  /** The file of hidden parts. Only Millwright's own format has this second file. */
  readonly hidden?: string | undefined;
}

/**
 * Returns the file of hidden parts: the given file, or else `NAME.hidden.jsonl` next to the tasks if it exists;
 * otherwise undefined.
 */
export function hiddenFileOf({ tasks, hidden }: RowSources): string | undefined {
  const beside = tasks.replace(/(\.jsonl)?$/, ".hidden.jsonl");
  return hidden ?? (existsSync(beside) ? beside : undefined);
}

/** A prediction, converted from any format. */
export interface Prediction {
  /** The task's id, as in `task`. */
  readonly id: string;
  /** The agent's patch; "" if the agent produced none. */
  readonly patch: string;
}

export interface WrittenPrediction extends Prediction {
  readonly task: DatasetTask;
  /** The target's text with the patch, if the task asks for a function and the patch applied. */
  readonly target?: string | undefined;
}

/**
 * The definition of a dataset. `row` accepts values of type `Row`. `task` and `hidden` are separate functions with
 * separate types. This prevents hidden data from reaching a solver by accident.
 */
export interface DatasetRecord<Row> {
  /** The name for `--dataset` and in results, in kebab-case. */
  readonly name: string;
  /** One line on the purpose of the tasks and the source of the rows. */
  readonly description: string;
  /** The addresses of the dataset and of the paper about it. */
  readonly card: { readonly home: string; readonly paper?: string };
  /**
   * Returns true for rows with this dataset's fields. The bench uses it to infer the dataset. Exactly one dataset may
   * match.
   */
  recognises(row: Readonly<Record<string, unknown>>): boolean;
  /**
   * Reads rows from a folder of the benchmark's own project. Undefined for any other folder. Adds unreadable files to
   * `problems`.
   */
  readonly readFolder?: (folder: string, problems: RowProblem[]) => readonly PlacedRow[] | undefined;
  /** Adds data from other files to the rows. */
  readonly completeRows?: (
    rows: readonly PlacedRow[],
    sources: RowSources,
    problems: RowProblem[],
  ) => PlacedRow[];
  /** The schema of a row. The bench skips an invalid row, and reports its place and field. */
  readonly row: z.ZodType<Row>;
  /** Makes the part of a task that a solver may see. */
  task(row: Row): DatasetTask;
  /** Makes the part of a task that only the grader's process may see. */
  hidden(row: Row): HiddenPart;
  /** Returns the environment's recipe, if the row contains one. The user's rules take precedence. */
  readonly environment?: (row: Row) => EnvironmentRecipe;
  readonly grader: Grader;
  /** Chooses another rule for the row, from `furtherGraders`. */
  readonly graderOf?: (row: Row) => Grader;
  /** The other grading rules that rows may choose. */
  readonly furtherGraders?: readonly Grader[];
  /**
   * The dataset's own format of predictions. SWE-bench's `instance_id` and `model_patch` are accepted for every
   * dataset.
   */
  readonly prediction?: z.ZodType<Prediction>;
  /** Renders a prediction as a line in the dataset's own format. `name`: the author of the patch. */
  readonly formatPrediction?: (prediction: Prediction, name: string) => unknown;
  /** Reads the entries of a document in the dataset's own format; undefined for other documents. */
  readonly predictionEntries?: (document: unknown) => readonly unknown[] | undefined;
  /** Makes a patch from a prediction's text, if the format does not contain patches. */
  readonly patchOf?: (text: string, task: DatasetTask) => string;
  /** Renders all predictions as one JSON document, if the official harness expects one. */
  readonly formatDocument?: (predictions: readonly WrittenPrediction[], name: string) => unknown;
}

export interface DatasetRule {
  readonly name: string;
  readonly description: string;
  /** The description of Millwright's own rule, if it differs from the dataset's. */
  readonly own?: string;
  /** True for an additional verdict in reports, without influence on the result. */
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

/** A dataset's definition for callers that do not know the type of its rows. */
export interface Dataset
  extends Pick<
    DatasetRecord<unknown>,
    | "name"
    | "description"
    | "card"
    | "recognises"
    | "readFolder"
    | "completeRows"
    | "prediction"
    | "formatPrediction"
    | "predictionEntries"
    | "patchOf"
    | "formatDocument"
  > {
  /** Descriptions of the rules for people, the usual rule first. */
  readonly rules: readonly DatasetRule[];
  /**
   * Makes a task from a row. Returns undefined for an invalid row, and adds a line for each wrong field to `problems`.
   */
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
