/** Makes the report on batches: each arm's results, the reliability of its verdicts, and each task's outcomes. */
import { countOf } from "../base/count.ts";
import { type DifferingSetting, findDifferences, tellCommonFlags } from "./arm-settings.ts";
import type { BatchDocument, BatchTry } from "./batch-document.ts";
import { hasVerdicts, isResolved, isVerified } from "./batch-report.ts";
import { tellCancelled } from "./cancelled-batch.ts";
import { labelSections } from "./label-tables.ts";
import type { LabelFiles } from "./labels.ts";
import { describeMeasure } from "./measure-names.ts";
import { percent, renderMarkdown, type Section, type Table, tellShare } from "./report-sections.ts";
import {
  type NamedArm,
  type NamedBatch,
  nameArms,
  nameOfArm,
  overlapOf,
  type ReportedArm,
  reportArms,
} from "./reported-arms.ts";
import { sampleSizes } from "./result-groups.ts";
import { wilsonInterval } from "./statistics.ts";
import { workSections } from "./work/work-tables.ts";

/** Renders the report on batches as Markdown. `labels`: the labels that people gave, if any. */
export function renderBatches(batches: readonly NamedBatch[], labels?: LabelFiles): string {
  return renderMarkdown("Report of a benchmark", sectionsOf(batches, labels));
}

/** Makes the report's sections, for Markdown and the HTML page. */
export function sectionsOf(batches: readonly NamedBatch[], labels?: LabelFiles): Section[] {
  const named = nameArms(reportArms(batches), batches.length > 1);
  return [
    { texts: batches.map(({ path, batch }) => describeBatch(path, batch)) },
    {
      title: "Arms",
      tables: [tellArms(named), ...tellPassAt(named), ...tellOverlap(named)],
      charts: ["rates", "outcomes", "overlap"],
    },
    ...tellSettings(named),
    ...tellBroken(named),
    ...tellRules(named),
    ...tellMeasures(named),
    ...tellExtra(named),
    ...tellGroups(named),
    ...tellBySize(named),
    ...tellVerdictsOf(named.filter(({ arm }) => hasVerdicts(arm.tries))),
    ...labelSections(named, labels),
    ...tellCosts(named.filter(({ arm }) => arm.tries.some(({ agentSeconds }) => agentSeconds > 0))),
    ...tellEdits(named),
    ...workSections(named),
    {
      title: "Tasks",
      tables: [
        { head: ["task", ...named.map(({ name }) => name)], rows: tellTasks(named.map(({ arm }) => arm)) },
      ],
    },
  ];
}

function tellArms(named: readonly NamedArm[]): Table {
  const whereSeveral = (cell: string): string[] => (named.length > 1 ? [cell] : []);
  return {
    head: [
      ...["arm", "resolved", "of", "%", "95 % interval", "agent errors", "infrastructure errors"],
      ...whereSeveral("resolved only by this arm"),
    ],
    rows: named.flatMap(({ arm, name }) =>
      arm.attempts.map((each) => [
        arm.attempts.length > 1 ? `${name}, attempt ${each.attempt}` : name,
        String(each.resolved),
        String(each.tasks),
        percent(each.rate),
        `${percent(each.interval.low)} to ${percent(each.interval.high)}`,
        String(each.agentErrors),
        String(each.infrastructureErrors),
        ...whereSeveral(String(arm.alone.length)),
      ]),
    ),
  };
}

/** Tells the settings in which the arms differ, and those that they share. */
function tellSettings(named: readonly NamedArm[]): Section[] {
  const settings = named.map(({ arm }) => arm.settings);
  const differing = findDifferences(settings);
  const flags = `${named.length > 1 ? "Flags that all arms have" : "Flags"}: ${tellCommonFlags(settings)}.`;
  const forTimes = differing.filter(({ affects }) => affects === "times");
  const texts = [flags, ...forTimes.map(tellTimeSetting)];
  const rows = differing
    .filter(({ affects }) => affects === "results")
    .map(({ setting, values }) => [setting, ...values]);
  if (rows.length === 0) return [{ title: "Settings", texts }];
  const text = "The arms differ in these settings. A difference in their results may come from the settings.";
  const head = ["setting", ...named.map(({ name }) => name)];
  return [{ title: "Settings", texts: [...texts, text], tables: [{ head, rows }] }];
}

function tellTimeSetting({ setting, values }: DifferingSetting): string {
  return `The arms differ in ${setting} (${values.join(", ")}). A difference in their times may come from this setting.`;
}

/** Lists the attempts with infrastructure errors, which say nothing about the agent. */
function tellBroken(named: readonly NamedArm[]): Section[] {
  const list = named.flatMap(({ arm, name }) =>
    arm.tries
      .filter(({ outcome }) => outcome === "infrastructure-error")
      .map((each) => {
        const where = each.worker === undefined ? "" : ` (worker ${each.worker})`;
        return `${name}: ${idOf(each)}${where}: ${each.reason.replaceAll(/\s+/g, " ")}`;
      }),
  );
  if (list.length === 0) return [];
  const text =
    "These attempts count as not resolved. Remove the cause, and repeat the command of `bench run`.";
  return [{ title: "Infrastructure errors", texts: [text], list }];
}

/** Maximum number of sets of arms in the table: 20 arms have more than anyone reads. `--json` has all. */
const mostSets = 20;

function tellOverlap(named: readonly NamedArm[]): Table[] {
  if (named.length < 2) return [];
  const sets = overlapOf(named);
  const member = (arms: readonly string[]): string[] =>
    named.map(({ name }) => (arms.includes(name) ? "●" : "·"));
  const rows = sets.slice(0, mostSets).map(({ arms, tasks }) => [String(tasks.length), ...member(arms)]);
  const others = sets.slice(mostSets);
  const left = others.reduce((sum, { tasks }) => sum + tasks.length, 0);
  if (left > 0)
    rows.push([`${left} by ${countOf(others.length, "other set")} of arms`, ...named.map(() => "")]);
  const sizes = named.map(({ name }) =>
    String(sets.filter(({ arms }) => arms.includes(name)).reduce((sum, { tasks }) => sum + tasks.length, 0)),
  );
  return [
    {
      head: ["tasks resolved by exactly", ...named.map(({ name }) => name)],
      rows: [...rows, ["total of each arm", ...sizes]],
    },
  ];
}

/** Compares verdicts with the tests. `named` has only arms with verdicts. */
function tellVerdictsOf(named: readonly NamedArm[]): Section[] {
  if (named.length === 0) return [];
  return [
    {
      title: "Verdicts",
      texts: ["The tables compare the agent's verdicts on its patches with the results of the tests."],
      tables: [tellVerdicts(named), tellCalibration(named)],
      charts: ["verdicts"],
      list: tellWrongVerdicts(named),
    },
  ];
}

/** Tells time, tokens and costs. `named` has only arms whose attempts were made here. */
function tellCosts(named: readonly NamedArm[]): Section[] {
  if (named.length === 0) return [];
  const tokens = ["tokens in", "of these cached", "tokens out"];
  return [
    {
      title: "Cost of an attempt",
      tables: [
        {
          head: ["arm", "seconds: median", "90 %", "model calls", ...tokens, "USD"],
          rows: named.map(({ arm, name }) => [name, ...tellCost(arm)]),
        },
      ],
      charts: ["seconds"],
    },
  ];
}

function tellVerdicts(named: readonly NamedArm[]): Table {
  return {
    head: ["arm", "called verified", "of these resolved", "%", "resolved, not called verified"],
    rows: named.map(({ arm: { verified, falselyDenied }, name }) => [
      name,
      String(verified.count),
      String(verified.resolved),
      verified.count === 0 ? "–" : percent(verified.resolved / verified.count),
      String(falselyDenied.length),
    ]),
  };
}

/** Tells precision and recall of the verdict "verified". */
function tellCalibration(named: readonly NamedArm[]): Table {
  return {
    head: ["arm", "resolved of verified, %", "95 % interval", "verified of resolved, %", "95 % interval"],
    rows: named.map(({ arm: { calibration }, name }) => [
      name,
      ...tellShare(calibration.precision),
      ...tellShare(calibration.recall),
    ]),
  };
}

function tellGroups(named: readonly NamedArm[]): Section[] {
  const rows = named.flatMap(({ arm, name }) =>
    arm.groups.map((group) => [
      group.by,
      group.value,
      name,
      `${group.count} of ${group.of}`,
      ...tellShare(group),
    ]),
  );
  if (rows.length === 0) return [];
  const sorted = [...Map.groupBy(rows, ([by, value]) => `${by} ${value}`).values()].flat();
  const head = ["property", "value", "arm", "resolved", "%", "95 % interval"];
  return [{ title: "By properties of the tasks", tables: [{ head, rows: sorted }] }];
}

/** Tells the resolved tasks by size of the known fix. Each row counts the tasks up to a number of edited lines. */
function tellBySize(named: readonly NamedArm[]): Section[] {
  const rows = named.flatMap(({ arm: { resolvedBySize }, name }) =>
    sampleSizes(resolvedBySize).map(({ lines, tasks, resolved }) => [
      ...[name, String(lines), String(resolved), String(tasks), percent(resolved / tasks)],
    ]),
  );
  if (rows.length === 0) return [];
  const head = ["arm", "edited lines, at most", "resolved", "of tasks", "%"];
  const text =
    "Cumulative: each row counts all tasks with at most this number of edited lines in the known fix.";
  return [{ title: "Resolved by edited lines", texts: [text], tables: [{ head, rows }], charts: ["sizes"] }];
}

function tellEdits(named: readonly NamedArm[]): Section[] {
  const rows = named.flatMap(({ arm: { edited, tries }, name }) => {
    if (edited === undefined) return [];
    const means = [edited.lines, edited.hunks, edited.files].map((each) => each.toFixed(1));
    return [[name, ...means, `${edited.patches} of ${tries.length}`]];
  });
  if (rows.length === 0) return [];
  const head = ["arm", "lines edited", "hunks", "files", "of attempts"];
  return [
    {
      title: "Size of the patches",
      texts: ["Means over the patches that are not empty."],
      tables: [{ head, rows }],
    },
  ];
}

function tellWrongVerdicts(named: readonly NamedArm[]): string[] {
  return named.flatMap(({ arm, name }) => [
    ...arm.falselyVerified.map(
      (each) =>
        `${name}: verified, and ${sayOutcome(each)}: ${idOf(each)}: ${each.reason.replaceAll(/\s+/g, " ")}`,
    ),
    ...arm.falselyDenied.map(
      (each) => `${name}: resolved, and ${each.verdict ?? "no verdict"}: ${idOf(each)}`,
    ),
  ]);
}

function describeBatch(
  path: string,
  { tasks, rules, sandbox, version, stopped, cancelled, off = [] }: BatchDocument,
): string {
  const without = off.length === 0 ? "" : `, ${off.join(", ")}`;
  const partial = cancelled === undefined ? "" : `; ${tellCancelled(cancelled)}`;
  const early =
    stopped === undefined
      ? ""
      : `; ended early, after ${countOf(stopped.tasks, "task")}, because ${nameOfArm(stopped.better)} resolves more (error rate at most ${percent(stopped.error)} %)`;
  return `${path}: ${countOf(tasks.count, "task")} of ${tasks.file} (sha256 ${tasks.sha256.slice(0, 12)}…), rule ${rules.join(", ")}, sandbox ${sandbox}, Millwright ${version}${without}${early}${partial}`;
}

function tellPassAt(named: readonly NamedArm[]): Table[] {
  const several = named.filter(({ arm }) => arm.attempts.length > 1);
  if (several.length === 0) return [];
  const most = Math.max(...several.map(({ arm }) => arm.attempts.length));
  const counts = Array.from({ length: most }, (_, at) => at + 1);
  const rows = several.map(({ arm: { passAt }, name }) => [
    name,
    ...counts.map((k) => (passAt[k] === undefined ? "–" : percent(passAt[k]))),
  ]);
  return [{ head: ["arm", ...counts.map((k) => `pass@${k}, %`)], rows }];
}

function tellRules(named: readonly NamedArm[]): Section[] {
  const rows = named.flatMap(({ arm, name }) =>
    arm.otherRules.map(({ rule, resolved, attempts }) => {
      const { low, high } = wilsonInterval(resolved, attempts);
      const share = percent(attempts === 0 ? 0 : resolved / attempts);
      // Several attempts at one task are not independent.
      const interval = arm.attempts.length > 1 ? "–" : `${percent(low)} to ${percent(high)}`;
      return [name, rule, String(resolved), String(attempts), share, interval];
    }),
  );
  if (rows.length === 0) return [];
  const head = ["arm", "rule", "resolved", "of attempts", "%", "95 % interval"];
  return [{ title: "By other rules", tables: [{ head, rows }] }];
}

function tellMeasures(named: readonly NamedArm[]): Section[] {
  const rows = named.flatMap(({ arm, name }) =>
    arm.measures.map((each) => [
      name,
      describeMeasure(each.name),
      percent(each.mean),
      String(each.above90),
      `${each.attempts} of ${arm.tries.length}`,
    ]),
  );
  if (rows.length === 0) return [];
  const text =
    "Each score is a share from 0 to 100 %. The means and counts are over the attempts that have the score.";
  const head = ["arm", "score", "mean, %", "above 90 %", "of attempts"];
  return [{ title: "Partial scores", texts: [text], tables: [{ head, rows }] }];
}

/** Counts the overfitted patches among the plausible patches, for the tasks with extra tests. */
function tellExtra(named: readonly NamedArm[]): Section[] {
  const known = named.flatMap(({ arm: { extra }, name }) => (extra === undefined ? [] : { name, ...extra }));
  if (known.length === 0) return [];
  const rows = known.map(({ name, plausible, overfitted, correct }) => [
    ...[name, String(plausible.count), String(plausible.of), ...tellShare(plausible)],
    ...[String(overfitted.count), ...tellShare(overfitted), String(correct.count), ...tellShare(correct)],
  ]);
  const head = [
    ...["arm", "plausible", "of attempts", "%", "95 % interval"],
    ...["overfitted", "% of plausible", "95 % interval", "pass all tests", "% of attempts", "95 % interval"],
  ];
  const text =
    "Only attempts at tasks with extra tests count. A patch is plausible if it resolves its task by the hidden tests, and overfitted if it then fails an extra test.";
  const list = known.flatMap(({ name, failed }) =>
    failed.map((each) => `${name}: overfitted: ${idOf(each)}: ${each.extra?.reason ?? ""}`),
  );
  return [{ title: "Plausible and overfitted", texts: [text], tables: [{ head, rows }], list }];
}

function tellCost({ tries, usage, seconds }: ReportedArm): string[] {
  const each = (total: number, digits: number): string => (total / Math.max(1, tries.length)).toFixed(digits);
  return [
    seconds.median.toFixed(1),
    seconds.p90.toFixed(1),
    each(usage.calls, 1),
    each(usage.inputTokens, 0),
    each(usage.cachedTokens, 0),
    each(usage.outputTokens, 0),
    `${each(usage.usd, 3)}${usage.unpriced === undefined ? "" : " and unpriced calls"}`,
  ];
}

function tellTasks(arms: readonly ReportedArm[]): string[][] {
  const byTask = arms.map(({ tries }) => Map.groupBy(tries, ({ id }) => id));
  const ids = new Set(byTask.flatMap((tasks) => [...tasks.keys()]));
  return [...ids].map((id) => [
    id,
    ...byTask.map((tasks) => tasks.get(id)?.map(renderOutcome).join(", ") ?? "not attempted"),
  ]);
}

/** Renders the outcome, and the agent's own verdict if it differs. */
function renderOutcome(each: BatchTry): string {
  const isTold = each.verdict !== null && isResolved(each) !== isVerified(each);
  return `${sayOutcome(each)}${isTold ? ` (${each.verdict})` : ""}`;
}

function sayOutcome({ outcome }: BatchTry): string {
  return outcome.replace("-", " ");
}

function idOf({ id, run }: BatchTry): string {
  return run === "" ? id : `${id} (${run})`;
}
