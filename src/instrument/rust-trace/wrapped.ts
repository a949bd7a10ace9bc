/**
 * Parses two uses of macros that the grammar does not support:
 *
 * - A macro passes its items on conditionally, such as `cfg_rt! { … }`. Its items become ordinary items.
 * - A macro has the name of a type, such as `str!`.
 */
import { childOf, parseSyntax, type SyntaxNode, type SyntaxTree, textOf, walk } from "../../syntax/node.ts";

const grammar = "tree-sitter-rust/tree-sitter-rust.wasm";
/** Maximum nesting of wrappers. */
const deepest = 3;

/** A macro call named like a type: `str![…]`. */
const namedLikeTypes = /\b(?:str|char|bool|f32|f64|[iu](?:8|16|32|64|128|size))(?=!\s*[[({])/g;

/**
 * Parses a file as if its items were not inside wrapping macros (`cfg_rt! { … }`). The tree keeps the file's own text.
 */
export async function parseRust(text: string): Promise<SyntaxTree> {
  let blanked = text.replaceAll(namedLikeTypes, (name) => name.replace(/./s, "_"));
  let tree: SyntaxTree = { text, root: (await parseSyntax(grammar, blanked)).root };
  for (let depth = 0; depth < deepest; depth += 1) {
    const wrappers = findWrappers(tree);
    if (wrappers.length === 0) break;
    for (const { node, tokens } of wrappers) {
      blanked = blank(blanked, node.start, tokens.start + 1);
      blanked = blank(blanked, tokens.end - 1, node.end);
    }
    const { root } = await parseSyntax(grammar, blanked);
    tree = { text, root };
  }
  return tree;
}

interface Wrapper {
  readonly node: SyntaxNode;
  readonly tokens: SyntaxNode;
}

function findWrappers(tree: SyntaxTree): Wrapper[] {
  const found: Wrapper[] = [];
  for (const node of walk(tree.root, ({ kind }) => !/^(?:block|token_tree)$/.test(kind))) {
    if (node.kind !== "macro_invocation") continue;
    const macro = childOf(node, "macro");
    const tokens = node.children.find(({ kind }) => kind === "token_tree");
    if (macro === undefined || tokens === undefined || tree.text[tokens.start] !== "{") continue;
    if (/^(?:\w+::)*cfg_(?!if$|match$)\w+$/.test(textOf(tree, macro)) && isAmongItems(node))
      found.push({ node, tokens });
  }
  return found;
}

function isAmongItems({ parent }: SyntaxNode): boolean {
  const holder = parent?.kind === "expression_statement" ? parent.parent : parent;
  return holder?.kind === "source_file" || holder?.kind === "declaration_list";
}

/** The same text with the span blanked; lines and offsets stay. */
function blank(text: string, start: number, end: number): string {
  return text.slice(0, start) + text.slice(start, end).replaceAll(/[^\r\n]/g, " ") + text.slice(end);
}
