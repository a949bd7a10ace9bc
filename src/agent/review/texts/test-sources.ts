/** Finds the texts of tests by their keys in every language. A key names a file, a class, or a module of a crate. */
import { posix } from "node:path";
import type { TestKey } from "../../../domain/test-outcome.ts";
import { fileOfClass } from "../../../judging/whole-files.ts";
import type { Source } from "../../../syntax/reading.ts";
import type { TreeStore } from "../../../workspace/contract.ts";
import { readSource } from "../../code/change.ts";
import { bodiesOf, listTestBodies } from "../../code/test-bodies.ts";

export interface TestSource {
  readonly source: Source;
  /** True for lines that the test uses: its body, and lines outside all tests (tables, constants). */
  readonly isRead: (line: number) => boolean;
}

/** Returns the texts of one test in a tree. Returns several texts if the test's key does not determine the file. */
export async function readTestSources(
  trees: Pick<TreeStore, "list" | "read">,
  tree: string,
  key: TestKey,
): Promise<TestSource[]> {
  const paths = (await trees.list(tree)).map(({ path }) => path);
  const sources: TestSource[] = [];
  for (const path of filesOfTest(paths, key)) {
    const text = (await trees.read(tree, path))?.toString("utf8");
    const source = await readSource(path, text);
    if (source === undefined) continue;
    const all = await listTestBodies(path, text);
    const own = bodiesOf(all, key);
    if (own.length === 0 && path !== key.target && all.length > 0) continue;
    const others = own.length === 0 ? [] : all.filter((body) => !own.includes(body));
    const isOther = (line: number): boolean =>
      others.some(({ startLine, endLine }) => startLine <= line && line <= endLine);
    // In a file with code, only the test's own lines belong to it.
    const isOwn = (line: number): boolean =>
      own.some(({ startLine, endLine }) => startLine <= line && line <= endLine);
    const isInside = path.endsWith(".rs") && own.length > 0;
    sources.push({ source, isRead: isInside ? isOwn : (line) => !isOther(line) });
  }
  return sources;
}

/**
 * Lists the files that may contain a test, the most likely first. The names of Rust's unit tests contain the crate's
 * root and the modules below it.
 */
export function filesOfTest(paths: readonly string[], { target, name }: TestKey): string[] {
  const present = new Set(paths);
  const own = target.replace(/^doc:/, "");
  if (present.has(own) && !own.endsWith(".rs")) return [own];
  if (!present.has(own)) {
    const path = fileOfClass(paths, own);
    return path === undefined ? [] : [path];
  }
  const modules = name.split("::").slice(0, -1);
  const folder = posix.dirname(own);
  const below = modules.flatMap((_, index) => {
    const path = posix.join(folder, ...modules.slice(0, index + 1));
    return [`${path}.rs`, posix.join(path, "mod.rs")];
  });
  return [own, ...below.filter((path) => present.has(path))];
}
