/** Splits a change into source code and tests. */
import type { TestRegions } from "../../judging/test-regions.ts";
import type { TreeStore } from "../../workspace/contract.ts";

export interface ChangedFiles {
  /** Test files, and files that tests need. */
  readonly tests: readonly string[];
  /** Files with changes outside tests. */
  readonly code: readonly string[];
  /** Source files whose inner tests change. If their code changes too, `code` also contains them. */
  readonly inside: readonly string[];
}

export async function changedFiles(
  trees: Pick<TreeStore, "stat" | "read">,
  regions: TestRegions,
  from: string,
  to: string,
): Promise<ChangedFiles> {
  const tests: string[] = [];
  const code: string[] = [];
  const inside: string[] = [];
  for (const { path } of await trees.stat(from, to)) {
    if (regions.isWhole(path)) {
      tests.push(path);
      continue;
    }
    const [before, after] = [await textOf(trees, from, path), await textOf(trees, to, path)];
    const [old, now] = await Promise.all([
      splitTests(regions, path, before),
      splitTests(regions, path, after),
    ]);
    if (old.tests !== now.tests) inside.push(path);
    if (old.code !== now.code || old.tests === now.tests) code.push(path);
  }
  return { tests, code, inside };
}

export async function textOf(trees: Pick<TreeStore, "read">, tree: string, path: string): Promise<string> {
  return (await trees.read(tree, path))?.toString("utf8") ?? "";
}

/**
 * Splits a source into its code and the tests inside it, for languages that allow both in a file, such as Rust. Reduces
 * whitespace in the results to single spaces, so that layout makes no difference.
 */
export async function splitTests(
  regions: TestRegions,
  path: string,
  text: string,
): Promise<{ readonly code: string; readonly tests: string }> {
  let code = "";
  let tests = "";
  let at = 0;
  for (const { start, end } of await regions.spansIn(path, text)) {
    code += text.slice(at, start);
    tests += text.slice(start, end);
    at = end;
  }
  return { code: squeeze(withoutMarks(code + text.slice(at))), tests: squeeze(tests) };
}

/** Removes Rust's attributes of tests, such as `#[cfg(test)]`. */
function withoutMarks(code: string): string {
  return code.replaceAll(/#\[\s*(?:cfg\s*\(\s*test\s*\)|(?:\w+::)*test)\s*\]/g, "");
}

function squeeze(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
