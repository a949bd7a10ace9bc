/** The base with the tests of another tree and nothing of its code: what these tests say without it. */
import { languageOf } from "../../languages/source-files.ts";
import { readSource } from "../../localize/program-map.ts";
import { walk } from "../../syntax/node.ts";
import type { FileChange, TreeStore } from "../../workspace/contract.ts";
import type { ChangedFiles } from "./changed-files.ts";

export async function testsAlone(
  trees: TreeStore,
  { base, tree }: { readonly base: string; readonly tree: string },
  { tests, inside }: Pick<ChangedFiles, "tests" | "inside">,
): Promise<string> {
  const modes = new Map((await trees.list(tree)).map(({ path, mode }) => [path, mode]));
  const changes: FileChange[] = [];
  for (const path of tests) {
    const content = (await trees.read(tree, path)) ?? null;
    const mode = modes.get(path) as FileChange["mode"];
    changes.push({ path, content, ...(mode === undefined ? {} : { mode }) });
  }
  for (const path of inside) {
    const [before, after] = [await trees.read(base, path), await trees.read(tree, path)];
    if (before === undefined || after === undefined) continue;
    changes.push({ path, content: await withTestsOf(path, before.toString("utf8"), after.toString("utf8")) });
  }
  return trees.write(base, changes);
}

interface TestSpan {
  /** With the attributes before it. */
  readonly start: number;
  readonly end: number;
}

/** `text` with the tests that stand inside of `from` in the place of its own; those that it has none for come at the end. */
export async function withTestsOf(path: string, text: string, from: string): Promise<string> {
  const [own, others] = [await spansOfTests(path, text), await spansOfTests(path, from)];
  const told = others.map(({ start, end }) => from.slice(start, end));
  let made = "";
  let at = 0;
  for (const [index, { start, end }] of own.entries()) {
    made += text.slice(at, start) + (told[index] ?? "");
    at = end;
  }
  const more = told.slice(own.length).map((each) => `\n${each}\n`);
  return made + text.slice(at) + more.join("");
}

async function spansOfTests(path: string, text: string): Promise<TestSpan[]> {
  const source = await readSource(path, text, languageOf);
  const isTest = source?.dialect.isTest;
  if (source === undefined || isTest === undefined) return [];
  const spans: TestSpan[] = [];
  for (const node of walk(source.tree.root)) {
    if ((spans.at(-1)?.end ?? -1) > node.start || !isTest(source.tree, node)) continue;
    spans.push({ start: withAttributes(text, node.start), end: node.end });
  }
  return spans;
}

/** From the first of the attributes that stand right before. */
function withAttributes(text: string, start: number): number {
  return /(?:[ \t]*#\[[^\n]*\]\s*)+$/.exec(text.slice(0, start))?.index ?? start;
}
