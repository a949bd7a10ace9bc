/** Lists mutants: single small faults in the lines that a change wrote. A good test of these lines notices them. */

import type { Language } from "../../languages/contract.ts";
import { languageOf } from "../../languages/source-files.ts";
import { type FileProposals, openProposals } from "../../repair/propose-repairs.ts";
import { templates } from "../../repair/templates/index.generated.ts";
import { eraseTypes } from "../../syntax/erase-types.ts";
import { normalKey } from "../../syntax/normal-form.ts";
import { readSource } from "../../syntax/read-source.ts";
import type { Hunk } from "../code/change.ts";

export interface Mutant {
  readonly file: string;
  readonly line: number;
  /** For people: the mutated line, such as `` `if (a <= b) {` instead ``, or the effect on the line. */
  readonly description: string;
  /** The text to mutate, and the offsets of the span that `replacement` replaces. */
  readonly base: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

export interface MutatedPlace {
  readonly file: string;
  readonly text: string;
  readonly language: Pick<Language, "name" | "grammar">;
  /** Millwright mutates only code that begins on these lines. */
  readonly lines: ReadonlySet<number>;
  /**
   * The hunks of the change, and the text before it. If there are several hunks, some mutants revert a single hunk.
   */
  readonly hunks?: { readonly before: string; readonly list: readonly Hunk[] };
}

/**
 * The repair templates that are common mutation operators. Operators with few equivalent mutants come first (sufficient
 * operators: Offutt et al., TOSEM 1996, plus removal of statements).
 */
const operators = [
  "negate-condition",
  "comparison-operator",
  "boolean-operator",
  "remove-statement",
  "arithmetic-operator",
  "drop-operand",
  "return-value",
  "constant-flip",
  "integer-literal",
  "off-by-one",
];
const mutators = templates.filter(({ name }) => operators.includes(name));

/**
 * Lists at most `most` mutants. At most a third of the mutants revert a hunk. If there is only one hunk, no mutant
 * reverts it. The others come from the lines: the first mutant of each line, then the second, and so on. The order
 * depends only on the texts.
 */
export async function listMutants(places: readonly MutatedPlace[], most: number): Promise<Mutant[]> {
  const changesMeaning = meaningOf();
  const mostReverted = Math.ceil(most / 3);
  const reverted: Mutant[] = [];
  // Two hunks are enough to know that there are several.
  const enough = Math.max(2, mostReverted);
  for (const mutant of revertHunks(places).take(spare * enough)) {
    if (await changesMeaning(mutant)) reverted.push(mutant);
    if (reverted.length >= enough) break;
  }
  const whole = reverted.length > 1 ? reverted.slice(0, mostReverted) : [];
  const taken = new Set(whole.map(keyOf));
  const byLine: Mutant[][] = [];
  for (const place of places) byLine.push(...(await mutateFirst(place, spare * most)));
  const isNew = async (mutant: Mutant): Promise<boolean> => {
    const key = keyOf(mutant);
    if (taken.has(key) || !(await changesMeaning(mutant))) return false;
    taken.add(key);
    return true;
  };
  return [...whole, ...(await takeInTurn(byLine, most - whole.length, isNew))];
}

/**
 * Returns a function that is false for mutants of comments, documentation, layout and annotations, because no test can
 * notice them. The function parses each base text once.
 */
function meaningOf(): (mutant: Mutant) => Promise<boolean> {
  const keys = new Map<string, Promise<string>>();
  return async (mutant) => {
    const { file, base } = mutant;
    const known = keys.get(base) ?? runningKey(file, base);
    keys.set(base, known);
    return (await runningKey(file, mutatedText(mutant))) !== (await known);
  };
}

/** Returns a key of the code that runs: equal for texts that differ only in comments, layout or types. */
export async function runningKey(file: string, text: string): Promise<string> {
  const source = await readSource(file, text, languageOf);
  return normalKey(file, source === undefined ? text : eraseTypes(source));
}

/** Returns a key of the mutated file. */
function keyOf(mutant: Mutant): string {
  return `${mutant.file}\n${mutatedText(mutant)}`;
}

/** Yields mutants that each revert one hunk. Makes them on demand, because a patch may have hundreds of hunks. */
function* revertHunks(places: readonly MutatedPlace[]): Generator<Mutant> {
  for (const { file, text, hunks } of places) {
    if (hunks === undefined) continue;
    const before = splitLines(hunks.before);
    const after = splitLines(text);
    for (const { beforeStart, beforeEnd, afterStart, afterEnd } of hunks.list)
      yield {
        file,
        line: afterStart,
        description: `the change of line ${afterStart}${afterEnd - afterStart > 1 ? ` to line ${afterEnd - 1}` : ""} is reverted`,
        base: text,
        start: after.slice(0, afterStart - 1).join("").length,
        end: after.slice(0, afterEnd - 1).join("").length,
        replacement: before.slice(beforeStart - 1, beforeEnd - 1).join(""),
      };
  }
}

/** Splits a text into lines, each with its line break. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Lines or hunks to examine for each requested mutant, because some mutants do not change the program's meaning. */
const spare = 4;
/** Number of lines to mutate at once. */
const mostLines = 200;

/**
 * Mutates the first lines until `enough` lines have mutants, because a patch may write thousands of lines. Opens the
 * file once, so that a statement of several lines is mutated once.
 */
async function mutateFirst(place: MutatedPlace, enough: number): Promise<Mutant[][]> {
  const { file, text, language } = place;
  const proposals = await openProposals({ file, text, language, templates: mutators });
  if (proposals === undefined) return [];
  const lines = [...place.lines];
  const found: Mutant[][] = [];
  try {
    for (let at = 0; at < lines.length && found.length < enough; at += mostLines)
      found.push(...mutateLines(place, lines.slice(at, at + mostLines), proposals));
  } finally {
    proposals.free();
  }
  return found;
}

/** The mutants of each line. Mutants that tests probably notice come first. */
function mutateLines(
  { file, text, lines }: MutatedPlace,
  some: readonly number[],
  proposals: FileProposals,
): Mutant[][] {
  const suspects = some.map((line) => ({ file, startLine: line, endLine: line, score: 1 }));
  const proposed = suspects.flatMap((suspect) => proposals.propose(suspect).filter(proposals.accepts));
  const found = proposed
    .map(({ template, description, start, end, replacement }) => ({
      rank: operators.indexOf(template),
      mutant: { file, line: lineAt(text, start), description, base: text, start, end, replacement },
    }))
    .map(({ rank, mutant }) => ({ rank, mutant: { ...mutant, description: describeLine(mutant) } }))
    .filter(({ mutant }) => lines.has(mutant.line) || lines.has(lineAt(text, mutant.end - 1)))
    .filter(({ mutant }) => !isSameQuestion(text.slice(mutant.start, mutant.end), mutant.replacement))
    .sort((a, b) => a.mutant.line - b.mutant.line || a.rank - b.rank || a.mutant.start - b.mutant.start);
  const groups = Map.groupBy(found, ({ mutant }) => mutant.line);
  return [...groups.values()].map((group) => spreadOperators(group).map(({ mutant }) => mutant));
}

const longestLine = 120;

/** The mutated line if it still exists, or else a description of the change. */
function describeLine(mutant: Mutant): string {
  const { base, start, end, replacement, description } = mutant;
  const from = base.lastIndexOf("\n", start - 1) + 1;
  const to = base.indexOf("\n", end);
  const line = `${base.slice(from, start)}${replacement}${base.slice(end, to < 0 ? base.length : to)}`.trim();
  if (line === "" || line.includes("\n") || line.length > longestLine) return description;
  return base.slice(start, end).includes("\n") ? description : `\`${line}\` instead`;
}

/**
 * True if the mutant only exchanges `a is b` and `a == b`. These differ for few values, so tests need not notice it.
 */
function isSameQuestion(before: string, after: string): boolean {
  const plain = (code: string): string =>
    code.replaceAll(/!==|\bis\s+not\b/g, "!=").replaceAll(/===|\bis\b/g, "==");
  return plain(before) === plain(after);
}

/** Takes the first mutant of each operator, then the second, and so on. */
function spreadOperators<T extends { readonly rank: number }>(group: readonly T[]): T[] {
  const byRank = [...Map.groupBy(group, ({ rank }) => rank).values()];
  const longest = Math.max(0, ...byRank.map(({ length }) => length));
  const rounds = Array.from({ length: longest }, (_, round) => byRank.flatMap((own) => own[round] ?? []));
  return rounds.flat();
}

/**
 * Takes the first accepted item of each group, then the second, and so on, up to `most` items. Calls `holds` only until
 * then.
 */
export async function takeInTurn<T>(
  groups: readonly (readonly T[])[],
  most: number,
  holds: (item: T) => Promise<boolean> = async () => true,
): Promise<T[]> {
  const taken: T[] = [];
  let left = groups.map((group) => [...group]);
  while (left.length > 0) {
    for (const group of left) {
      let item = taken.length < most ? group.shift() : undefined;
      while (item !== undefined && !(await holds(item))) item = group.shift();
      if (item !== undefined) taken.push(item);
    }
    left = taken.length < most ? left.filter(({ length }) => length > 0) : [];
  }
  return taken;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

export function mutatedText({ base, start, end, replacement }: Mutant): string {
  return base.slice(0, start) + replacement + base.slice(end);
}
