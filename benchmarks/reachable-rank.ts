/** Finds a fix among the proposals of its file, as the search streams them when localisation found its function. */
import { diffLines, type LineChange } from "../src/edit/line-diff.ts";
import { languageOf } from "../src/languages/source-files.ts";
import type { Proposal } from "../src/repair/proposal.ts";
import { streamProposals } from "../src/repair/proposal-stream.ts";
import { openProposals, type Suspect } from "../src/repair/propose-repairs.ts";
import { listStrongDoubts } from "../src/repair/rank-plausible.ts";
import { readTestWords } from "../src/repair/test-words.ts";
import { dialectOf } from "../src/syntax/dialects/index.ts";
import { nodeAt, parseSyntax } from "../src/syntax/node.ts";
import { functionAbove, type Statement, statementsOf } from "../src/syntax/statements.ts";
import type { Fix } from "./unseen-draw.ts";

export interface Writing {
  /** Changed places; changes of comments and white space do not count. */
  readonly places: number;
  /** Those that one proposal changes as the fix does. */
  readonly written: number;
  /** The template that writes the whole fix. */
  readonly by: string | undefined;
  /** The fix's position in the stream, from 1. Undefined beyond `mostCandidates`. */
  readonly rank: number | undefined;
}

/** Like those of `search-repair`. */
const mostStatements = 150;
const mostCandidates = 4000;
const lastResort = 0.5;
/** The suspiciousness of statements outside of the fix's functions. */
const elsewhere = 0.5;

export async function rankOfFix(fix: Fix): Promise<Writing> {
  const { file, before, after } = fix;
  const language = languageOf(file);
  const changes = codeChanges(before, after);
  const nothing = { places: changes.length, written: 0, by: undefined, rank: undefined };
  if (language === undefined) return nothing;
  const words = readTestWords([fix.tests], []);
  const open = async () => openProposals({ file, text: before, language, words, atEqualPlaces: true });
  const proposals = await open();
  if (proposals === undefined) return nothing;
  const near = changes
    .flatMap(linesAround)
    .flatMap((line) => proposals.propose({ file, startLine: line, endLine: line, score: 1 }))
    // As the stream does.
    .filter((proposal) => proposals.accepts(proposal));
  proposals.free();
  const written = changes.filter((change) => near.some(isChange(before, after, [change]))).length;
  const isWhole = isChange(before, after, changes);
  const by = near.find(isWhole)?.template;
  if (by === undefined) return { ...nothing, written };
  const suspects = await listSuspects(fix, changes);
  const rank = await rankIn(streamProposals({ suspects, open, weigh: weighIn(before) }), isWhole);
  return { places: changes.length, written: changes.length, by, rank };
}

/** An insertion may be written at the statement before it. */
function linesAround({ fromStart, fromEnd }: LineChange): number[] {
  return Array.from({ length: Math.max(1, fromEnd - fromStart) + 2 }, (_, at) => fromStart + at);
}

function codeChanges(before: string, after: string): LineChange[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  return diffLines(old, now, (line) => line).filter(
    ({ fromStart, fromEnd, toStart, toEnd }) =>
      bare(old.slice(fromStart, fromEnd).join("\n")) !== bare(now.slice(toStart, toEnd).join("\n")),
  );
}

/** The text with some of the changes. */
function partly(before: string, after: string, changes: readonly LineChange[]): string {
  const [lines, now] = [before.split("\n"), after.split("\n")];
  for (const { fromStart, fromEnd, toStart, toEnd } of changes.toReversed())
    lines.splice(fromStart, fromEnd - fromStart, ...now.slice(toStart, toEnd));
  return lines.join("\n");
}

/** Tells whether a proposal makes the same change as these changes of lines. Compares only the lines around them. */
function isChange(
  before: string,
  after: string,
  changes: readonly LineChange[],
): (proposal: Proposal) => boolean {
  const [first, last] = [changes[0], changes.at(-1)];
  if (first === undefined || last === undefined) return () => false;
  const lines = before.split("\n");
  const offsetOf = (line: number): number => lines.slice(0, Math.max(0, line)).join("\n").length;
  const [from, to] = [offsetOf(first.fromStart - 2), offsetOf(Math.min(lines.length, last.fromEnd + 2))];
  const wanted = partly(before, after, changes);
  const now = bare(wanted.slice(from, to + wanted.length - before.length));
  return ({ start, end, replacement }) =>
    from <= start &&
    end <= to &&
    bare(before.slice(from, start) + replacement + before.slice(end, to)) === now;
}

const comments = /\/\*[\s\S]*?\*\/|(?<![:"'\\/])\/\/[^\n]*|(?<![\w"'&\\$])#(?![\w[{!])[^\n]*/g;

function bare(text: string): string {
  return text
    .replaceAll(comments, "")
    .replaceAll(/\s+|;(?=\s*(?:\n|\}))|[{}]/g, "")
    .replaceAll(/,(?=[)\]])/g, "");
}

async function listSuspects(fix: Fix, changes: readonly LineChange[]): Promise<Suspect[]> {
  const { file, before } = fix;
  const language = languageOf(file);
  const dialect = language && dialectOf(language.name);
  if (language === undefined || dialect === undefined) return [];
  const tree = await parseSyntax(language.grammar(file.slice(file.lastIndexOf("."))), before);
  const source = { file, tree, dialect };
  const lines = before.split("\n");
  const starts = changes.map(({ fromStart }) => lines.slice(0, fromStart).join("\n").length + 1);
  const homes = new Set(
    starts.map((start) => {
      const indent = /^\s*/.exec(before.slice(start))?.[0].length ?? 0;
      return functionAbove(source, nodeAt(tree.root, start + indent, start + indent + 1));
    }),
  );
  const distance = ({ startLine }: Statement): number =>
    Math.min(...changes.map(({ fromStart }) => Math.abs(startLine - fromStart - 1)));
  return statementsOf(source)
    .sort((a, b) => distance(a) - distance(b))
    .map((statement) => {
      const home = functionAbove(source, statement.node);
      const isHome = home === undefined ? homes.has(undefined) && distance(statement) < 20 : homes.has(home);
      const { startLine, endLine } = statement;
      return { file, startLine, endLine, score: isHome ? 1 : elsewhere };
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, mostStatements);
}

function weighIn(text: string): (proposal: Proposal) => Proposal {
  return (proposal) =>
    listStrongDoubts(text, proposal).length === 0
      ? proposal
      : { ...proposal, prior: lastResort * proposal.prior };
}

async function rankIn(
  stream: AsyncGenerator<Proposal, void, void>,
  isWhole: (proposal: Proposal) => boolean,
): Promise<number | undefined> {
  let rank = 0;
  for await (const proposal of stream) {
    rank += 1;
    if (rank > mostCandidates) return undefined;
    if (isWhole(proposal)) return rank;
  }
  return undefined;
}
