/** The suite for tables 3 to 6 of the paper on Rust-SWE-bench and RustForger (ICSE '26). */
import type { LabelledArm } from "../labels.ts";
import { percent, type Section } from "../report-sections.ts";
import { sampleSizes } from "../result-groups.ts";
import { errorGroups } from "../work/compile-errors.ts";
import {
  defineSuite,
  isMain,
  labelsOf,
  noFigure,
  notRun,
  rowsOfOurs,
  type SuiteArm,
  type SuiteColumn,
  type SuiteResults,
  tellLabel,
  tellPart,
  tellResolved,
} from "./contract.ts";

const dataset = "rust-swe-bench";

type Row = readonly string[];

/** By column: agent, model, resolved of 500; means of lines, hunks, files, USD, tokens. */
const study: readonly Row[] = [
  ["OpenHands", "Claude 3.7 Sonnet", "106", "146.03", "5.59", "3.84", "3.81", "1236942"],
  ["OpenHands", "GPT-4o", "33", "66.59", "3.19", "2.50", "1.85", "729393"],
  ["OpenHands", "o4-mini", "34", "20.25", "2.32", "1.42", "1.23", "1106811"],
  ["OpenHands", "Qwen3", "25", "81.05", "3.00", "2.30", "0.35", "492141"],
  ["SWE-agent", "Claude 3.7 Sonnet", "75", "190.49", "6.71", "4.02", "3.48", "1131753"],
  ["SWE-agent", "GPT-4o", "9", "172.84", "5.28", "3.45", "1.92", "755343"],
  ["SWE-agent", "o4-mini", "41", "77.13", "3.81", "2.32", "2.13", "1708013"],
  ["SWE-agent", "Qwen3", "9", "83.47", "2.33", "1.72", "0.33", "417091"],
  ["Agentless", "Claude 3.7 Sonnet", "36", "13.03", "1.37", "1.06", "1.47", "439850"],
  ["Agentless", "GPT-4o", "27", "16.45", "1.93", "1.24", "0.89", "331373"],
  ["Agentless", "o4-mini", "39", "13.10", "1.43", "1.06", "0.61", "441949"],
  ["Agentless", "Qwen3", "16", "13.41", "1.30", "1.07", "0.35", "460175"],
  ["AutoCodeRover", "Claude 3.7 Sonnet", "46", "22.01", "1.45", "1.13", "1.18", "352467"],
  ["AutoCodeRover", "GPT-4o", "21", "15.01", "1.53", "1.24", "1.09", "369833"],
  ["AutoCodeRover", "o4-mini", "34", "17.38", "1.51", "1.09", "0.46", "343247"],
  ["AutoCodeRover", "Qwen3", "24", "12.09", "1.37", "1.14", "0.32", "359351"],
  ["RustForger", "Claude 3.7 Sonnet", "143", "–", "–", "–", "3.0", "–"],
  ["RustForger", "GPT-4o", "42", "–", "–", "–", "–", "–"],
  ["RustForger", "o4-mini", "82", "–", "–", "–", "0.6", "–"],
  ["RustForger", "Qwen3", "33", "–", "–", "–", "–", "–"],
];
const studied = 500;

/** The share of each compile error in the paper, in percent, by the error's code. */
export const errors: Readonly<Record<string, number>> = {
  ...{ E0599: 18.06, E0433: 16.21, E0432: 12.08, E0425: 8.54, E0308: 6.81, E0277: 6.5, E0412: 5.69 },
  ...{ E0753: 3.07, E0282: 1.75, E0609: 1.48, E0061: 1.23, E0405: 1.21, E0407: 1.18 },
};
/** Published shares of the groups in percent, in the order of our groups. */
const groupShares = ["43.7", "32.6"];

/** By column: resolved of 200 tasks with Claude 3.7 Sonnet, GPT-4o, o4-mini, Qwen3; their mean. */
const ablations = [
  {
    variant: "rustforger-without-workspace-and-trace",
    title: "neither workspace nor Trace",
    theirs: [42, 12, 26, 8, 22],
  },
  { variant: "rustforger-without-trace", title: "workspace without Trace", theirs: [47, 14, 29, 10, 25] },
  { variant: "rustforger", title: "whole", theirs: [59, 16, 35, 11, 30.3] },
];

export default defineSuite({
  name: dataset,
  description: "the tables of Rust-SWE-bench's study and of RustForger",
  source: "Rust-SWE-bench and RustForger (ICSE '26), tables 3, 4 and 6, temperature 0, $4 a task",
  datasets: [dataset],
  variants: [
    { name: "rustforger", title: "rustforger", strategy: "rustforger" },
    {
      name: "react-as-published",
      title: "react as published",
      strategy: "react",
      switches: { asPublished: true },
    },
    { name: "agentless", title: "agentless", strategy: "agentless" },
    { name: "autocoderover", title: "autocoderover", strategy: "autocoderover" },
    { name: "unified", title: "unified", strategy: "unified" },
    {
      name: "rustforger-without-trace",
      title: "rustforger without Trace",
      strategy: "rustforger",
      switches: { without: ["trace"] },
      isAblation: true,
    },
    {
      name: "rustforger-without-workspace-and-trace",
      title: "rustforger without workspace and Trace",
      strategy: "rustforger",
      switches: { without: ["workspace", "trace"] },
      isAblation: true,
    },
  ],
  tables: (results) => [
    studyTable(results),
    errorTable(results),
    reproductionTable(results),
    ablationTable(results),
    traceTable(results),
    ageTable(results),
    sizeTable(results),
  ],
});

function studyTable(results: SuiteResults): Section {
  const head = ["agent", "model", "resolved", "lines", "hunks", "files", "USD", "tokens"];
  const rows = [
    ...study.map(([agent = "", model = "", resolved = "", ...means]) => [
      ...[`theirs: ${agent}`, model, `${resolved} of ${studied} (${percent(Number(resolved) / studied)} %)`],
      ...means,
    ]),
    ...rowsOfOurs(results, head.length, (each) => [tellStudied(each)], {
      ...{ isShown: isMain, nameOf: ({ variant }) => `ours: ${variant.title}` },
    }),
  ];
  const text =
    "Lines, hunks and files are means over the patches. Dollars and tokens are means over the attempts.";
  return { title: "Table 3: agents and models", texts: [text], tables: [{ head, rows }] };
}

function tellStudied({ model, arm }: SuiteArm): string[] {
  const { edited, usage, tries } = arm;
  const sizes = [edited?.lines, edited?.hunks, edited?.files].map((mean) => mean?.toFixed(2) ?? noFigure);
  const count = Math.max(1, tries.length);
  const tokens = (usage.inputTokens + usage.outputTokens) / count;
  return [
    ...[model ?? "none", tellResolved(arm), ...sizes],
    ...[(usage.usd / count).toFixed(2), tokens.toFixed(0)],
  ];
}

function errorTable({ columns }: SuiteResults): Section {
  const found = columns.map((column) => column.find(dataset)?.work?.compileErrors);
  type Errors = NonNullable<(typeof found)[number]>;
  const cells = (tell: (errors: Errors) => string): string[] =>
    columns.map((column, at) => {
      const own = found[at];
      return own === undefined ? tellMissing(column) : tell(own);
    });
  const known = found.flatMap((own) => own?.codes.map(({ code }) => code) ?? []);
  const codes = [...new Set([...Object.keys(errors), ...known])];
  const rows = [
    ...codes.map((code) => [
      ...[code, errors[code]?.toFixed(2) ?? "not reported"],
      ...cells(({ codes: own, total }) =>
        percent((own.find((each) => each.code === code)?.count ?? 0) / total),
      ),
    ]),
    ...Object.keys(errorGroups).map((group, at) => [
      ...[group, groupShares[at] ?? ""],
      ...cells(({ groups, total }) => percent((groups[at]?.count ?? 0) / total)),
    ]),
    [
      ...["during reproduction", "35"],
      ...cells(({ duringReproduction, total }) => percent(duringReproduction / total)),
    ],
    ["errors per task, mean", "about 3", ...cells(({ perAttempt }) => perAttempt.toFixed(1))],
  ];
  const head = ["error", "theirs, %", ...columns.map((column) => `${column.head}, %`)];
  return { title: "Table 4: compile errors", tables: [{ head, rows }] };
}

/** Returns the cell of a figure that a column does not have. */
function tellMissing({ find }: SuiteColumn): string {
  return find(dataset) === undefined ? notRun : noFigure;
}

function reproductionTable(results: SuiteResults): Section {
  const head = [
    ...["system", "judged valid by people, %", "valid when replayed, %", "shown, %", "reruns"],
    "failures, %: dependency / does not compile / irrelevant / never ran",
  ];
  const rows = [
    ["theirs: OpenHands, Claude 3.7 Sonnet", "55.5", "–", "–", "4.7", "52.5 / 12.0 / 35.5 / –"],
    ["theirs: RustForger, Claude 3.7 Sonnet", "67.3", "–", "–", "–", "–"],
    ["theirs: OpenHands, o4-mini", "32.6", "–", "–", "–", "–"],
    ["theirs: RustForger, o4-mini", "45.4", "–", "–", "–", "–"],
    ...rowsOfOurs(results, head.length, (each) =>
      tellReproductions(each, labelsOf(results, "reproductions", each)),
    ),
  ];
  const texts = [
    "Theirs: the judgements of three reviewers. Ours: people's labels in the files of `--labels`.",
    "Replayed: shares of all attempts, measured by `bench replay-reproductions`. Shown: shares of the attempts that wrote a reproduction. The run itself computed that the failure on the base matches the statement.",
  ];
  return { title: "Reproductions", texts, tables: [{ head, rows }] };
}

function tellReproductions(each: SuiteArm, labelled: LabelledArm | undefined): string[][] {
  const { work, replayed } = each.arm;
  const found = work?.reproductions;
  const judged = labelled === undefined ? noFigure : tellLabel(labelled, "valid");
  const valid = replayed === undefined ? noFigure : tellPart(replayed.valid);
  if (found === undefined) return [[judged, valid]];
  const { shown, reruns, causes } = found;
  const failed = shown.of - shown.count;
  const shares = ["dependency", "does not compile", "irrelevant", "never ran"].map((cause) => {
    const count = causes.find((known) => known.cause === cause)?.count ?? 0;
    return failed === 0 ? noFigure : percent(count / failed);
  });
  return [[judged, valid, tellPart(shown), reruns.toFixed(1), shares.join(" / ")]];
}

function ablationTable({ of }: SuiteResults): Section {
  const models = ["Claude 3.7 Sonnet", "GPT-4o", "o4-mini", "Qwen3", "mean"];
  const rows = ablations.map(({ variant, title, theirs }) => [
    ...[title, ...theirs.map(String)],
    of(variant)
      .map(({ model, arm }) => `${model ?? "none"}: ${tellResolved(arm)}`)
      .join("; ") || notRun,
  ]);
  const head = ["rustforger", ...models.map((model) => `theirs: ${model}, of 200`), "ours"];
  return { title: "Table 6: ablation", tables: [{ head, rows }] };
}

/** RustForger with Claude 3.7 Sonnet, percent resolved, by days from the issue to the merge. */
const byAge: readonly (readonly [string, string])[] = [
  ["up to a day", "42.9"],
  ["up to a week", "32.3"],
  ["up to a month", "31.5"],
  ["up to six months", "22.0"],
  ["longer", "15.0"],
];

function ageTable({ columns }: SuiteResults): Section {
  const ours = columns.filter(({ variant }) => variant.name === "rustforger");
  const rows = byAge.map(([age, theirs]) => [
    ...[age, theirs],
    ...ours.map((column) => {
      const groups = column.find(dataset)?.groups.filter(({ by }) => by === "from issue to merge");
      const own = groups?.find(({ value }) => value === age);
      if (own === undefined) return tellMissing(column);
      return `${percent(own.count / own.of)} (${own.count} of ${own.of})`;
    }),
  ]);
  const text = "Resolved by time from the issue to the merge. Ours requires tasks with these dates.";
  const head = ["time", "theirs: RustForger, %", ...ours.map(({ head: name }) => `${name}, %`)];
  return { title: "Age of the issue", texts: [text], tables: [{ head, rows }] };
}

/** Makes the table of Figure 5, which the paper draws without numbers. */
function sizeTable(results: SuiteResults): Section {
  const head = ["agent", "edited lines, at most", "resolved", "of tasks", "%"];
  const tell = ({ arm }: SuiteArm): string[][] =>
    sampleSizes(arm.resolvedBySize).map(({ lines, tasks, resolved }) => [
      ...[String(lines), String(resolved), String(tasks), percent(resolved / tasks)],
    ]);
  const rows = rowsOfOurs(results, head.length, tell, { isShown: isMain });
  const text = "Cumulative, by the known fix's edited lines. The paper draws its curves without numbers.";
  return { title: "Figure 5: resolved by edited lines", texts: [text], tables: [{ head, rows }] };
}

function traceTable(results: SuiteResults): Section {
  const head = ["system", "of resolved tasks, %", "of tokens, %", "seconds a call"];
  const tell = ({ arm }: SuiteArm): string[][] => {
    const trace = arm.work?.parts.find(({ name }) => name === "trace");
    if (trace === undefined) return [];
    const { ofResolved, tokenShare, each: use } = trace;
    const share = ofResolved.of === 0 ? noFigure : percent(ofResolved.count / ofResolved.of);
    const ofTokens = tokenShare === undefined ? noFigure : percent(tokenShare);
    return [[share, ofTokens, use.seconds.toFixed(1)]];
  };
  const rows = [
    ["theirs: RustForger", "71.3", "1.65", "about 12"],
    ...rowsOfOurs(results, head.length, tell, { isShown: ({ name }) => name === "rustforger" }),
  ];
  return { title: "Use of Trace", tables: [{ head, rows }] };
}
