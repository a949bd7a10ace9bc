/**
 * Counts true fixes at the place that their statement names, or in code that this place uses: `npm run
 * bench:stated-places -- FOLDER…`, clones of public repositories. A seed draws small fixes (`--seed`, `--repositories`,
 * `--each`, `--since` as in `bench:unseen`). The commit's message is the statement. For comparison, prints the share of
 * the repository's other functions at such places: a rule that finds all functions is useless.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findStatedPlaces } from "../src/agent/measure/stated-places.ts";
import { diffLines } from "../src/edit/line-diff.ts";
import type { CodeGraph } from "../src/graph/contract.ts";
import { openTaskIndex } from "./retrieval-index.ts";
import { drawFixes, drawOptions, type Fix, git, readDraw } from "./unseen-draw.ts";

const { values, positionals } = parseArgs({ allowPositionals: true, options: drawOptions });
const work = mkdtempSync(join(tmpdir(), "stated-places-"));

function changedLines({ before, after }: Fix): number[] {
  const changes = diffLines(before.split("\n"), after.split("\n"), (line) => line);
  return changes.map(({ fromStart, fromEnd }) => Math.min(fromStart + 1, Math.max(fromEnd, 1)));
}

/** Of at most so many functions outside of tests. */
function shareOfOthers(graph: CodeGraph, reach: (path: string, line: number) => boolean): number {
  const functions = graph
    .files()
    .filter(({ isTest, language }) => !isTest && language !== "")
    .flatMap(({ path }) => graph.outline(path))
    .filter(({ kind, inTests }) => !inTests && (kind === "function" || kind === "method"));
  return functions.filter(({ path, startLine }) => reach(path, startLine)).length / (functions.length || 1);
}

const shares: number[] = [];
let [tried, named, reached] = [0, 0, 0];
try {
  for (const fix of drawFixes(positionals, readDraw(values))) {
    const statement = git(fix.folder, "log", "-1", "--format=%B", fix.commit);
    const index = await openTaskIndex(fix.folder, `${fix.commit}^`, join(work, fix.repository));
    const { graph } = index;
    tried += 1;
    const stated = findStatedPlaces(graph, statement);
    if (stated !== undefined) {
      named += 1;
      const isReached = changedLines(fix).some((line) => stated.reach(fix.file, line));
      reached += Number(isReached);
      const share = shareOfOthers(graph, stated.reach);
      shares.push(share);
      const said = [
        fix.repository,
        fix.commit.slice(0, 8),
        isReached ? "reached" : "NOT REACHED",
        share.toFixed(2),
      ];
      console.log([...said, fix.subject, stated.names.slice(0, 6).join(" ")].join("\t"));
    }
    index.close();
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
const mean = shares.reduce((sum, share) => sum + share, 0) / (shares.length || 1);
console.log(
  `${tried} fixes; the statement of ${named} names a place. ${reached} of these fixes are there or in code that it uses, as are ${(100 * mean).toFixed(0)} % of all functions`,
);
