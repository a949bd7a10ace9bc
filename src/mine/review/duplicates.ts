/** Finds near-duplicates: backports and cherry-picks make the same change again, and two requests may fix one issue. */
import { hashData } from "../../base/hash.ts";
import type { Change, Split } from "../contract.ts";
import { jaccard } from "./jaccard.ts";
import { changedLines, linesOfFiles } from "./patch-lines.ts";

/**
 * Returns a fix's key. Two fixes have the same key if they add and remove the same lines, even at different places.
 */
export function patchKey({ goldPatch, codeFiles }: Pick<Split, "goldPatch" | "codeFiles">): string {
  const { added, removed } = changedLines(goldPatch, codeFiles);
  const plain = (line: string): string => line.replaceAll(/\s+/g, " ");
  return hashData([added.map(plain).sort(), removed.map(plain).sort()]);
}

const leastLikeness = 0.9;
/** Minimum number of words to compare. Shorter texts are similar by chance. */
const leastWords = 12;

/**
 * Returns true for texts with nearly the same sequences of three words (Jaccard index). Returns false for short texts,
 * because they may be similar by chance.
 */
export function sameStatement(a: Pick<Change, "statement">, b: Pick<Change, "statement">): boolean {
  const [one, other] = [shingles(a.statement), shingles(b.statement)];
  if (one.size < leastWords || other.size < leastWords) return false;
  const shared = [...one].filter((each) => other.has(each)).length;
  return shared / (one.size + other.size - shared) >= leastLikeness;
}

function shingles(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\d_]+/gu) ?? [];
  return new Set(words.slice(2).map((_, at) => words.slice(at, at + 3).join(" ")));
}

export interface Compared {
  readonly change: Pick<Change, "statement" | "statementFrom">;
  readonly split: Pick<Split, "basePatch" | "goldPatch" | "testPatch" | "codeFiles" | "testFiles">;
  /** Reads a file of the base; undefined if the base lacks it. */
  readBase(path: string): Promise<string | undefined>;
}

/** Returns the reason why two tasks are duplicates; undefined if they are not. */
export async function sameTask(one: Compared, other: Compared): Promise<string | undefined> {
  if (patchKey(one.split) === patchKey(other.split)) return "the same fix";
  const areIssues = one.change.statementFrom === "issue" && other.change.statementFrom === "issue";
  if (areIssues && sameStatement(one.change, other.change)) return "the same statement";
  if (one.split.basePatch !== undefined || other.split.basePatch !== undefined) return undefined;
  const alike = alikeness(one, other) ?? (await samePlace(one, other));
  if (alike === undefined) return undefined;
  // A later change in the style of an earlier one is built on it.
  if ((await hasFix(one, other)) || (await hasFix(other, one))) return undefined;
  return alike;
}

/** Minimum shares of equal tokens. Fixes and tests with fewer than `size` tokens are similar by chance. */
const least = { fix: 0.8, fixWithMore: 0.5, tests: 0.7, testsWithMore: 0.45, anyFix: 0.25, size: 6 };
/** The same for fixes with other names. Only long fixes count, because short ones often have the same form. */
const leastRenamed = { fix: 0.9, size: 20 };

/**
 * Describes the similarity of two tasks' texts, regardless of layout and of the fixes' own names. Undefined if the
 * tasks differ enough, or if their fixes share no code file.
 */
export function alikeness(one: Compared, other: Compared): string | undefined {
  if (!one.split.codeFiles.some((path) => other.split.codeFiles.some((each) => each === path)))
    return undefined;
  const fixes = [fixOf(one), fixOf(other)] as const;
  const [fix, tests] = [likeness(...fixes), likeness(testsOf(one), testsOf(other))];
  if (fix >= least.fix) return `${percent(fix)} of the fix is equal`;
  const renamed = fix < least.anyFix ? 0 : likenessRenamed(...fixes);
  if (renamed >= leastRenamed.fix) return `${percent(renamed)} of the fix is equal, apart from names`;
  const isBoth = fix >= least.fixWithMore && tests >= least.testsWithMore;
  if (isBoth || (fix >= least.anyFix && tests >= least.tests))
    return `${percent(fix)} of the fix and ${percent(tests)} of the tests are equal`;
  return undefined;
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

function fixOf({ split }: Compared): string[] {
  const { added, removed } = changedLines(split.goldPatch, split.codeFiles);
  return [...tokensIn(added).map((token) => `+${token}`), ...tokensIn(removed).map((token) => `-${token}`)];
}

function testsOf({ split }: Compared): string[] {
  return tokensIn(changedLines(split.testPatch, split.testFiles).added);
}

/** Splits lines into tokens. `unless a` and `if !a` have equal tokens; comments and punctuation marks have none. */
function tokensIn(lines: readonly string[]): string[] {
  const code = lines.filter((line) => !/^(?:#(?!\[)|\/\/|\*|\/\*|"""|''')/.test(line));
  const same = code.map((line) => line.replaceAll(/\bunless\b/g, "if !").replaceAll(/\bnot /g, "!"));
  return same.flatMap((line) => line.match(/\w+|[^\w\s()[\]{},;.:"'`]+/g) ?? []);
}

function likeness(one: readonly string[], other: readonly string[]): number {
  return Math.min(one.length, other.length) < least.size ? 0 : jaccard(one, other);
}

/** Compares two fixes after numbering the names that only one of them has, in their order. */
function likenessRenamed(one: readonly string[], other: readonly string[]): number {
  if (Math.min(one.length, other.length) < leastRenamed.size) return 0;
  const numbered = (own: readonly string[], others: ReadonlySet<string>): string[] => {
    const names = new Map<string, number>();
    return own.map((token) => {
      if (others.has(token) || !/^[+-][A-Za-z_]\w*$/.test(token)) return token;
      const number = names.get(token) ?? names.size;
      names.set(token, number);
      return `name ${number}`;
    });
  };
  return jaccard(numbered(one, new Set(other)), numbered(other, new Set(one)));
}

const leastKnown = 0.5;

/** True if the base of `later` has the fix of `earlier`. */
async function hasFix(earlier: Compared, later: Compared): Promise<boolean> {
  const { codeFiles, goldPatch } = earlier.split;
  const { added, removed } = changedLines(goldPatch, codeFiles);
  const texts = await Promise.all(codeFiles.map((path) => later.readBase(path)));
  const lines = new Set(texts.flatMap((text) => (text ?? "").split("\n")).map((line) => line.trim()));
  const before = new Set(removed);
  const telling = added.filter((line) => /\w/.test(line) && !before.has(line));
  const known = telling.filter((line) => lines.has(line));
  return telling.length > 0 && known.length >= leastKnown * telling.length;
}

/** Minimum number of characters of a line that identifies a place. Shorter lines are in many places. */
const leastPlace = 16;

/** Tells the place that both fixes change: a line that both bases have once. */
async function samePlace(one: Compared, other: Compared): Promise<string | undefined> {
  for (const path of one.split.codeFiles.filter((each) => other.split.codeFiles.includes(each))) {
    const touched = new Set(touchedLines(other.split.goldPatch, path));
    const shared = touchedLines(one.split.goldPatch, path).filter(
      (line) => line.length >= leastPlace && touched.has(line),
    );
    const bases = await Promise.all([one, other].map((each) => each.readBase(path)));
    const isUnique = (line: string): boolean =>
      bases.every((text) => text?.split("\n").filter((each) => each.trim() === line).length === 1);
    const place = shared.find(isUnique);
    if (place !== undefined) return `another fix of the same line of ${path}: ${place.slice(0, 60)}`;
  }
  return undefined;
}

/** Returns the lines that a patch replaces, and the lines after which it adds lines. Blank lines do not count. */
function touchedLines(patch: string, wanted: string): string[] {
  const touched: string[] = [];
  let before = "";
  for (const line of linesOfFiles(patch, [wanted])) {
    if (/^(?:index |\+\+\+ |--- |@@)/.test(line)) continue;
    if (line.startsWith("-")) touched.push(line.slice(1).trim());
    else if (line.startsWith("+") && before.startsWith(" ")) touched.push(before.trim());
    if (/^[-+]/.test(line) || line.trim() !== "") before = line;
  }
  return touched;
}
