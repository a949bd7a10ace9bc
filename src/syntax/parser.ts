/**
 * tree-sitter's WebAssembly build. Offsets and columns are in UTF-16 code units of the text, as `string.slice` takes
 * them; rows count from 0.
 */
import { readFile } from "node:fs/promises";
import { Language, type Node, Parser, type Tree } from "web-tree-sitter";
import { isSystemError, MillwrightError } from "../base/errors.ts";
import { grammarFile } from "../base/own-files.ts";

/** A grammar's wasm file as package and path: `tree-sitter-python/tree-sitter-python.wasm`. */
export type Grammar = string;

const parsers = new Map<Grammar, Promise<Parser>>();
let runtime: Promise<void> | undefined;

/** A parser with the grammar loaded. Loads each grammar once per process. */
export function loadParser(grammar: Grammar): Promise<Parser> {
  const known = parsers.get(grammar);
  if (known !== undefined) return known;
  const loading = createParser(grammar);
  parsers.set(grammar, loading);
  return loading;
}

async function createParser(grammar: Grammar): Promise<Parser> {
  runtime ??= Parser.init({ locateFile: () => grammarFile("web-tree-sitter/web-tree-sitter.wasm") });
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

/** Parses and returns the tree, which the caller must `.delete()`. Prefer `withTree`. */
export function parseTree(parser: Parser, text: string, previous?: Tree): Tree {
  const tree = parser.parse(text, previous);
  if (tree === null)
    throw new MillwrightError("internal", "tree-sitter gave no tree: its parser has no grammar.");
  return tree;
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

/** The number of places that do not parse: ERROR nodes and tokens that the parser inserted. 0 for correct text. */
export function countErrors(tree: Tree): number {
  return countErrorsBelow(tree.rootNode);
}

function countErrorsBelow(node: Node): number {
  if (!node.hasError) return 0;
  let count = node.isError || node.isMissing ? 1 : 0;
  for (const child of node.children) count += countErrorsBelow(child);
  return count;
}

/** Counts the syntax errors of a text, like countErrors. */
export function countSyntaxErrors(grammar: Grammar, text: string): Promise<number> {
  return withTree(grammar, text, countErrors);
}
