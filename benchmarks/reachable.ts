/**
 * Counts the small fixes that the repair templates write, without running tests: `npm run bench:reachable -- FOLDER…`,
 * clones of public repositories. Draws fixes like `bench:unseen`. A fix is written if a proposal equals it apart from
 * comments, white space and braces. Its rank is its position in the stream of proposals (`reachable-rank.ts`). Prints a
 * table by language and, with `--list`, each fix. `--budget N` (default 500) is the number of candidates that a run
 * tries.
 */
import { parseArgs } from "node:util";
import { diffLines } from "../src/edit/line-diff.ts";
import { rankOfFix, type Writing } from "./reachable-rank.ts";
import { drawFixes, drawOptions, type Fix, readDraw } from "./unseen-draw.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...drawOptions,
    list: { type: "boolean", default: false },
    budget: { type: "string", default: "500" },
  },
});
const budget = Number(values.budget);

interface Row extends Writing {
  readonly fix: Fix;
}

function show({ before, after }: Fix): string {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const lines = diffLines(old, now, (line) => line).flatMap(({ fromStart, fromEnd, toStart, toEnd }) => [
    `@@ ${fromStart + 1}`,
    ...old.slice(Math.max(0, fromStart - 1), fromStart).map((line) => `  ${line}`),
    ...old.slice(fromStart, fromEnd).map((line) => `- ${line}`),
    ...now.slice(toStart, toEnd).map((line) => `+ ${line}`),
    ...old.slice(fromEnd, fromEnd + 1).map((line) => `  ${line}`),
  ]);
  return lines.join("\n");
}

function describe({ places, written, by, rank }: Row): string {
  if (by !== undefined) return `${by}, rank ${rank ?? "beyond the limit"}`;
  return written === 0 ? "not written" : `${written} of ${places} places written`;
}

/** Shares of fixes with one changed place and with two, by what stops them. */
function line(name: string, rows: readonly Row[]): string {
  const count = (is: (row: Row) => boolean): number => rows.filter(is).length;
  return [
    name,
    rows.length,
    count(({ places }) => places > 1),
    count(({ written }) => written === 0),
    count(({ by, written, places }) => by === undefined && written > 0 && written < places),
    count(({ by, written, places }) => by === undefined && written === places),
    count(({ by, rank }) => by !== undefined && (rank === undefined || rank > budget)),
    count(({ rank }) => rank !== undefined && rank <= budget),
  ].join(" | ");
}

const rows: Row[] = [];
for (const fix of drawFixes(positionals, readDraw(values))) {
  const row = { fix, ...(await rankOfFix(fix)) };
  if (row.places === 0) continue;
  rows.push(row);
  if (values.list)
    console.log(
      `\n${fix.repository} ${fix.commit.slice(0, 8)} ${fix.file}: ${describe(row)}\n${fix.subject}\n${show(fix)}`,
    );
}
console.log(
  `\nlanguage | fixes | in two places | not written | one of two places | both, in two edits | rank over ${budget} | rank up to ${budget}`,
);
for (const [language, own] of Map.groupBy(rows, ({ fix }) => fix.language)) console.log(line(language, own));
console.log(line("all", rows));
