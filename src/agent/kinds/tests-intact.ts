/** Checks that a candidate does not change the repository's tests, because they judge it. */
import type { Predicate } from "../../domain/gate.ts";
import { diffLines } from "../../edit/line-diff.ts";
import type { TestRegions } from "../../judging/test-regions.ts";
import type { TreeStore } from "../../workspace/contract.ts";
import { changedFiles, splitTests, textOf } from "../code/changed-files.ts";
import { listTestBodies, textOfLines } from "../code/test-bodies.ts";
import { listSkips } from "../code/test-strength.ts";

export interface IntactRequest {
  readonly trees: Pick<TreeStore, "stat" | "read">;
  readonly regions: TestRegions;
  readonly base: string;
  readonly tree: string;
  /** True if the kind delivers tests. A patch may then add tests to existing test files, but must remove none. */
  readonly adds: boolean;
  /** Examples in the code that do not count, because the statement calls them wrong. */
  readonly wrong?: readonly WrongExample[];
}

export interface WrongExample {
  readonly path: string;
  /** The example's text in the base's version. */
  readonly text: string;
}

const mostNamed = 3;

export async function testsIntact(request: IntactRequest): Promise<Predicate> {
  const { wrong = [] } = request;
  const found = await findWeakened(request);
  const more = found.length > mostNamed ? ` and ${found.length - mostNamed} more` : "";
  return {
    predicate: "tests-intact",
    holds: found.length === 0,
    evidence:
      found.length === 0
        ? request.adds
          ? "the patch changes, removes or replaces no existing test"
          : `the patch changes no existing test${wrong.length === 0 ? "" : ", except wrong examples"}`
        : `the patch changes existing tests: ${found.slice(0, mostNamed).join(", ")}${more}`,
  };
}

/** Finds test files of the base that may check less on the tree. Without `adds`, every changed test file counts. */
export async function findWeakened(request: IntactRequest): Promise<string[]> {
  const { trees, regions, base, tree, adds, wrong = [] } = request;
  const { tests, inside } = await changedFiles(trees, regions, base, tree);
  const found: string[] = [];
  for (const path of [...tests, ...inside]) {
    const before = (await trees.read(base, path))?.toString("utf8");
    if (before === undefined) continue;
    const after = await textOf(trees, tree, path);
    const [old, now] = inside.includes(path)
      ? [(await splitTests(regions, path, before)).tests, (await splitTests(regions, path, after)).tests]
      : [before, after];
    if (old === "") continue;
    const own = wrong.filter((each) => each.path === path);
    if (own.length > 0 && (await changesOnly(regions, own, before, after))) continue;
    if (!adds || losesWords(path, old, now) || (await skipsOrRepeats(path, before, after))) found.push(path);
  }
  return found;
}

/** True if only these examples are missing, and the patch adds at most as many examples as it removes. */
async function changesOnly(
  regions: TestRegions,
  wrong: readonly WrongExample[],
  before: string,
  after: string,
): Promise<boolean> {
  const [{ path = "" } = {}] = wrong;
  const textsIn = async (text: string): Promise<string[]> =>
    (await regions.spansIn(path, text)).map(({ start, end }) => squeeze(text.slice(start, end)));
  const [old, now] = [await textsIn(before), await textsIn(after)];
  const may = new Set(wrong.map(({ text }) => squeeze(text)));
  const [gone, come] = [withoutThose(old, now), withoutThose(now, old)];
  return gone.every((text) => may.has(text)) && come.length <= gone.length;
}

/** Removes one occurrence of each text for each equal text in `others`. */
function withoutThose(texts: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return texts.filter((text) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function squeeze(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** Statements that import names, by the ends of files. A further name there leaves the tests as they are. */
const imports: readonly (readonly [RegExp, RegExp])[] = [
  [/\.py$/, /^[ \t]*from[ \t]+[\w.]+[ \t]+import[ \t]*(?:\([\w\s,]*\)|[\w ,]*)$/gm],
  [
    /\.[cm]?[jt]sx?$/,
    /^[ \t]*(?:import\b[\w$ ,]*\{[\w$\s,]*\}[ \t]*from\b|(?:const|let|var)[ \t]*\{[\w$\s,:]*\}[ \t]*=[ \t]*require\b)/gm,
  ],
  [/\.rs$/, /^[ \t]*(?:pub\s+)?use\s[\w:{}*,\s]*;/gm],
];

function losesWords(path: string, before: string, after: string): boolean {
  const importing = imports.find(([ending]) => ending.test(path))?.[1];
  const wordsOf = (text: string): string[] =>
    (importing === undefined
      ? text
      : text.replaceAll(importing, (names) => names.replaceAll(/[,;(){}]/g, " "))
    )
      .split(/\s+/)
      .filter((word) => word !== "");
  return diffLines(wordsOf(before), wordsOf(after), (word) => word).some(
    ({ fromStart, fromEnd }) => fromEnd > fromStart,
  );
}

/** True if the test file may check less than before: it lost words, skips more tests, or repeats a definition. */
export async function weakensTests(path: string, before: string, after: string): Promise<boolean> {
  return losesWords(path, before, after) || skipsOrRepeats(path, before, after);
}

/** Words that can keep the statements after them from running. */
const control =
  /^[({;]*(?:return|raise|throw|exit|die|abort|break|continue|goto|if|unless|while|until|try|begin)\b/;

/** True if words that can end an existing test stand before its old statements now, such as an early `return`. */
function endsEarly(before: string, after: string): boolean {
  const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "");
  const [old, now] = [wordsOf(before), wordsOf(after)];
  return diffLines(old, now, (word) => word).some(
    ({ fromEnd, toStart, toEnd }) =>
      now.slice(toStart, toEnd).some((word) => control.test(word)) &&
      old.slice(fromEnd).some((word) => /\w{2}/.test(word) && word !== "end"),
  );
}

/**
 * True if the new text skips more tests, ends an existing test early, or defines an existing test again. Only the later
 * definition then counts.
 */
async function skipsOrRepeats(path: string, before: string, after: string): Promise<boolean> {
  if (listSkips(after).length > listSkips(before).length) return true;
  const [old, now] = [await listTestBodies(path, before), await listTestBodies(path, after)];
  const count = (all: typeof old, name: string): number => all.filter((each) => each.path === name).length;
  const [lines, newLines] = [before.split("\n"), after.split("\n")];
  return old.some((body) => {
    if (count(now, body.path) > count(old, body.path)) return true;
    const same = now.find(({ path: name }) => name === body.path);
    if (same === undefined || count(old, body.path) > 1) return false;
    return endsEarly(textOfLines(lines, body), textOfLines(newLines, same));
  });
}
