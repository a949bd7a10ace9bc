/**
 * Builds the trees of a task: the base, the base with the test patch, and the base with the test patch and a
 * candidate's changes. A candidate's changes to the tests do not count.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { wholeOutput } from "../base/captured-output.ts";
import { runProcess } from "../base/process.ts";
import { fail, type Result, succeed } from "../base/result.ts";
import { isTestFile } from "../languages/source-files.ts";
import type { FileChange, TreeEntry, TreeStore } from "../workspace/contract.ts";
import type { HiddenPart } from "./task.ts";

export interface TaskTrees {
  readonly base: string;
  /** The base with the test patch. */
  readonly tests: string;
  /** The base with the gold patch but without the tests: shows which files a fix changes. */
  readonly gold: string;
  /** The base with the test patch and the patch of the extra tests; equal to `tests` without such a patch. */
  readonly extra: string;
}

/**
 * Builds the trees of a task that exist without a candidate. Fails if the test patch, the gold patch or the
 * patch of the extra tests does not apply.
 */
export async function buildTaskTrees(
  trees: TreeStore,
  base: string,
  patches: Pick<HiddenPart, "testPatch" | "goldPatch" | "extra">,
): Promise<Result<TaskTrees, "patch-rejected">> {
  const [tests, gold] = await Promise.all([
    trees.apply(base, patches.testPatch),
    trees.apply(base, patches.goldPatch),
  ]);
  if (!tests.ok) return fail("patch-rejected", `the test patch does not apply: ${tests.message}`);
  if (!gold.ok) return fail("patch-rejected", `the gold patch does not apply: ${gold.message}`);
  const more = patches.extra?.patch;
  const extra = more === undefined ? tests : await trees.apply(tests.value, more);
  if (!extra.ok)
    return fail("patch-rejected", `the patch of the extra tests does not apply: ${extra.message}`);
  return succeed({ base, tests: tests.value, gold: gold.value, extra: extra.value });
}

export interface GradedTree {
  readonly tree: string;
  /** Files whose changes by the patch were ignored because they belong to the tests. */
  readonly restored: readonly string[];
}

/**
 * Applies the patch to the base, and copies its changes to the tree with the test patch. A file in the test patch keeps
 * the test patch's version. If the gold patch also changes such a file (tests inside sources), merges the patch's
 * changes with the test patch's. In a conflict, the test patch's lines win. Ignores changes to other test files, unless
 * the gold patch changes the same file.
 */
export async function layPatch(
  store: TreeStore,
  trees: Omit<TaskTrees, "extra">,
  patch: string,
): Promise<Result<GradedTree, "patch-rejected">> {
  const applied = await store.apply(trees.base, patch);
  return applied.ok ? succeed(await layTree(store, trees, applied.value)) : applied;
}

/** Copies the changes of a patched base to the tree with the test patch, as `layPatch` does. */
export async function layTree(
  store: TreeStore,
  trees: Omit<TaskTrees, "extra">,
  patched: string,
): Promise<GradedTree> {
  const [base, tests, gold, wanted] = await Promise.all(
    [trees.base, trees.tests, trees.gold, patched].map((tree) => listTree(store, tree)),
  );
  if (base === undefined || tests === undefined || gold === undefined || wanted === undefined) {
    throw new Error("one of the four trees has no list");
  }
  const changes: FileChange[] = [];
  const restored: string[] = [];
  for (const path of changedPaths(base, wanted)) {
    const isInTests = differs(base, tests, path);
    const isInFix = differs(base, gold, path);
    if (!isInTests && (isInFix || !isTestFile(path))) {
      changes.push(await takeFile(store, patched, wanted.get(path), path));
      continue;
    }
    if (isInTests && same(tests.get(path), wanted.get(path))) continue;
    const sides = [patched, trees.base, trees.tests] as const;
    const merged = isInTests && isInFix ? await mergeFile(store, sides, path) : undefined;
    if (merged === undefined) restored.push(path);
    else changes.push({ path, content: merged });
  }
  return { tree: await store.write(trees.tests, changes), restored };
}

type Files = ReadonlyMap<string, TreeEntry>;

async function listTree(store: TreeStore, tree: string): Promise<Files> {
  return new Map((await store.list(tree)).map((entry) => [entry.path, entry]));
}

function changedPaths(from: Files, to: Files): string[] {
  return [...new Set([...from.keys(), ...to.keys()])].filter((path) => differs(from, to, path));
}

function differs(from: Files, to: Files, path: string): boolean {
  return !same(from.get(path), to.get(path));
}

function same(a: TreeEntry | undefined, b: TreeEntry | undefined): boolean {
  return a?.blob === b?.blob && a?.mode === b?.mode;
}

async function takeFile(
  store: TreeStore,
  tree: string,
  entry: TreeEntry | undefined,
  path: string,
): Promise<FileChange> {
  const content = entry === undefined ? undefined : await store.read(tree, path);
  if (entry === undefined || content === undefined) return { path, content: null };
  return { path, content, mode: entry.mode === "100755" || entry.mode === "120000" ? entry.mode : "100644" };
}

/** Merges by line and prefers the tests' side in conflicts; undefined if a side lacks the file or is not text. */
async function mergeFile(
  store: TreeStore,
  [patched, base, tests]: readonly [string, string, string],
  path: string,
): Promise<Buffer | undefined> {
  const contents = await Promise.all([patched, base, tests].map((tree) => store.read(tree, path)));
  const folder = await mkdtemp(join(tmpdir(), "millwright-merge-"));
  try {
    const names = ["patched", "base", "tests"];
    for (const [at, content] of contents.entries()) {
      if (content === undefined) return undefined;
      await writeFile(join(folder, names[at] ?? ""), content);
    }
    const merged = await runProcess(["git", "merge-file", "--stdout", "--quiet", "--theirs", ...names], {
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" },
    });
    return merged.exitCode === 0 ? wholeOutput(merged.stdout) : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
