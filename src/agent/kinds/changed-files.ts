/** What a change touches: source code, or tests. */
import { diffLines } from "../../edit/line-diff.ts";
import { isTestFile, languageOf } from "../../languages/source-files.ts";
import { readSource } from "../../localize/program-map.ts";
import { type SyntaxNode, walk } from "../../syntax/node.ts";
import type { TreeStore } from "../../workspace/contract.ts";

export interface ChangedFiles {
  /** Of tests, and what they need. */
  readonly tests: readonly string[];
  /** In which anything but tests changes. */
  readonly code: readonly string[];
  /** Source files in which tests stand, and these change; whether their code does says `code`. */
  readonly inside: readonly string[];
}

export async function changedFiles(
  trees: Pick<TreeStore, "stat" | "read">,
  from: string,
  to: string,
): Promise<ChangedFiles> {
  const tests: string[] = [];
  const code: string[] = [];
  const inside: string[] = [];
  for (const { path } of await trees.stat(from, to)) {
    if (belongsToTests(path)) {
      tests.push(path);
      continue;
    }
    const [before, after] = await Promise.all([from, to].map((tree) => textOf(trees, tree, path)));
    const [old, now] = await Promise.all([splitTests(path, before ?? ""), splitTests(path, after ?? "")]);
    if (old.tests !== now.tests) inside.push(path);
    if (old.code !== now.code || old.tests === now.tests) code.push(path);
  }
  return { tests, code, inside };
}

/** Files in which something of the tests that were there is gone: what only adds tests takes nothing away. */
export async function rewrittenTests(
  trees: Pick<TreeStore, "stat" | "read">,
  from: string,
  to: string,
): Promise<string[]> {
  const { tests, inside } = await changedFiles(trees, from, to);
  const found: string[] = [];
  for (const path of [...tests, ...inside]) {
    const [before, after] = await Promise.all([from, to].map((tree) => textOf(trees, tree, path)));
    const [old, now] = inside.includes(path)
      ? [(await splitTests(path, before ?? "")).tests, (await splitTests(path, after ?? "")).tests]
      : [before ?? "", after ?? ""];
    if (losesWords(old, now)) found.push(path);
  }
  return found;
}

function losesWords(before: string, after: string): boolean {
  const [old, now] = [before, after].map((text) => text.split(/\s+/).filter((word) => word !== ""));
  return diffLines(old ?? [], now ?? [], (word) => word).some(
    ({ fromStart, fromEnd }) => fromEnd > fromStart,
  );
}

async function textOf(trees: Pick<TreeStore, "read">, tree: string, path: string): Promise<string> {
  return (await trees.read(tree, path))?.toString("utf8") ?? "";
}

const testFolder = /(?:^|\/)(?:tests?|specs?|__tests__|testdata|__snapshots__|fixtures)\//i;

/** A file of tests, or one beside them that they read. */
export function belongsToTests(path: string): boolean {
  return isTestFile(path) || (testFolder.test(path) && !isSourceBeside(path));
}

/** A module below `src/` or the like is code, be its folder called `spec`. */
function isSourceBeside(path: string): boolean {
  return languageOf(path) !== undefined && /^(?:src|lib|pkg|internal)\//.test(path);
}

/** The text without the tests that stand in it, and those: of a language whose tests stand in sources (Rust). Blank space aside. */
export async function splitTests(
  path: string,
  text: string,
): Promise<{ readonly code: string; readonly tests: string }> {
  let code = "";
  let tests = "";
  let at = 0;
  for (const { start, end } of await testsInside(path, text)) {
    code += text.slice(at, start);
    tests += text.slice(start, end);
    at = end;
  }
  return { code: squeeze(withoutMarks(code + text.slice(at))), tests: squeeze(tests) };
}

/** The outermost items of tests in a source file; none in a language whose tests stand in files of their own. */
export async function testsInside(
  path: string,
  text: string,
): Promise<readonly Pick<SyntaxNode, "start" | "end" | "startLine" | "endLine">[]> {
  const source = await readSource(path, text, languageOf);
  const isTest = source?.dialect.isTest;
  const found: SyntaxNode[] = [];
  if (source === undefined || isTest === undefined) return found;
  for (const node of walk(source.tree.root))
    if ((found.at(-1)?.end ?? -1) <= node.start && isTest(source.tree, node)) found.push(node);
  return found;
}

/** The attributes that stood before the tests. */
function withoutMarks(code: string): string {
  return code.replaceAll(/#\[\s*(?:cfg\s*\(\s*test\s*\)|(?:\w+::)*test)\s*\]/g, "");
}

function squeeze(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
