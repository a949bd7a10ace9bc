/** Finds test code in files that also contain the code under test, by the syntax of their language. */
import { languageOf } from "../languages/source-files.ts";
import { type SyntaxNode, textOf, walk } from "../syntax/node.ts";
import { readSource } from "../syntax/read-source.ts";
import type { Source } from "../syntax/reading.ts";

/** Offsets in a text; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** True for an example in the documentation, which exists nowhere else. */
  readonly isExample?: boolean;
}

/** The kinds of tests that a framework runs inside a file that also contains other code. */
export interface RanInside {
  /** True if the framework collects tests from the file's functions, classes or blocks. */
  readonly items: boolean;
  /** True if the framework runs examples in the file's documentation. */
  readonly examples: boolean;
}

/** Finds the spans of test code in a file, in source order, without overlaps. */
export async function findTestSpans(path: string, text: string, ran: RanInside): Promise<Span[]> {
  const source = mayHoldItems(path, text, ran) ? await readSource(path, text, languageOf) : undefined;
  const items = source === undefined ? [] : testItems(source, ran.items);
  const examples = ran.examples ? findExamples(path, text) : [];
  return joinSpans([...items, ...examples]);
}

function mayHoldItems(path: string, text: string, { items }: RanInside): boolean {
  return items || path.endsWith(".rs") || text.includes("import.meta.vitest");
}

function testItems(source: Source, collected: boolean): Span[] {
  const { tree, dialect } = source;
  const isItem = itemRules[dialect.language];
  const found: Span[] = [];
  for (const node of walk(tree.root)) {
    if ((found.at(-1)?.end ?? -1) > node.start) continue;
    const isTest = dialect.isTest?.(tree, node) === true || isItem?.(source, node, collected) === true;
    if (isTest) found.push({ start: withAttributes(tree.text, node.start), end: node.end });
  }
  return found;
}

type ItemRule = (source: Source, node: SyntaxNode, collected: boolean) => boolean;

const javascript: ItemRule = ({ tree }, node, collected) => {
  if (node.kind === "if_statement")
    return /^if\s*\(\s*import\.meta\.vitest\b/.test(textOf(tree, node).slice(0, 60));
  if (!collected || node.kind !== "expression_statement") return false;
  const head = textOf(tree, node).slice(0, 80);
  return /^(?:await\s+)?(?:describe|it|test|suite|context|specify|bench)(?:\.\w+)*\s*[(`]/.test(head);
};

const python: ItemRule = ({ tree }, node, collected) => {
  if (!collected || !/^(?:decorated|class|function)_definition$/.test(node.kind)) return false;
  const text = textOf(tree, node);
  const isFixture = node.kind === "decorated_definition" && /^@(?:\w+\.)*fixture\b/m.test(text);
  const head = text.slice(text.search(/^[ \t]*(?:async\s+)?(?:def|class)\b/m)).trimStart();
  return isFixture || /^(?:(?:async\s+)?def\s+test|class\s+(?:Test|\w+\s*\([^)]*TestCase\b))/.test(head);
};

const itemRules: Readonly<Record<string, ItemRule>> = { javascript, typescript: javascript, python };

/** Returns where a span starts if it includes the lines with attributes directly before it. */
function withAttributes(text: string, start: number): number {
  let first = start;
  for (;;) {
    const before = text.slice(0, first).trimEnd();
    const line = before.lastIndexOf("\n") + 1;
    if (!/^[ \t]*#\[.*\]$/.test(before.slice(line))) return first;
    first = line;
  }
}

/** Finds the examples that frameworks run: Python's `>>>` with its output, and Rust's code blocks in documentation. */
function findExamples(path: string, text: string): Span[] {
  return path.endsWith(".rs") ? rustExamples(text) : doctests(text);
}

function doctests(text: string): Span[] {
  return [...text.matchAll(/^[ \t]*>>>[^\n]*\n(?:(?![ \t]*(?:"""|'''|$))[^\n]*\n)*/gm)].map(
    ({ 0: block, index }) => ({ start: index, end: index + block.length, isExample: true }),
  );
}

const notRun = /^(?:ignore|no_run|text|console|sh|bash|toml|json)\b/;

function rustExamples(text: string): Span[] {
  const block =
    /^[ \t]*\/\/[/!][ \t]*```([^\n]*)\n(?:[ \t]*\/\/[/!](?![ \t]*```)[^\n]*\n)*[ \t]*\/\/[/!][ \t]*```/gm;
  return [...text.matchAll(block)].flatMap(({ 0: whole, 1: info = "", index }) =>
    notRun.test(info.trim()) ? [] : [{ start: index, end: index + whole.length, isExample: true }],
  );
}

function joinSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last === undefined || span.start >= last.end) joined.push(span);
    else joined.splice(-1, 1, { ...last, end: Math.max(last.end, span.end) });
  }
  return joined;
}
