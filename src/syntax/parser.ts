/**
 * Parses texts with tree-sitter's WebAssembly build. Offsets and columns count UTF-16 code units of the text, as
 * `string.slice` does. Rows count from 0.
 */
import { readFile } from "node:fs/promises";
import { Language, type Node, Parser, type Tree } from "web-tree-sitter";
import { isSystemError, MillwrightError } from "../base/errors.ts";
import { grammarFile } from "../base/own-files.ts";

/** A grammar's wasm file as package and path: `tree-sitter-python/tree-sitter-python.wasm`. */
export type Grammar = string;

const parsers = new Map<Grammar, Promise<Parser>>();
let runtime: Promise<void> | undefined;

/**
 * Returns a parser with the grammar loaded. Loads each grammar once per process. Throws MillwrightError("internal") if
 * the grammar cannot be loaded.
 */
export function loadParser(grammar: Grammar): Promise<Parser> {
  const known = parsers.get(grammar);
  if (known !== undefined) return known;
  const loading = createParser(grammar);
  parsers.set(grammar, loading);
  return loading;
}

async function createParser(grammar: Grammar): Promise<Parser> {
  runtime ??= startRuntime();
  await runtime;
  try {
    const language = await Language.load(await readFile(grammarFile(grammar)));
    return new Parser().setLanguage(language);
  } catch (error) {
    const cause =
      isSystemError(error, "MODULE_NOT_FOUND") || isSystemError(error, "ENOENT")
        ? "is not installed"
        : "could not be loaded";
    throw new MillwrightError("internal", `The grammar ${grammar} ${cause}.`, {
      hint: "Install Millwright's dependencies again.",
      cause: error,
    });
  }
}

/**
 * Bytes. The runtime's own stack has 64 KB and no guard: some broken texts of 10 KB overflow it, which damages all
 * later parses. With this size, the parser reaches the engine's own limit first, and the engine throws an error.
 */
const stackSize = 8 * 1024 * 1024;

/** tree-sitter adds its functions to the options that it gets. */
interface RuntimeOptions {
  instantiateWasm(imports: Imports, receive: (instance: object, module: object) => void): object;
  _malloc?: (size: number) => number;
  [name: string]: unknown;
}
interface Imports {
  readonly env?: { readonly __stack_pointer?: { value: number } };
}
/** The engine's interface, which Node's types do not have. */
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: Imports): Promise<Readonly<Record<"instance" | "module", object>>>;
};

/** The runtime's stack pointer. A parse that the engine ends does not restore it. */
let stack: { value: number } | undefined;

/** Starts tree-sitter with a larger stack: a block of its heap. */
async function startRuntime(): Promise<void> {
  const bytes = await readFile(grammarFile("web-tree-sitter/web-tree-sitter.wasm"));
  const { promise: failed, reject } = Promise.withResolvers<void>();
  const options: RuntimeOptions = {
    instantiateWasm(imports, receive) {
      stack = imports.env?.__stack_pointer;
      WebAssembly.instantiate(bytes, imports).then(
        ({ instance, module }) => receive(instance, module),
        reject,
      );
      return {};
    },
  };
  await Promise.race([Parser.init(options), failed]);
  const block = options._malloc?.(stackSize) ?? 0;
  if (stack !== undefined && block > 0) stack.value = (block + stackSize) & ~15;
}

/** Time limit in milliseconds for one text. Ordinary files take a few. */
export const longestParse = 10_000;

/** Texts that took longer than `longestParse` or nested too deeply. Millwright does not parse them twice. */
const unread: { readonly parser: Parser; readonly text: string }[] = [];
const mostUnread = 16;

/**
 * Replacements of damaged parsers, by the parser that callers have. If the engine ends a parse, the parser's own stack
 * stays half changed. A later parse could then write anywhere in the engine's memory.
 */
const replacements = new Map<Parser, Parser>();
/** Damaged parsers. Millwright never frees them, because freeing one would also walk its damaged stack. */
const damaged: Parser[] = [];

function usable(parser: Parser): Parser {
  return replacements.get(parser) ?? parser;
}

function replace(parser: Parser): void {
  damaged.push(usable(parser));
  replacements.set(parser, new Parser().setLanguage(parser.language));
}

function isUnread(parser: Parser, text: string): boolean {
  return unread.some((each) => each.parser === parser && each.text === text);
}

/**
 * Parses and returns the tree, which the caller must `.delete()`. Reads a text as one error if it takes too long, or
 * nests too deeply for the engine; see `canParse`. Prefer `withTree`.
 */
export function parseTree(parser: Parser, text: string, previous?: Tree): Tree {
  const tree = parseUntil(parser, text, Date.now() + longestParse, previous);
  if (tree !== undefined) return tree;
  const broken = usable(parser).parse("(");
  if (broken === null)
    throw new MillwrightError("internal", "tree-sitter gave no tree: its parser has no grammar.");
  return broken;
}

/**
 * Parses until `deadline`, in milliseconds as in Date.now(). Undefined if the time is over, or if the text nests too
 * deeply for the engine. The parser checks the time only between tokens, and a token can be as long as the text. So
 * Millwright ends the text for the parser once the time is over.
 */
export function parseUntil(
  parser: Parser,
  text: string,
  deadline: number,
  previous?: Tree,
): Tree | undefined {
  if (isUnread(parser, text)) return undefined;
  const top = stack?.value;
  const started = Date.now();
  let isParsing = true;
  let isLate = false;
  const checkTime = (): boolean => {
    isLate ||= Date.now() > deadline;
    return isLate;
  };
  // The tree calls it later, to read its nodes' texts.
  const read = (index: number): string | undefined =>
    isParsing && checkTime() ? undefined : text.slice(index);
  try {
    const tree = usable(parser).parse(read, previous, { progressCallback: checkTime });
    if (tree !== null && !isLate) return tree;
    tree?.delete();
    usable(parser).reset();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    if (stack !== undefined && top !== undefined) stack.value = top;
    replace(parser);
  } finally {
    isParsing = false;
  }
  if (!isLate || Date.now() - started >= longestParse) unread.push({ parser, text });
  if (unread.length > mostUnread) unread.shift();
  return undefined;
}

/** False for a text that takes too long to parse, or nests too deeply. Such a text has no useful tree. */
export async function canParse(grammar: Grammar, text: string): Promise<boolean> {
  const parser = await loadParser(grammar);
  parseTree(parser, text).delete();
  return !isUnread(parser, text);
}

/** Parses the text, passes the tree to `use` and frees it afterwards. `use` must not keep any part of the tree. */
export async function withTree<T>(
  grammar: Grammar,
  text: string,
  use: (tree: Tree) => T | Promise<T>,
): Promise<T> {
  const tree = parseTree(await loadParser(grammar), text);
  try {
    return await use(tree);
  } finally {
    tree.delete();
  }
}

/**
 * Returns the number of places that do not parse: ERROR nodes and tokens that the parser inserted. 0 for correct text.
 */
export function countErrors(tree: Tree): number {
  let count = 0;
  const waiting: Node[] = [tree.rootNode];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!node.hasError) continue;
    if (node.isError || node.isMissing) count += 1;
    for (const child of node.children) waiting.push(child);
  }
  return count;
}

/** Counts the syntax errors of a text, like countErrors. */
export function countSyntaxErrors(grammar: Grammar, text: string): Promise<number> {
  return withTree(grammar, text, countErrors);
}

/** Counts the characters of a text that belong to syntax errors. A missing token counts as one. */
export function countErrorCharacters(grammar: Grammar, text: string): Promise<number> {
  return withTree(grammar, text, ({ rootNode }) => {
    let count = 0;
    const waiting: Node[] = [rootNode];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (node.isError || node.isMissing) count += Math.max(1, node.endIndex - node.startIndex);
      else if (node.hasError) for (const child of node.children) waiting.push(child);
    }
    return count;
  });
}
