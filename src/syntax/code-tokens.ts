/**
 * Reads a file's code as a list of tokens from its syntax tree, in any language with a grammar. Leaves out comments,
 * imports and formatting.
 */
import { parseSyntax, type SyntaxNode, textOf, walk } from "./node.ts";
import { outlineOf } from "./symbols/choose-outline.ts";

export interface CodeToken {
  readonly text: string;
  /** The token's line, from 1. */
  readonly line: number;
  /** UTF-16 offset in the text. */
  readonly start: number;
  /** True for a name that may be a local variable. False for a member, a callee, a type or a constant. */
  readonly isVariable: boolean;
  /** True in parameters, types, attributes and decorators, which are not executed. */
  readonly isHead: boolean;
}

const strings = /^(?:.*string.*|template_literal|char.*_literal|rune_literal|regex.*)$/;
const imports =
  /^(?:import_|import$|use_declaration|namespace_use_|using_directive|preproc_include|package_|extern_crate)/;
const heads =
  /parameter|^type$|type_annotation|_type$|^generic_type|return_type|annotation|attribute_item|^attribute_list|decorator$|where_clause|^modifiers?$/;
const names = /^(?:(?:simple_)?identifier|name|variable_name)$/;
const beforeMember = /^(?:\.|\?\.|::|->|&\.|@)$/;
const afterCallee = /^(?:\(|!|::)$/;

/** Reads a file's tokens; empty for an unknown language. */
export async function readCodeTokens(path: string, text: string): Promise<CodeToken[]> {
  const outline = outlineOf(path, text);
  if (outline === undefined) return [];
  const tree = await parseSyntax(outline.grammar, text);
  const leaves: SyntaxNode[] = [];
  const inHead: boolean[] = [];
  let headEnd = 0;
  const isOpen = (node: SyntaxNode): boolean => !isWhole(node) && !isLeftOut(node);
  for (const node of walk(tree.root, isOpen)) {
    if (node.named && heads.test(node.kind)) headEnd = Math.max(headEnd, node.end);
    if (isLeftOut(node) || (node.children.length > 0 && !isWhole(node))) continue;
    if (textOf(tree, node).trim() === "") continue;
    leaves.push(node);
    inHead.push(node.start < headEnd);
  }
  const texts = leaves.map((node) => textOf(tree, node));
  return leaves.map((node, index) => ({
    text: texts[index] ?? "",
    line: node.startLine,
    start: node.start,
    isHead: inHead[index] === true,
    isVariable:
      names.test(node.kind) &&
      /^[$_\p{Ll}]/u.test(texts[index] ?? "") &&
      !beforeMember.test(texts[index - 1] ?? "") &&
      !afterCallee.test(texts[index + 1] ?? ""),
  }));
}

function isWhole({ kind, named }: SyntaxNode): boolean {
  return named && strings.test(kind);
}

function isLeftOut({ kind, named }: SyntaxNode): boolean {
  return named && (/comment/.test(kind) || imports.test(kind));
}
