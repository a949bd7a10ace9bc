/**
 * Prints the yield of mined datasets by repository and by language. `npm run bench:mining-yield -- FOLDER…`: folders of
 * `bench mine`, published or only validated. Set up: the share of the run changes whose environment works without a
 * model. Seconds: all runs of a valid task. Bytes: what `bench mine freeze` stored, for each task with a setup.
 */
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { readJsonl } from "../src/base/jsonl.ts";
import { readPublished } from "../src/mine/publish/published.ts";
import { type StepReport, stepReportSchema, type Tally } from "../src/mine/step-report.ts";

const freezeSchema = z.object({ environments: z.number(), bytes: z.number(), stored: z.number() });

interface Row {
  readonly name: string;
  readonly collect: number;
  readonly filter: number;
  readonly ran: number;
  readonly setUp: number;
  readonly valid: number;
  /** Undefined before the review. */
  readonly good: number | undefined;
  readonly seconds: readonly number[];
  readonly frozen?: z.infer<typeof freezeSchema> | undefined;
}

/** Causes of a change whose environment does not work. */
const unbuilt = ["never-built", "wrong-environment", "unparsed", "never-ends"];

const lineSchema = z.object({
  step: z.string(),
  key: z.string(),
  language: z.string(),
  verdict: z.string(),
});
const resultSchema = z.object({ result: z.object({ value: z.object({ seconds: z.number() }) }) });

interface Timed {
  readonly language: string;
  readonly seconds: number;
}

/** Lists the valid tasks with the time of their runs. A change of which the ledger has several verdicts counts once. */
async function readTimes(folder: string): Promise<Timed[]> {
  const lines = (await readJsonl(join(folder, "ledger.jsonl"))).map((row) => lineSchema.parse(row));
  const valid = lines.filter(({ step, verdict }) => step === "validate" && verdict === "kept");
  return [...new Map(valid.map((line) => [line.key, line])).values()].map(({ key, language }) => {
    const text = readFileSync(join(folder, "results", `${key}.json`), "utf8");
    return { language, seconds: resultSchema.parse(JSON.parse(text)).result.value.seconds };
  });
}

const steps = ["collect", "filter", "validate", "review"];

/** Reads the reports of the steps. A published dataset has sums over all refreshes. */
async function readReports(folder: string): Promise<readonly StepReport[]> {
  if (existsSync(join(folder, "published.json"))) return (await readPublished(folder)).reports;
  const paths = steps
    .map((step) => join(folder, "reports", `${step}.json`))
    .filter((path) => existsSync(path));
  return paths.map((path) => stepReportSchema.parse(JSON.parse(readFileSync(path, "utf8"))));
}

async function read(folder: string): Promise<{ whole: Row; languages: Row[] }> {
  const reports = await readReports(folder);
  const [collect, filter, validate, review] = steps.map((name) => reports.find(({ step }) => step === name));
  if (collect === undefined || filter === undefined || validate === undefined)
    throw new Error(`${folder} has no report of each step up to validate`);
  const times = await readTimes(folder);
  const whole = basename(folder);
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
      good: review === undefined ? undefined : (pick(review)?.kept ?? 0),
      seconds: times
        .filter(({ language }) => name === whole || language === name)
        .map((each) => each.seconds),
    };
  };
  const path = join(folder, "frozen", "report.json");
  const frozen = existsSync(path) ? freezeSchema.parse(JSON.parse(readFileSync(path, "utf8"))) : undefined;
  const names = Object.keys(validate.languages);
  return {
    whole: { ...rowOf(whole, (report) => report), frozen },
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
    good: rows.some((row) => row.good === undefined) ? undefined : sum((row) => row.good ?? 0),
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
  const cells = [
    name,
    collect,
    filter,
    ran,
    share(setUp),
    share(valid),
    good === undefined ? "–" : share(good),
  ];
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
