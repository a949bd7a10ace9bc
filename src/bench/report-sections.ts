/** Defines a report's sections and tables for Markdown and the HTML page, and renders them as Markdown. */
import type { Share } from "./result-groups.ts";

export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The name of a chart in `report-charts.ts`. */
export type ChartName =
  | "rates"
  | "outcomes"
  | "overlap"
  | "verdicts"
  | "seconds"
  | "sizes"
  | "actions"
  | "steps";

export interface Section {
  readonly title?: string;
  readonly texts?: readonly string[];
  readonly tables?: readonly Table[];
  readonly charts?: readonly ChartName[];
  readonly list?: readonly string[];
}

export function renderMarkdown(title: string, sections: readonly Section[]): string {
  const parts = sections.flatMap(({ title: heading, texts = [], tables = [], list = [] }) => [
    ...(heading === undefined ? [] : [`## ${heading}`]),
    ...texts,
    ...tables.map(renderTable),
    ...(list.length === 0 ? [] : [list.map((line) => `- ${line}`).join("\n")]),
  ]);
  return [`# ${title}`, ...parts].join("\n\n").concat("\n");
}

function renderTable({ head, rows }: Table): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll(/\s+/g, " ").replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Renders a share in percent and its interval as two cells. Renders an unknown share as "–". */
export function tellShare({ count, of, interval }: Share): string[] {
  if (of === 0) return ["–", "–"];
  const between = interval === undefined ? "–" : `${percent(interval.low)} to ${percent(interval.high)}`;
  return [percent(count / of), between];
}

export function percent(share: number): string {
  return (share * 100).toFixed(1);
}
