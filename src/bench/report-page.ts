/** Renders a report as one self-contained HTML file that runs no code. Its content is escaped data, never markup. */
import { createHash } from "node:crypto";
import { sectionsOf } from "./batch-tables.ts";
import type { LabelFiles } from "./labels.ts";
import { type Chart, drawChart } from "./report-charts.ts";
import type { Section, Table } from "./report-sections.ts";
import { type NamedBatch, nameArms, reportArms } from "./reported-arms.ts";

const style = `
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1f24; --line: #c9ced6; --one: #2f6fb3; --two: #b3541e; --three: #2b7d53;
  --four: #7a4fa3; --five: #8a6d00; --six: #a33a5c; --seven: #00708a; --eight: #5f6b00; --nine: #a8329a; --ten: #6b4a33; --good: #2b7d53; --poor: #b3541e; --odd: #7a4fa3; --none: #808a97; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171b; --ink: #e4e8ed; --line: #3d444e; --one: #6aa8e8; --two: #e89a6a;
  --three: #66c394; --four: #bd97e3; --five: #d6b94a; --six: #e68aa8; --seven: #5cc3db; --eight: #b8c45a; --nine: #ea8fdb; --ten: #c7a58c; --good: #66c394; --poor: #e89a6a; --odd: #bd97e3; --none: #939dab; } }
body { background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem; }
h2 { margin-top: 2.5rem; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: 0.25rem 0.75rem 0.25rem 0; text-align: left; vertical-align: top; }
figure { margin: 1.5rem 0; }
figcaption { font-weight: 600; }
.wide { overflow-x: auto; }
svg { height: auto; max-width: 100%; }
`;

export async function renderReportPage(batches: readonly NamedBatch[], labels?: LabelFiles): Promise<string> {
  const named = nameArms(reportArms(batches), batches.length > 1);
  const parts: string[] = [];
  for (const section of sectionsOf(batches, labels)) {
    const drawn = [];
    for (const name of section.charts ?? []) drawn.push(await drawChart(name, named));
    parts.push(
      renderSection(
        section,
        drawn.filter((chart) => chart !== undefined),
      ),
    );
  }
  const hash = createHash("sha256").update(style).digest("base64");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Report of a benchmark</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Report of a benchmark</h1>
${parts.join("\n")}
</main>
</body>
</html>
`;
}

function renderSection(
  { title, texts = [], tables = [], list = [] }: Section,
  charts: readonly Chart[],
): string {
  return [
    ...(title === undefined ? [] : [`<h2>${escapeHtml(title)}</h2>`]),
    ...texts.map((text) => `<p>${escapeHtml(text)}</p>`),
    ...charts.map(renderChart),
    ...tables.map((table) => renderTable(table, title ?? "")),
    ...(list.length === 0 ? [] : [`<ul>${list.map((item) => `<li>${escapeHtml(item)}</li>`).join("")}</ul>`]),
  ].join("\n");
}

function renderChart({ title, svg, data }: Chart): string {
  const label = escapeHtml(title);
  return `<figure>
<figcaption>${label}</figcaption>
<div role="img" aria-label="${label}. The table below has its data.">${svg.replace("<svg ", '<svg aria-hidden="true" ')}</div>
<details><summary>The data of this chart</summary>${renderTable(data, title)}</details>
</figure>`;
}

/** Renders a table. Wide tables scroll, also by keyboard. */
function renderTable({ head, rows }: Table, name: string): string {
  const cells = rows.map(([first = "", ...others]) => {
    const rest = others.map((cell) => `<td>${escapeHtml(cell)}</td>`);
    return `<tr><th scope="row">${escapeHtml(first)}</th>${rest.join("")}</tr>`;
  });
  const heads = head.map((cell) => `<th scope="col">${escapeHtml(cell)}</th>`);
  return `<div class="wide" role="group" tabindex="0" aria-label="${escapeHtml(name)}"><table><thead><tr>${heads.join("")}</tr></thead><tbody>${cells.join("")}</tbody></table></div>`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}
