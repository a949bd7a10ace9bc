/**
 * Removes the tests that notice a fault from a tree. Removes their functions if the rest of the file still parses, or
 * else their files.
 */

import { posix } from "node:path";
import { linesOf } from "../../agent/code/change.ts";
import { bodiesOf, listTestBodies, type TestBody } from "../../agent/code/test-bodies.ts";
import { formatTestKey, type TestKey } from "../../domain/test-outcome.ts";
import { isTestFile, languageOf } from "../../languages/source-files.ts";
import { walk } from "../../syntax/node.ts";
import { readSource } from "../../syntax/read-source.ts";
import type { FileChange, TreeStore } from "../../workspace/contract.ts";
import { withoutLeftImports } from "./left-imports.ts";

/** Returns the changes that remove the tests; undefined if a test's file is unknown, or if a test cannot be removed. */
export async function hideTests(
  store: TreeStore,
  tree: string,
  tests: readonly TestKey[],
): Promise<readonly FileChange[] | undefined> {
  const changes: FileChange[] = [];
  const left = new Map(tests.map((key) => [formatTestKey(key), key]));
  const files = (await store.list(tree)).filter(
    ({ path, mode }) => mode !== "120000" && mayHold(path, tests),
  );
  for (const { path } of files) {
    const mine = [...left.values()].filter((key) => isOf(key, path));
    const text = (await store.read(tree, path))?.toString("utf8");
    if (mine.length === 0 || text === undefined) continue;
    const bodies = await listTestBodies(path, text);
    const bodiesFor = (key: TestKey): TestBody[] =>
      path.endsWith(".rs") ? bodies.filter((body) => isRustTest(key, path, body)) : bodiesOf(bodies, key);
    const isRoot = path.endsWith(".rs") && !isTestFile(path);
    const own = mine.filter((key) => bodiesFor(key).length > 0 || (isNamed(key, path) && !isRoot));
    if (own.length === 0) continue;
    const found = own.flatMap(bodiesFor);
    if (found.length === 0 && !isTestFile(path)) continue;
    const isWhole = own.every((key) => bodiesFor(key).length > 0);
    const shorter = isWhole ? await withoutBodies(path, text, found) : undefined;
    if (shorter === undefined && !isTestFile(path)) return undefined;
    changes.push({ path, content: shorter ?? null });
    for (const key of own) left.delete(formatTestKey(key));
  }
  return left.size === 0 ? changes : undefined;
}

function mayHold(path: string, tests: readonly TestKey[]): boolean {
  return languageOf(path) !== undefined && tests.some((key) => isOf(key, path));
}

/** True if the test may be in the file: the test's target is the root of a crate (Rust), or names the file. */
function isOf(key: TestKey, path: string): boolean {
  return (key.target.endsWith(".rs") && path.endsWith(".rs")) || isNamed(key, path);
}

/**
 * True if the test is this body of the file. `parse::tests::zone` of the crate `src/lib.rs` is `tests::zone` in
 * `src/parse.rs`, or in `src/parse/mod.rs`.
 */
function isRustTest({ target, name }: TestKey, path: string, body: TestBody): boolean {
  const module = posix.relative(posix.dirname(target), path).replace(/(?:\/mod)?\.rs$/, "");
  const modules = path === target ? [] : module.split("/");
  const own = [...modules, ...body.path.split(" ")].join("::");
  return name === own || name.startsWith(`${own}::`);
}

/**
 * True if the target names the file: as its path, as the folder of a package (Go), or as a class named by dots (Java).
 */
function isNamed({ target }: TestKey, path: string): boolean {
  if (target === path) return true;
  const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".";
  if (isTestFile(path) && (target === folder || target === `./${folder}`)) return true;
  const stem = path.replace(/\.\w+$/, "");
  return isTestFile(path) && stem.endsWith(target.replace(/\$.*$/, "").replaceAll(".", "/"));
}

/**
 * Removes the bodies from a text, with decorators and attributes right before them. Undefined if the rest does not
 * parse.
 */
async function withoutBodies(
  path: string,
  text: string,
  bodies: readonly { readonly startLine: number; readonly endLine: number }[],
): Promise<string | undefined> {
  const lines = linesOf(text);
  const gone = new Set<number>();
  for (const { startLine, endLine } of bodies) {
    let first = startLine;
    while (/^\s*(?:@|#\[|\/\/\/)/.test(lines[first - 2] ?? "")) first -= 1;
    for (let line = first; line <= endLine; line += 1) gone.add(line);
  }
  const rest = `${lines.filter((_, at) => !gone.has(at + 1)).join("\n")}\n`;
  const shorter = await withoutLeftImports(path, rest, lines.filter((_, at) => gone.has(at + 1)).join("\n"));
  const [before, after] = [await countErrors(path, text), await countErrors(path, shorter)];
  return after > before || /(?:^|\n)class [^\n]*:\s*(?=\n\S|$)/.test(shorter) ? undefined : shorter;
}

async function countErrors(path: string, text: string): Promise<number> {
  const source = await readSource(path, text, languageOf);
  return source === undefined ? 0 : [...walk(source.tree.root)].filter(({ broken }) => broken).length;
}
