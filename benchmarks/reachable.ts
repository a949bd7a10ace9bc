/**
 * Counts the small fixes that the repair templates can write, without running tests: `npm run bench:reachable --
 * FOLDER…`, clones of public repositories. Draws fixes like `bench:unseen`. A fix is reachable if a proposal at one of
 * its statements equals the fix apart from white space. Prints a table by language and, with `--list`, each fix that is
 * not reachable. The count limits the results of any ranking.
 */
import { parseArgs } from "node:util";
import { diffLines } from "../src/edit/line-diff.ts";
import { languageOf } from "../src/languages/source-files.ts";
import { openProposals } from "../src/repair/propose-repairs.ts";
import { drawFixes, drawOptions, type Fix, readDraw } from "./unseen-draw.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { ...drawOptions, list: { type: "boolean", default: false } },
});

interface Row {
  readonly fix: Fix;
  /** Changed places; a template changes one. */
  readonly hunks: number;
  /** The template that writes it. */
  readonly by: string | undefined;
}

async function readRow(fix: Fix): Promise<Row> {
  const { file, before, after } = fix;
  const hunks = diffLines(before.split("\n"), after.split("\n"), (line) => line);
  const language = languageOf(file);
  const proposals = language && (await openProposals({ file, text: before, language }));
  if (proposals === undefined) return { fix, hunks: hunks.length, by: undefined };
  const wanted = bare(after);
  // An insertion may be written at the statement before it.
  const lines = hunks.flatMap(({ fromStart, fromEnd }) =>
    Array.from({ length: Math.max(1, fromEnd - fromStart) + 2 }, (_, at) => fromStart + at),
  );
  const found = lines
    .flatMap((line) => proposals.propose({ file, startLine: line, endLine: line, score: 1 }))
    .find(
      ({ start, end, replacement }) =>
        bare(before.slice(0, start) + replacement + before.slice(end)) === wanted,
    );
  proposals.free();
  return { fix, hunks: hunks.length, by: found?.template };
}

function bare(text: string): string {
  return text.replaceAll(/\s+|;(?=\s*\n)/g, "");
}

function show({ before, after }: Fix): string {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const lines = diffLines(old, now, (line) => line).flatMap(({ fromStart, fromEnd, toStart, toEnd }) => [
    ...old.slice(fromStart, fromEnd).map((line) => `- ${line}`),
    ...now.slice(toStart, toEnd).map((line) => `+ ${line}`),
  ]);
  return lines.join("\n");
}

const rows: Row[] = [];
for (const fix of drawFixes(positionals, readDraw(values))) {
  const row = await readRow(fix);
  rows.push(row);
  if (values.list && row.by === undefined)
    console.log(`\n${fix.repository} ${fix.commit.slice(0, 8)} ${fix.file}\n${show(fix)}`);
}
console.log("\nlanguage | fixes | with one hunk | reachable");
for (const [language, own] of Map.groupBy(rows, ({ fix }) => fix.language))
  console.log(
    [
      language,
      own.length,
      own.filter(({ hunks }) => hunks === 1).length,
      own.filter(({ by }) => by).length,
    ].join(" | "),
  );
for (const { fix, by } of rows)
  if (by !== undefined) console.log(`${fix.repository} ${fix.commit.slice(0, 8)}: ${by}`);
