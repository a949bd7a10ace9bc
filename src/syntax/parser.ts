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

/** A parser with the grammar loaded. Loads each grammar once per process. */
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
 * later parses. With this size the engine's own limit comes first, as an error that can be caught.
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

/** Starts tree-sitter with a larger stack: a block of its heap. */
async function startRuntime(): Promise<void> {
  const bytes = await readFile(grammarFile("web-tree-sitter/web-tree-sitter.wasm"));
  const { promise: failed, reject } = Promise.withResolvers<void>();
  let stack: { value: number } | undefined;
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

/** Parses and returns the tree, which the caller must `.delete()`. Prefer `withTree`. */
export function parseTree(parser: Parser, text: string, previous?: Tree): Tree {
  const tree = parseOrBreak(parser, text, previous);
  if (tree === null)
    throw new MillwrightError("internal", "tree-sitter gave no tree: its parser has no grammar.");
  return tree;
}

/** Reads a text that nests too deeply for the engine as one error. */
function parseOrBreak(parser: Parser, text: string, previous: Tree | undefined): Tree | null {
  try {
    return parser.parse(text, previous);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    parser.reset();
    return parser.parse("(");
  }
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
