/**
 * Prints the yield of mined datasets by repository and by language. `npm run bench:mining-yield -- FOLDER…`: folders that
 * `bench mine` published. Set up: the share of the run changes whose environment works without a model. Seconds: all
 * runs of a valid task. Bytes: what `bench mine freeze` stored, for each task with a setup.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readPublished } from "../src/mine/publish/published.ts";
import type { StepReport, Tally } from "../src/mine/step-report.ts";

const freezeSchema = z.object({ environments: z.number(), bytes: z.number(), stored: z.number() });

interface Row {
  readonly name: string;
  readonly collect: number;
  readonly filter: number;
  readonly ran: number;
  readonly setUp: number;
  readonly valid: number;
  readonly good: number;
  readonly seconds: readonly number[];
  readonly frozen?: z.infer<typeof freezeSchema> | undefined;
}

/** Causes of a change whose environment does not work. */
const unbuilt = ["never-built", "wrong-environment", "unparsed", "never-ends"];

async function read(folder: string): Promise<{ whole: Row; languages: Row[] }> {
  const { candidates, reports, settings } = await readPublished(folder);
  const of = (step: string) => reports.find((each) => each.step === step);
  const [collect, filter, validate, review] = ["collect", "filter", "validate", "review"].map(of);
  if (collect === undefined || filter === undefined || validate === undefined || review === undefined)
    throw new Error(`${folder} has no report of each step`);
  const rowOf = (name: string, pick: (report: StepReport) => Tally | undefined): Row => {
    const ran = pick(validate);
    const broken = unbuilt.reduce((sum, cause) => sum + (ran?.causes[cause] ?? 0), 0);
    return {
      name,
      collect: pick(collect)?.candidates ?? 0,
      filter: pick(filter)?.kept ?? 0,
      ran: ran?.candidates ?? 0,
      setUp: (ran?.candidates ?? 0) - broken,
      valid: ran?.kept ?? 0,
      good: pick(review)?.kept ?? 0,
      seconds: candidates
        .filter(({ change }) => name === settings.repository || change.language === name)
        .map(({ validation }) => validation.seconds),
    };
  };
  const path = join(folder, "frozen", "report.json");
  const frozen = existsSync(path) ? freezeSchema.parse(JSON.parse(readFileSync(path, "utf8"))) : undefined;
  const names = Object.keys(validate.languages);
  return {
    whole: { ...rowOf(settings.repository, (report) => report), frozen },
    languages: names.map((name) => rowOf(name, (report) => report.languages[name])),
  };
}

function add(name: string, rows: readonly Row[]): Row {
  const sum = (pick: (row: Row) => number): number => rows.reduce((total, row) => total + pick(row), 0);
  return {
    name,
    collect: sum((row) => row.collect),
    filter: sum((row) => row.filter),
    ran: sum((row) => row.ran),
    setUp: sum((row) => row.setUp),
    valid: sum((row) => row.valid),
    good: sum((row) => row.good),
    seconds: rows.flatMap(({ seconds }) => seconds),
  };
}

function median(numbers: readonly number[]): number | undefined {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

function tell({ name, collect, filter, ran, setUp, valid, good, seconds, frozen }: Row): string {
  const share = (part: number): string => (ran === 0 ? "–" : `${part} (${Math.round((100 * part) / ran)} %)`);
  const middle = median(seconds);
  const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
  const size =
    frozen === undefined || frozen.environments === 0
      ? "–"
      : `${megabytes(frozen.stored / frozen.environments)} of ${megabytes(frozen.bytes / frozen.environments)} MB`;
  const cells = [name, collect, filter, ran, share(setUp), share(valid), share(good)];
  return `| ${[...cells, middle === undefined ? "–" : `${Math.round(middle)} s`, size].join(" | ")} |`;
}

const found = await Promise.all(process.argv.slice(2).map(read));
const languages = [
  ...Map.groupBy(
    found.flatMap((each) => each.languages),
    ({ name }) => name,
  ),
];
const lines = [
  "| | changes | fit to run | ran | set up | valid | reviewed as good | median for all runs | stored for a task |",
  "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
  ...found.map(({ whole }) => tell(whole)),
  ...languages.map(([name, rows]) => tell(add(name, rows))),
  tell(
    add(
      "all",
      found.map(({ whole }) => whole),
    ),
  ),
];
process.stdout.write(`${lines.join("\n")}\n`);
