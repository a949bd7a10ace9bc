/**
 * Draws the charts of a report with Vega-Lite, as SVG without scripts. Colours follow the page's light or dark theme.
 */
import { parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import { isResolved, isVerified } from "./batch-report.ts";
import type { ChartName, Table } from "./report-sections.ts";
import { type NamedArm, overlapOf } from "./reported-arms.ts";

export interface Chart {
  readonly title: string;
  readonly svg: string;
  /** The chart's data. */
  readonly data: Table;
}

/** The ink's colour: a variable of the page's style. */
const ink = "var(--ink)";
const line = "var(--line)";
const kinds = ["var(--good)", "var(--poor)", "var(--odd)", "var(--none)"];
const names = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const arms = names.map((name) => `var(--${name})`);

type Row = Readonly<Record<string, string | number>>;

interface Drawing {
  readonly title: string;
  readonly rows: readonly Row[];
  /** The rows of the data's table, if they differ from `rows`. */
  readonly told?: readonly Row[];
  readonly spec: object;
}

/** Draws a chart; undefined if the arms have no data for it. */
export async function drawChart(name: ChartName, named: readonly NamedArm[]): Promise<Chart | undefined> {
  const drawing = drawings[name](named);
  if (drawing === undefined || drawing.rows.length === 0) return undefined;
  const { title, rows, told = rows, spec } = drawing;
  // A place only orders the parts of a bar.
  const head = Object.keys(told[0] ?? {}).filter((key) => key !== "place");
  const cells = told.map((row) => head.map((key) => show(row[key] ?? "")));
  return { title, svg: await draw(rows, spec), data: { head, rows: cells } };
}

function show(value: string | number): string {
  return typeof value === "string" || Number.isInteger(value) ? String(value) : value.toFixed(1);
}

async function draw(rows: readonly Row[], spec: object): Promise<string> {
  const axis = {
    labelColor: ink,
    titleColor: ink,
    domainColor: line,
    tickColor: line,
    gridColor: line,
    labelFontSize: 12,
    labelLimit: 420,
    titleFontWeight: "normal",
  };
  const legend = {
    labelColor: ink,
    labelFontSize: 12,
    labelLimit: 420,
    orient: "bottom",
    columns: 2,
    title: null,
  };
  const whole: unknown = {
    width: 520,
    background: null,
    data: { values: rows },
    config: { axis, legend, view: { stroke: null } },
    ...spec,
  };
  const view = new View(parse(compile(whole as TopLevelSpec).spec), { renderer: "none" });
  const svg = await view.toSVG();
  view.finalize();
  return svg;
}

const outcomes = ["resolved", "unresolved", "agent error", "infrastructure error"];
const y = { field: "arm", type: "nominal", title: null, sort: null };
const facetHeader = {
  labelColor: ink,
  title: null,
  labelLimit: 420,
  labelOrient: "top",
  labelAnchor: "start",
};
const rowStep = { height: { step: 26 } };

const drawings: Readonly<Record<ChartName, (named: readonly NamedArm[]) => Drawing | undefined>> = {
  rates: (named) => ({
    title: "Resolved tasks, %, with the 95 % interval",
    rows: named.flatMap(({ arm, name }) =>
      arm.attempts.map(({ attempt, rate, interval }) => ({
        arm: arm.attempts.length > 1 ? `${name}, attempt ${attempt}` : name,
        resolved: rate * 100,
        from: interval.low * 100,
        to: interval.high * 100,
      })),
    ),
    spec: {
      ...rowStep,
      encoding: { y },
      layer: [
        {
          mark: { type: "bar", color: arms[0], height: 14 },
          encoding: {
            x: { field: "resolved", type: "quantitative", scale: { domain: [0, 100] }, title: "resolved, %" },
          },
        },
        {
          mark: { type: "rule", color: ink, strokeWidth: 2 },
          encoding: { x: { field: "from", type: "quantitative" }, x2: { field: "to" } },
        },
      ],
    },
  }),
  outcomes: (named) => ({
    title: "Attempts by outcome",
    rows: countKinds(named, outcomes, (each) => each.outcome.replace("-", " ")),
    spec: stacked(outcomes),
  }),
  verdicts: (named) => {
    const said = [
      "verified, resolved",
      "verified, not resolved",
      "not verified, resolved",
      "not verified, not resolved",
    ];
    return {
      title: "The agent's verdicts and the tests' results",
      rows: countKinds(
        named,
        said,
        (each) => `${isVerified(each) ? "" : "not "}verified, ${isResolved(each) ? "" : "not "}resolved`,
      ),
      spec: stacked(said),
    };
  },
  overlap: (named) => (named.length < 2 ? undefined : drawOverlap(named)),
  seconds: (named) => ({
    title: "Resolved attempts by the seconds that the agent took",
    rows: named.flatMap(({ arm, name }) => {
      const times = arm.tries.filter(isResolved).map(({ agentSeconds }) => agentSeconds);
      return times
        .sort((a, b) => a - b)
        .map((seconds, at) => ({ arm: name, seconds, resolved: ((at + 1) / arm.tries.length) * 100 }));
    }),
    spec: {
      height: 220,
      mark: { type: "line", interpolate: "step-after", point: true },
      encoding: {
        x: { field: "seconds", type: "quantitative", title: "seconds" },
        y: {
          field: "resolved",
          type: "quantitative",
          scale: { domain: [0, 100] },
          title: "resolved so far, % of all attempts",
        },
        color: { field: "arm", type: "nominal", scale: { range: arms }, sort: null },
      },
    },
  }),
  steps: (named) => {
    const rows = named.flatMap(({ arm, name }) =>
      (arm.work?.steps ?? []).map(({ step, action, count }) => ({ arm: name, step, action, count })),
    );
    return {
      title: "Actions by their position in a run",
      rows,
      spec: {
        width: 460,
        height: 140,
        mark: "bar",
        encoding: {
          ...(named.length > 1
            ? { row: { field: "arm", header: facetHeader, sort: named.map(({ name }) => name) } }
            : {}),
          x: { field: "step", type: "ordinal", title: "position", axis: { labelAngle: 0 } },
          y: { field: "count", type: "quantitative", title: "runs", axis: { tickMinStep: 1 } },
          color: { field: "action", type: "nominal", scale: { range: arms } },
        },
      },
    };
  },
  actions: (named) => ({
    title: "Mean tokens of an attempt, by action",
    rows: named.flatMap(({ arm, name }) =>
      (arm.work?.parts ?? [])
        .filter(({ perAttempt }) => perAttempt.tokens > 0)
        .map(({ name: action, perAttempt: { tokens, usd } }) => ({
          ...{ arm: name, action, tokens },
          USD: usd.toFixed(4),
        })),
    ),
    spec: {
      ...rowStep,
      mark: { type: "bar", height: 14 },
      encoding: {
        y,
        x: { field: "tokens", type: "quantitative", title: "tokens" },
        color: { field: "action", type: "nominal", scale: { range: arms } },
      },
    },
  }),
  sizes: (named) => ({
    title: "Resolved tasks by the edited lines of the known fix",
    rows: named.flatMap(({ arm, name }) =>
      arm.resolvedBySize.map(({ lines, tasks, resolved }) => ({ arm: name, lines, tasks, resolved })),
    ),
    spec: {
      height: 220,
      mark: { type: "line", interpolate: "step-after", point: true },
      encoding: {
        x: { field: "lines", type: "quantitative", scale: { type: "log" }, title: "edited lines, at most" },
        y: { field: "resolved", type: "quantitative", axis: { tickMinStep: 1 }, title: "resolved tasks" },
        color: { field: "arm", type: "nominal", scale: { range: arms }, sort: null },
      },
    },
  }),
};

function stacked(order: readonly string[]): object {
  return {
    ...rowStep,
    mark: { type: "bar", height: 16 },
    encoding: {
      y,
      x: { field: "attempts", type: "quantitative", title: "attempts", axis: { tickMinStep: 1 } },
      color: { field: "kind", type: "nominal", scale: { domain: order, range: kinds } },
      order: { field: "place", type: "ordinal" },
    },
  };
}

/** Counts the attempts of each arm by kind; omits empty kinds. */
function countKinds(
  named: readonly NamedArm[],
  order: readonly string[],
  kindOf: (each: NamedArm["arm"]["tries"][number]) => string,
): Row[] {
  return named.flatMap(({ arm, name }) =>
    order.flatMap((kind, place) => {
      const attempts = arm.tries.filter((each) => kindOf(each) === kind).length;
      return attempts === 0 ? [] : [{ arm: name, kind, attempts, place }];
    }),
  );
}

/** Maximum number of sets in the chart, the largest first. */
const mostDrawn = 20;

/**
 * Draws an UpSet plot (Lex et al., 2014). Each column is a set of arms: its bar counts the tasks that exactly these
 * arms resolve, and its dots name them. Each arm's label has the number of its resolved tasks. Draws only the
 * `mostDrawn` largest sets; the table of the data contains all.
 */
function drawOverlap(named: readonly NamedArm[]): Drawing {
  const sets = overlapOf(named);
  const labels = named.map(({ name }) => {
    const own = sets.filter(({ arms: members }) => members.includes(name));
    return `${name} (${own.reduce((sum, { tasks }) => sum + tasks.length, 0)})`;
  });
  const rows = sets.slice(0, mostDrawn).flatMap(({ arms: members, tasks }, at) =>
    named.map(({ name }, place) => ({
      ...{ set: at + 1, arm: labels[place] ?? name, member: members.includes(name) ? "yes" : "no" },
      tasks: tasks.length,
    })),
  );
  const x = { field: "set", type: "ordinal", axis: null };
  return {
    title: "Tasks by the arms that resolve them",
    rows,
    told: sets.map(({ arms: members, tasks }) => {
      return { arms: members.join(" + ") || "none", tasks: tasks.length };
    }),
    spec: {
      spacing: 4,
      vconcat: [
        {
          ...{ width: 520, height: 120 },
          mark: { type: "bar", color: arms[0], width: 14 },
          encoding: {
            x,
            y: {
              field: "tasks",
              aggregate: "max",
              type: "quantitative",
              title: "tasks",
              axis: { tickMinStep: 1 },
            },
          },
        },
        {
          ...{ width: 520, ...rowStep },
          mark: { type: "circle", size: 120, opacity: 1 },
          encoding: {
            x,
            y: { field: "arm", type: "nominal", title: null, sort: labels },
            color: {
              field: "member",
              type: "nominal",
              scale: { domain: ["yes", "no"], range: [arms[0], line] },
              legend: null,
            },
          },
        },
      ],
    },
  };
}
