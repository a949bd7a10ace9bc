/** Splits a change into a fix and a test patch: by file, by hunk, and inside files by the syntax tree. */
import { compareTexts } from "../agent/code/change.ts";
import { layPatch } from "../bench/graded-tree.ts";
import { readTestRegions, type TestRegions } from "../judging/test-regions.ts";
import type { RegionSources } from "../judging/whole-files.ts";
import type { FileChange, TreeEntry, TreeStore } from "../workspace/contract.ts";
import { type Change, drop, keep, type Outcome, type Split } from "./contract.ts";
import { isDelivered } from "./delivered.ts";
import type { HistoryTrees } from "./history-trees.ts";
import { divideText } from "./split-text.ts";

export interface SizeLimits {
  /** Maximum number of source files that the fix changes. */
  readonly mostFiles: number;
  /** Maximum number of source lines that the fix adds and removes. */
  readonly mostLines: number;
}

interface Sides {
  readonly store: TreeStore;
  readonly base: string;
  readonly head: string;
}

/**
 * Splits a change into a test patch and a fix. Drops the change if it lacks tests or code, exceeds the limits, changes
 * a submodule, or fixes a binary file. Also drops it if both patches together do not give the change.
 */
export async function splitChange(
  change: Change,
  { store, treeOf, changed }: HistoryTrees,
  limits: SizeLimits,
): Promise<Outcome<Split>> {
  const sides = { store, base: await treeOf(change.base), head: await treeOf(change.commit) };
  const paths = await changed(sides.base, sides.head);
  if (paths.length === 0) return drop("empty", "the change has no files");
  if (paths.length > mostPaths)
    return drop("too-large", `the change has ${paths.length} files, and the limit is ${mostPaths}`);
  const submodule = await findSubmodule(sides, paths);
  if (submodule !== undefined)
    return drop(
      "submodule",
      `the change updates the submodule ${submodule}, and a clone does not contain the submodule's files`,
    );
  let reason = "";
  for (const examples of [true, false]) {
    const regions = await readRegions(sides, paths, examples);
    const divided = await divideFiles(sides, paths, regions);
    const outcome = judgeSize(divided, limits);
    if (outcome !== undefined) return outcome;
    const made = await makePatches(sides, divided);
    if (made.verdict === "kept" || !divided.hasExamples) return made;
    reason = made.detail;
  }
  return drop("overlap", reason);
}

const mostPaths = 200;

async function findSubmodule(
  { store, base, head }: Sides,
  paths: readonly string[],
): Promise<string | undefined> {
  const entries = [...(await store.list(base)), ...(await store.list(head))];
  const submodules = new Set(entries.filter(({ mode }) => mode === "160000").map(({ path }) => path));
  return paths.find((path) => submodules.has(path));
}

/**
 * Determines the test regions by names and syntax, because nothing has run yet. Documentation examples are tests if the
 * project's runner runs them.
 */
async function readRegions(sides: Sides, paths: readonly string[], examples: boolean): Promise<TestRegions> {
  const { store, head } = sides;
  const files = (await store.list(head)).map(({ path }) => path);
  const read = async (path: string) => (await store.read(head, path))?.toString("utf8");
  const outcomes = examples ? await documented(files, paths, read) : [];
  return readTestRegions({ files, read, outcomes, framework: undefined });
}

const pythonSettings = /^(?:pytest\.ini|pyproject\.toml|setup\.cfg|tox\.ini|\.github\/workflows\/[^/]+)$/;

async function documented(
  files: readonly string[],
  paths: readonly string[],
  read: RegionSources["read"],
): Promise<RegionSources["outcomes"]> {
  const key = (target: string, name: string) => ({ key: { package: "", target, name } });
  const rust = paths.some((path) => path.endsWith(".rs")) ? [key("doc:src/lib.rs", "")] : [];
  const settings = files.filter((path) => pythonSettings.test(path));
  const texts = await Promise.all(settings.map(read));
  if (!texts.some((text) => text?.includes("doctest-modules") === true)) return rust;
  const modules = paths.filter((path) => path.endsWith(".py"));
  return [...rust, ...modules.map((path) => key(path, moduleName(path)))];
}

function moduleName(path: string): string {
  return path.replace(/(?:\/__init__)?\.py$/, "").replaceAll("/", ".");
}

interface Divided {
  readonly tests: readonly FileChange[];
  readonly fix: readonly FileChange[];
  readonly codeFiles: readonly string[];
  readonly testFiles: readonly string[];
  readonly mixedFiles: readonly string[];
  readonly hunks: number;
  readonly lines: number;
  readonly hasExamples: boolean;
}

async function divideFiles(sides: Sides, paths: readonly string[], regions: TestRegions): Promise<Divided> {
  const { store, base, head } = sides;
  const entries = new Map((await store.list(head)).map((entry) => [entry.path, entry]));
  const [tests, fix]: [FileChange[], FileChange[]] = [[], []];
  const [codeFiles, testFiles, mixedFiles]: [string[], string[], string[]] = [[], [], []];
  let [hunks, lines] = [0, 0];
  let hasExamples = false;
  for (const path of paths) {
    const [before, after] = [await readText(store, base, path), await readText(store, head, path)];
    const whole = await takeWhole(store, head, entries.get(path), path);
    if (regions.isWhole(path)) {
      tests.push(whole);
      testFiles.push(path);
      continue;
    }
    const [spansBefore, spansAfter] = [
      await regions.spansIn(path, before ?? ""),
      await regions.spansIn(path, after ?? ""),
    ];
    const divided = divideText({ before: before ?? "", after: after ?? "", spansBefore, spansAfter });
    if (after !== undefined && divided.testHunks > 0) {
      hasExamples ||= [...spansBefore, ...spansAfter].some((span) => span.isExample === true);
      tests.push({ ...whole, content: divided.tests });
      testFiles.push(path);
      if (divided.fixHunks === 0) continue;
      mixedFiles.push(path);
      fix.push({ ...whole, content: divided.fix });
    } else {
      fix.push(whole);
    }
    if (!isDelivered(path)) continue;
    codeFiles.push(path);
    const compared = compareTexts(path, before, divided.testHunks > 0 ? divided.fix : after);
    hunks += compared.hunks.length;
    lines += compared.hunks.reduce(
      (sum, { beforeStart, beforeEnd, afterStart, afterEnd }) =>
        sum + beforeEnd - beforeStart + afterEnd - afterStart,
      0,
    );
  }
  return { tests, fix, codeFiles, testFiles, mixedFiles, hunks, lines, hasExamples };
}

async function readText(store: TreeStore, tree: string, path: string): Promise<string | undefined> {
  return (await store.read(tree, path))?.toString("utf8");
}

async function takeWhole(
  store: TreeStore,
  head: string,
  entry: TreeEntry | undefined,
  path: string,
): Promise<FileChange> {
  const content = entry === undefined ? undefined : await store.read(head, path);
  if (entry === undefined || content === undefined) return { path, content: null };
  return { path, content, mode: entry.mode === "100755" || entry.mode === "120000" ? entry.mode : "100644" };
}

function judgeSize(
  { codeFiles, testFiles, lines }: Divided,
  { mostFiles, mostLines }: SizeLimits,
): Outcome<never> | undefined {
  if (testFiles.length === 0) return drop("no-tests", "the change contains no test");
  if (codeFiles.length === 0) return drop("no-code", "the change contains only tests");
  if (codeFiles.length > mostFiles)
    return drop(
      "too-large",
      `the fix changes ${codeFiles.length} files of code, and the limit is ${mostFiles}`,
    );
  if (lines > mostLines)
    return drop("too-large", `the fix changes ${lines} lines of code, and the limit is ${mostLines}`);
  return undefined;
}

/** Makes both patches. The fix, applied to the tree with the tests, must give the change's own tree. */
async function makePatches({ store, base, head }: Sides, divided: Divided): Promise<Outcome<Split>> {
  const [testTree, fixTree] = [await store.write(base, divided.tests), await store.write(base, divided.fix)];
  const [testPatch, goldPatch] = [await store.diff(base, testTree), await store.diff(base, fixTree)];
  if (!/^(?:\+(?!\+\+ )|rename to |GIT binary patch$)/m.test(testPatch))
    return drop("no-tests", "the change only removes tests");
  if (/^GIT binary patch$/m.test(goldPatch)) return drop("binary", "the fix changes a binary file");
  const laid = await layPatch(store, { base, tests: testTree, gold: fixTree }, goldPatch);
  if (!laid.ok) return drop("overlap", `the fix does not apply to the base: ${laid.message}`);
  if (laid.value.tree !== head) {
    const differing = (await store.stat(laid.value.tree, head)).map(({ path }) => path);
    return drop("overlap", `tests and fix change the same lines of ${differing.slice(0, 3).join(", ")}`);
  }
  const { codeFiles, testFiles, mixedFiles, hunks, lines } = divided;
  return keep({
    ...{ goldPatch, testPatch, hunks, lines },
    ...{ codeFiles: [...codeFiles], testFiles: [...testFiles], mixedFiles: [...mixedFiles] },
  });
}
