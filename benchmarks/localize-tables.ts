/** Tables of the localisation benchmark. */
import { hashText } from "../src/base/hash.ts";
import { formulas, ochiai } from "../src/localize/formulas.ts";
import { type Summary, summarize } from "./localize-metrics.ts";
import { type CasePlacement, type PreparedCase, placeCase, variants } from "./localize-variants.ts";

const columns = ["top 1", "top 5", "top 10", "MAP", "MRR"];

export function renderTables(cases: readonly PreparedCase[]): string {
  const lines: string[] = [`${cases.length} faults`, ""];
  const rows: string[][] = [["signs", "formula", ...prefix("stmt"), ...prefix("func")]];
  for (const variant of variants) {
    for (const formula of formulas) {
      const placed = cases.map((each) => placeCase(each, formula, variant.weights));
      rows.push([variant.name, formula.name, ...figures(placed)]);
    }
  }
  lines.push(...layOut(rows), "");
  const languages = [...new Set(cases.map(({ measured }) => measured.case.language))].sort();
  const perLanguage = [["language", "faults", ...prefix("stmt"), ...prefix("func")]];
  for (const language of languages) {
    const own = cases.filter(({ measured }) => measured.case.language === language);
    const placed = own.map((each) => placeCase(each, ochiai, undefined));
    perLanguage.push([language, String(own.length), ...figures(placed)]);
  }
  lines.push(`${ochiai.name}, with all signs, per language`, "", ...layOut(perLanguage), "");
  lines.push(
    `${ochiai.name}, by halves of the cases (by a hash of their ids)`,
    "",
    ...layOut(byHalves(cases)),
  );
  return `${lines.join("\n")}\n`;
}

/** Weights are chosen on the first half and judged on the second. */
function byHalves(cases: readonly PreparedCase[]): string[][] {
  const rows = [["half", "signs", "faults", ...prefix("stmt"), ...prefix("func")]];
  for (const half of [0, 1]) {
    const own = cases.filter(({ measured }) => halfOf(measured.case.id) === half);
    for (const variant of [variants[0], variants.at(-1)]) {
      const placed = own.map((each) => placeCase(each, ochiai, variant?.weights));
      rows.push([String(half + 1), variant?.name ?? "", String(own.length), ...figures(placed)]);
    }
  }
  return rows;
}

function halfOf(id: string): number {
  return Number.parseInt(hashText(id).slice(0, 2), 16) % 2;
}

/** One line for each case: the rank of its statement and function by the formula alone, and with everything. */
export function renderDetails(cases: readonly PreparedCase[]): string {
  const rows = [["case", "statements", "by formula", "function", "with all", "function", "s", "MiB"]];
  for (const each of cases) {
    const { measured, signs } = each;
    const alone = placeCase(each, ochiai, variants[0]?.weights);
    const both = placeCase(each, ochiai, undefined);
    rows.push([
      measured.case.id,
      String(signs.program.statements.length),
      rank(alone.statement.first),
      rank(alone.function.first),
      rank(both.statement.first),
      rank(both.function.first),
      (measured.durationMs / 1000).toFixed(0),
      (measured.peakBytes / 2 ** 20).toFixed(0),
    ]);
  }
  return `${layOut(rows).join("\n")}\n`;
}

function rank(first: number | undefined): string {
  return first === undefined ? "–" : String(Math.round(first * 10) / 10);
}

function prefix(what: string): string[] {
  return columns.map((column) => `${what} ${column}`);
}

function figures(placed: readonly CasePlacement[]): string[] {
  return [
    ...cells(summarize(placed.map(({ statement }) => statement))),
    ...cells(summarize(placed.map((each) => each.function))),
  ];
}

function cells({ top1, top5, top10, map, mrr }: Summary): string[] {
  return [String(top1), String(top5), String(top10), map.toFixed(3), mrr.toFixed(3)];
}

function layOut(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
