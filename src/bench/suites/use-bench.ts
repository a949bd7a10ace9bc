/** The suite for the paper on USEagent: tables 3 and 4 on USEbench, and the costs of section 6 (ICSE '26). */
import { countOf } from "../../base/count.ts";
import type { Section } from "../report-sections.ts";
import { correlateTimeAndCost } from "../work/summarise-work.ts";
import {
  countResolved,
  defineSuite,
  isMain,
  labelsOf,
  noFigure,
  notRun,
  rowsOfOurs,
  type SuiteArm,
  type SuiteColumn,
  type SuiteResults,
  tellCount,
  tellLabel,
  tellPassAt,
  tellResolved,
} from "./contract.ts";

interface PublishedSet {
  readonly dataset: string;
  readonly title: string;
  readonly tasks: number;
  /** Number of resolved tasks with PASS@1; then in percent: PASS@1, PASS@5, PASS@1 with DeepSeek-V3. */
  readonly useAgent: readonly [number, number, number, number];
  readonly openHands: readonly [number, number, number, number];
  /** Percent of the sample: original, dynamic choice disabled, ExecuteTests removed. */
  readonly ablation: readonly [number, number, number];
}

export const published: readonly PublishedSet[] = [
  {
    ...{ dataset: "swe-bench", title: "SWE-bench Verified", tasks: 500 },
    ...{
      useAgent: [228, 45.6, 66.7, 42.7],
      openHands: [192, 38.4, 52.1, 35.9],
      ablation: [49.6, 46.2, 49.6],
    },
  },
  {
    ...{ dataset: "swt-bench", title: "SWT-bench Lite", tasks: 298 },
    ...{ useAgent: [120, 40.3, 53.6, 34.8], openHands: [85, 28.4, 50.7, 29], ablation: [40.6, 39.1, 36.2] },
  },
  {
    ...{ dataset: "repocod", title: "REPOCOD Lite", tasks: 200 },
    ...{ useAgent: [12, 6, 15.2, 6.5], openHands: [11, 5.5, 6.5, 0], ablation: [8.7, 6.5, 0] },
  },
  {
    ...{ dataset: "repotest", title: "REPOTEST Lite", tasks: 173 },
    ...{ useAgent: [55, 31.8, 42.5, 17.5], openHands: [45, 26, 42.5, 10], ablation: [25, 20, 17.5] },
  },
  {
    ...{ dataset: "swetry", title: "SWETRY", tasks: 100 },
    ...{ useAgent: [8, 8, 30.4, 8.7], openHands: [7, 7, 8.7, 4.3], ablation: [13, 8.7, 8.7] },
  },
];
export const publishedAll: Omit<PublishedSet, "dataset"> = {
  ...{ title: "all five", tasks: 1271 },
  ...{ useAgent: [423, 33.3, 49.5, 29.1], openHands: [340, 26.8, 44.1, 22.6], ablation: [34.9, 31.9, 31.2] },
};
/** The dataset for which the paper reports no result. */
const feature = { dataset: "feature-development", title: "feature development", tasks: 46 };
/** Mean US dollars of an attempt by USEagent. The paper does not report the other datasets. */
const publishedUsd: Readonly<Record<string, number>> = { "swe-bench": 2.2, repocod: 7.66 };

const fivePasses = 5;

export default defineSuite({
  name: "use-bench",
  description: "USEagent's tables 3 and 4 on the six datasets of USEbench",
  source:
    "USEagent (ICSE '26), tables 1, 3 and 4. PASS@1: all tasks, Claude 3.5 Sonnet v2. PASS@5, DeepSeek-V3 and the ablation: a sample of 295 tasks",
  datasets: [...published.map(({ dataset }) => dataset), feature.dataset],
  variants: [
    { name: "unified", title: "unified", strategy: "unified" },
    {
      name: "unified-as-published",
      title: "unified as published",
      strategy: "unified",
      switches: { asPublished: true },
    },
    {
      name: "react-as-published",
      title: "react as published",
      strategy: "react",
      switches: { asPublished: true },
    },
    {
      name: "workflow-as-published",
      title: "workflow as published (fixed sequences)",
      strategy: "workflow",
      switches: { asPublished: true },
      isAblation: true,
    },
    {
      name: "unified-as-published-without-execute-tests",
      title: "unified as published, without execute-tests",
      strategy: "unified",
      switches: { asPublished: true, without: ["execute-tests"] },
      isAblation: true,
    },
  ],
  tables: (results) => [
    ...[efficacy(results), ablation(results), audit(results), costs(results)],
    ...figures(results),
  ],
});

function efficacy({ columns }: SuiteResults): Section {
  const own = columns.filter(({ variant }) => isMain(variant));
  const several = own.filter(({ find }) =>
    published.some(({ dataset }) => find(dataset)?.passAt[fivePasses] !== undefined),
  );
  const theirs = ({ useAgent, openHands, tasks }: Omit<PublishedSet, "dataset">): string[] =>
    [useAgent, openHands].map(
      ([count, first, fifth, other]) =>
        `${count} of ${tasks} (${first.toFixed(1)} %) / ${fifth.toFixed(1)} / ${other.toFixed(1)}`,
    );
  const rowOf = (dataset: string, title: string, known: readonly string[]): string[] => [
    ...[title, ...known],
    ...own.map(({ find }) => tellResolved(find(dataset))),
    ...several.map(({ find }) => tellPassAt(find(dataset), fivePasses)),
  ];
  const rows = [
    ...published.map((set) => rowOf(set.dataset, set.title, theirs(set))),
    ["all five", ...theirs(publishedAll), ...own.map(tellAll), ...several.map(() => noFigure)],
    rowOf(feature.dataset, `${feature.title} (${feature.tasks} tasks)`, ["not reported", "not reported"]),
  ];
  const head = [
    ...["data set", "theirs: USEagent, PASS@1 / PASS@5 / DeepSeek-V3", "theirs: OpenHands CodeAct"],
    ...own.map((column) => `${column.head}, PASS@1`),
    ...several.map((column) => `${column.head}, PASS@5, %`),
  ];
  return { title: "Table 3: efficacy on USEbench", tables: [{ head, rows }] };
}

/** Renders the resolved tasks of all datasets for which we have a result. */
function tellAll({ find }: SuiteColumn): string {
  const counts = published.flatMap(({ dataset }) => {
    const arm = find(dataset);
    return arm === undefined ? [] : [countResolved(arm)];
  });
  const [resolved, tasks] = counts.reduce(([a, b], [c, d]) => [a + c, b + d], [0, 0]);
  if (counts.length === 0) return notRun;
  if (tasks === 0) return noFigure;
  const sets = counts.length === published.length ? "" : `, ${countOf(counts.length, "data set")}`;
  return `${tellCount(resolved)} of ${tasks} (${((resolved / tasks) * 100).toFixed(1)} %${sets})`;
}

/** Each variant under the published column that it repeats. */
const repeated = [
  { variant: "unified-as-published", title: "original" },
  { variant: "workflow-as-published", title: "dynamic choice disabled" },
  { variant: "unified-as-published-without-execute-tests", title: "ExecuteTests removed" },
];

function ablation({ columns }: SuiteResults): Section {
  const own = repeated.flatMap(({ variant, title }) =>
    columns
      .filter((column) => column.variant.name === variant)
      .map((column) => ({ column, head: `${column.head} (${title})` })),
  );
  const rows = [...published, { ...publishedAll, dataset: "" }].map(
    ({ dataset, title, ablation: shares }) => [
      ...[title, ...shares.map((share) => share.toFixed(1))],
      ...own.map(({ column }) => (dataset === "" ? tellAll(column) : tellResolved(column.find(dataset)))),
    ],
  );
  const head = [
    ...["data set", ...repeated.map(({ title }) => `theirs: ${title}, %`)],
    ...own.map((each) => each.head),
  ];
  const text =
    "Theirs: measured on the sample of 295 tasks. Our workflow also runs its gate between rounds, so it differs from the published one.";
  return { title: "Table 4: ablation", texts: [text], tables: [{ head, rows }] };
}

function audit(results: SuiteResults): Section {
  const labels = ["correct", "overfitted", "memorised", "anomaly"];
  const head = ["agent", "patches", ...labels, "not decided"];
  const tell = (arm: SuiteArm): string[][] => {
    const own = labelsOf(results, "patches", arm);
    if (own === undefined) return [];
    return [[String(own.decided), ...labels.map((label) => tellLabel(own, label)), String(own.open)]];
  };
  const rows = [
    [
      "theirs: USEagent, all five",
      "218",
      "not reported",
      "23 of 218 (10.5 %)",
      "3 of 218 (1.3 %)",
      "33 of 218",
      "–",
    ],
    ["theirs: USEagent, SWE-bench Verified", "–", "–", "13.6 %", "–", "–", "–"],
    ...rowsOfOurs(results, head.length, tell, { nameOf: ({ name }) => name }),
  ];
  const text =
    "Resolved patches, judged by people. Ours: the labels of `--labels`; shares are of the decided patches.";
  return { title: "Audit by hand", texts: [text], tables: [{ head, rows }] };
}

/** Makes the tables of two figures, which the paper draws without numbers. */
function figures(results: SuiteResults): Section[] {
  const names = { isShown: isMain, nameOf: ({ name }: SuiteArm) => name };
  const text = "Ours alone: the paper draws this figure without numbers.";
  const positions = ({ arm }: SuiteArm): string[][] =>
    (arm.work?.steps ?? []).map(({ step, action, count }) => [String(step), action, String(count)]);
  const usd = ({ arm }: SuiteArm): string[][] =>
    (arm.work?.parts ?? []).map(({ name: action, uses, perAttempt, each, unpriced }) => [
      ...[action, unpriced === 0 ? perAttempt.usd.toFixed(4) : "unpriced calls"],
      unpriced !== 0 ? "unpriced calls" : uses === 0 ? noFigure : each.usd.toFixed(4),
    ]);
  const figure = (title: string, head: readonly string[], tell: (arm: SuiteArm) => string[][]): Section => ({
    ...{ title, texts: [text] },
    tables: [{ head, rows: rowsOfOurs(results, head.length, tell, names) }],
  });
  return [
    figure("Figure 4: actions by position", ["agent", "position", "action", "runs"], positions),
    figure("Figure 5: mean cost by action, USD", ["agent", "action", "an attempt", "a use"], usd),
  ];
}

function costs({ columns }: SuiteResults): Section {
  const rows = [...published, feature].map(({ dataset, title }) => [
    title,
    publishedUsd[dataset]?.toFixed(2) ?? "not reported",
    ...columns.map(({ find }) => {
      const arm = find(dataset);
      return arm === undefined ? notRun : (arm.usage.usd / Math.max(1, arm.tries.length)).toFixed(2);
    }),
  ]);
  const head = ["data set", "theirs: USEagent", ...columns.map((column) => column.head)];
  const correlations = columns.map(({ head: name, tries }) => {
    const found = correlateTimeAndCost(tries);
    if (found !== undefined) return [name, found.r.toFixed(2), String(found.attempts)];
    return [name, tries.length === 0 ? notRun : noFigure, noFigure];
  });
  const correlation = {
    head: ["system", "Pearson's r of time and cost", "attempts"],
    rows: [["theirs: USEagent", "0.89", "not reported"], ...correlations],
  };
  const text = "Theirs over all data sets: 3.65.";
  return { title: "Mean cost of an attempt, USD", texts: [text], tables: [{ head, rows }, correlation] };
}
