/** Makes a dataset's card: its figures as data, and as a page. */
import { countOf, wordFor } from "../../base/count.ts";
import { daysOf } from "../../bench/task-facts.ts";
import type { Candidate } from "../contract.ts";
import { challengeOf } from "../review/challenge.ts";
import type { Cutoff } from "../settings.ts";
import type { StepReport, Tally } from "../step-report.ts";
import { type Spread, spreadOf } from "./numbers.ts";
import type { ReviewedSample } from "./reviewers.ts";

export interface Card {
  readonly schema: "millwright.mine-card/1";
  readonly name: string;
  /** The canary text. If a model's training data contains it, the data also contains the tasks. */
  readonly canary: string;
  /** The newest version in `versions.jsonl`. */
  readonly version: number;
  /** Tasks of earlier versions that a new check rejected. */
  readonly retired: number;
  readonly tasks: number;
  readonly repositories: Readonly<Record<string, number>>;
  readonly languages: Readonly<Record<string, number>>;
  readonly types: Readonly<Record<string, number>>;
  /** Number of fixes, by their challenge: the property that makes a fix hard. */
  readonly challenges?: Readonly<Record<string, number>>;
  /** Number of statements, by their source. */
  readonly statements: Readonly<Record<string, number>>;
  /** Dates of the oldest and the newest change. */
  readonly from: string;
  readonly to: string;
  readonly figures: Readonly<Record<string, Spread>>;
  /** Seconds of wall time to validate a task. */
  readonly seconds: Spread;
  readonly steps: readonly StepReport[];
  readonly review: ReviewedSample;
  /** Tasks by the date of their change. */
  readonly split: { readonly date: string; readonly before: number; readonly after: number };
  /** For each model, the number of tasks that its training data may contain, and of tasks merged after its cut-off. */
  readonly contamination: readonly (Cutoff & { readonly upTo: number; readonly after: number })[];
  /** The licence's file. `title`: the file's first line. */
  readonly licence: { readonly file: string; readonly title: string } | null;
}

export interface PublishedTask extends Candidate {
  /** Number of files of the repository at the base. */
  readonly files: number;
}

/** Mean number of characters of a token, in English and code. */
const charactersPerToken = 4;

export function makeCard(
  tasks: readonly PublishedTask[],
  cutoffs: readonly Cutoff[],
  rest: Pick<Card, "name" | "canary" | "version" | "retired" | "steps" | "review" | "split" | "licence">,
): Card {
  const spread = (of: (task: PublishedTask) => number): Spread => spreadOf(tasks.map(of));
  const discussions = tasks.flatMap(({ change }) => change.discussion ?? []);
  const comments = discussions.flatMap((each) => each.comments ?? []);
  const dates = tasks.map(({ change }) => change.date).sort();
  return {
    schema: "millwright.mine-card/1",
    ...rest,
    tasks: tasks.length,
    repositories: counts(tasks.map(({ change }) => change.repository)),
    languages: counts(tasks.map(({ change }) => change.language)),
    types: counts(tasks.map(({ review }) => review?.type ?? "other")),
    challenges: counts(tasks.flatMap(({ change, split }) => (split ? challengeOf(change, split) : []))),
    statements: counts(tasks.map(({ change }) => change.statementFrom)),
    contamination: cutoffs.map(({ model, date }) => {
      const after = dates.filter((each) => each.slice(0, 10) > date).length;
      return { model, date, upTo: dates.length - after, after };
    }),
    from: dates[0] ?? "",
    to: dates.at(-1) ?? "",
    figures: {
      "tokens of the statement": spread(({ change }) => change.statement.length / charactersPerToken),
      "files of the repository": spread(({ files }) => files),
      "edited files of code": spread(({ split }) => split?.codeFiles.length ?? 0),
      "edited lines": spread(({ split }) => split?.lines ?? 0),
      hunks: spread(({ split }) => split?.hunks ?? 0),
      "fail-to-pass tests": spread(({ validation }) => validation?.lists.failToPass.length ?? 0),
      "pass-to-pass tests": spread(({ validation }) => validation?.lists.passToPass.length ?? 0),
      ...(discussions.length === 0 ? {} : { "days from issue to merge": spreadOf(discussions.map(daysOf)) }),
      ...(comments.length === 0 ? {} : { "comments on the issue": spreadOf(comments) }),
    },
    seconds: spread(({ validation }) => validation?.seconds ?? 0),
  };
}

function counts(names: readonly string[]): Record<string, number> {
  const groups = [...Map.groupBy(names, (name) => name)].map(([name, own]) => [name, own.length] as const);
  return Object.fromEntries(groups.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)));
}

export function renderCard(card: Card): string {
  const { name, tasks, canary, from, to, review, split, licence, seconds } = card;
  const list = (record: Readonly<Record<string, number>>): string =>
    Object.entries(record)
      .map(([key, count]) => `${key} ${count}`)
      .join(", ");
  return `${[
    `# ${name}`,
    `${countOf(tasks, "task")} mined from the history of ${list(card.repositories)}; changes from ${from.slice(0, 10)} to ${to.slice(0, 10)}.`,
    `Canary: \`${canary}\`. If a model's training data contains this text, it contains the tasks. Do not publish the text without the tasks.`,
    table(
      ["", ""],
      [
        ["version", `${card.version} (${countOf(card.retired, "task")} of earlier versions retired)`],
        ["languages", list(card.languages)],
        ["types", list(card.types)],
        ["challenges", list(card.challenges ?? {})],
        ["statements from", list(card.statements)],
        ["licence of the source", licence === null ? "no file found" : `${licence.file}: ${licence.title}`],
        ["by date", `${split.before} before ${split.date}, ${split.after} from then on`],
      ],
    ),
    "## Figures",
    table(
      ["", "mean", "median", "max"],
      [...Object.entries(card.figures), ["seconds to validate", seconds] as const].map(([label, each]) => [
        label,
        ...[each.mean, each.median, each.max].map(round),
      ]),
    ),
    "## Yield",
    table(["step", "language", "kept", "of", "dropped, by cause"], card.steps.flatMap(yieldRows)),
    "`ledger.jsonl` names each dropped candidate with its cause.",
    "## Contamination",
    tellContamination(card),
    "## Share of bad tasks",
    tellReview(review),
  ].join("\n\n")}\n`;
}

function yieldRows({ step, languages, ...whole }: StepReport): string[][] {
  const row = (language: string, { kept, candidates, causes }: Tally): string[] => [
    ...[step, language, String(kept), String(candidates)],
    Object.entries(causes)
      .map(([cause, count]) => `${cause} ${count}`)
      .join(", "),
  ];
  return [row("all", whole), ...Object.entries(languages).map(([language, own]) => row(language, own))];
}

/** Tells how many tasks of the sample are bad, and how far two reviewers agree. */
export function tellReview({ ids, reviewed, bad, interval, kappa }: ReviewedSample): string {
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  if (reviewed === 0)
    return `Nobody has reviewed the sample of ${countOf(ids.length, "task")} in \`sample.jsonl\` yet, so its quality is unknown. \`sample.md\` shows these tasks. Add a line for each task, such as \`{"id": "…", "reviewer": "…", "verdict": "good"}\` to \`reviews.jsonl\`, and publish again.`;
  const agreement = kappa === undefined ? "" : ` Cohen's kappa of the two reviewers: ${kappa.toFixed(2)}.`;
  return `${bad} of ${countOf(reviewed, "reviewed task")} ${wordFor(bad, "is", "are")} bad (95 % interval: ${percent(interval.low)} to ${percent(interval.high)}), from a random sample of ${ids.length}.${agreement}`;
}

function tellContamination({ contamination }: Card): string {
  if (contamination.length === 0)
    return "The cut-off dates of models are unknown. `--cutoff MODEL=2025-06-30` counts the tasks up to this date, and the later ones.";
  return table(
    ["model", "cut-off", "merged until the cut-off", "merged later"],
    contamination.map(({ model, date, upTo, after }) => [model, date, String(upTo), String(after)]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}
