/**
 * The places in Rust sources where code can be inserted. Excludes tests, macros, and code that runs in the compiler.
 */

import { childOf, namedChildren, parentsOf, type SyntaxNode, type SyntaxTree, walk } from "../syntax/node.ts";
import { attributesOf, isRustTest } from "../syntax/rust-test-code.ts";

export interface Place {
  readonly node: SyntaxNode;
  /**
   * `before` a statement or the value of a block; `wrap`: braces around an expression (a match arm's value, an `if`
   * after `else`); `entry`: in an empty block.
   */
  readonly kind: "before" | "wrap" | "entry";
  /** The lines that count as executed with the place, ascending. */
  readonly lines: readonly number[];
  readonly order: number;
}

/** Statements without executable code. */
const silent =
  /_item$|^(?:use_declaration|extern_crate_declaration|macro_definition|empty_statement|.*comment|attribute_item|inner_attribute_item|label)$/;

/** True for code that the compiler itself runs, or does not treat as code. */
function isClosed(tree: SyntaxTree, node: SyntaxNode): boolean {
  if (node.broken || node.kind === "token_tree" || node.kind === "macro_definition") return true;
  if (
    /^(?:const_item|static_item|const_block|enum_item|struct_item|type_item|type_arguments|array_type)$/.test(
      node.kind,
    )
  )
    return true;
  if (node.field === "length" && node.parent?.kind === "array_expression") return true;
  if (node.kind === "function_item") return isConstant(tree, node) || isRustTest(tree, node);
  if (node.kind === "impl_item") return isAllocator(tree, node);
  return node.kind === "mod_item" && isRustTest(tree, node);
}

function isConstant(tree: SyntaxTree, item: SyntaxNode): boolean {
  const modifiers = item.children.find((child) => child.kind === "function_modifiers");
  return modifiers !== undefined && /\bconst\b/.test(tree.text.slice(modifiers.start, modifiers.end));
}

/** True for an allocator. Counters allocate, so it cannot contain them. */
function isAllocator(tree: SyntaxTree, item: SyntaxNode): boolean {
  const name = childOf(item, "trait");
  return name !== undefined && /\bGlobalAlloc\b/.test(tree.text.slice(name.start, name.end));
}

/** Walks the nodes that run in the program. Skips tests, macros, and code that runs in the compiler. */
export function* walkRunning(tree: SyntaxTree): Generator<SyntaxNode> {
  for (const node of walk(tree.root, (one) => !isClosed(tree, one))) if (!isClosed(tree, node)) yield node;
}

export function findPlaces(tree: SyntaxTree): Place[] {
  const found = new Map<SyntaxNode, { kind: Place["kind"]; order: number }>();
  let order = 0;
  for (const node of walkRunning(tree)) {
    order += 1;
    const kind = kindOf(tree, node);
    if (kind !== undefined) found.set(node, { kind, order });
  }
  return [...found].map(([node, place]) => ({ node, ...place, lines: linesOf(node, found) }));
}

/** True for code that compiles only in some configurations. */
function isConditional(tree: SyntaxTree, node: SyntaxNode): boolean {
  return attributesOf(node).some(({ start, end }) => /^#\[\s*cfg\b/.test(tree.text.slice(start, end)));
}

function kindOf(tree: SyntaxTree, node: SyntaxNode): Place["kind"] | undefined {
  const { parent } = node;
  if (parent === undefined || !node.named) return undefined;
  // A counter stays even if its statement is removed: it would then follow the value of the block.
  if (parent.kind === "block")
    return silent.test(node.kind) || isConditional(tree, node) ? undefined : "before";
  if (parent.kind === "else_clause") return node.kind === "if_expression" ? "wrap" : undefined;
  if (parent.kind === "match_arm" && node.field === "value") {
    if (node.kind !== "block") return node.kind === "reference_expression" ? undefined : "wrap";
    return namedChildren(node).some((child) => !silent.test(child.kind)) ? undefined : "entry";
  }
  return undefined;
}

const punctuation = new Set(["{", "}", "(", ")", "[", "]", ";", ","]);

/** The lines of the node's own tokens, and of tokens that lead only to it: a match arm's pattern. */
function linesOf(node: SyntaxNode, counted: ReadonlyMap<SyntaxNode, unknown>): number[] {
  const lines = new Set([node.startLine]);
  const isOwn = (inner: SyntaxNode): boolean =>
    inner === node || !(counted.has(inner) || inner.kind === "match_arm");
  for (const one of walk(node, isOwn)) {
    if (one.children.length > 0 || punctuation.has(one.kind) || /comment/.test(one.kind) || !isOwn(one))
      continue;
    for (let line = one.startLine; line <= one.endLine; line += 1) lines.add(line);
  }
  const arm = armOf(node, counted);
  if (arm !== undefined) for (let line = arm.startLine; line <= node.startLine; line += 1) lines.add(line);
  return [...lines].sort((a, b) => a - b);
}

/** The match arm that begins with this node. */
function armOf(node: SyntaxNode, counted: ReadonlyMap<SyntaxNode, unknown>): SyntaxNode | undefined {
  const { parent } = node;
  if (parent?.kind === "match_arm") return parent;
  if (parent?.kind !== "block" || parent.parent?.kind !== "match_arm") return undefined;
  return parent.children.find((child) => counted.has(child)) === node ? parent.parent : undefined;
}

/** Returns the offset at which text can be inserted before a statement: before its attributes. */
export function startOf(node: SyntaxNode): number {
  return Math.min(node.start, ...attributesOf(node).map((attribute) => attribute.start));
}

/**
 * Returns the path from code at the node to the file's own module, valid in every edition: `self::`, `super::super::`.
 */
export function pathToFile(node: SyntaxNode): string {
  const depth = [...parentsOf(node)].filter((parent) => parent.kind === "mod_item").length;
  return depth === 0 ? "self::" : "super::".repeat(depth);
}

/** Returns the offset after the file's last item. Comments at the end of the file stay after the inserted text. */
export function endOfItems(tree: SyntaxTree): number {
  const last = tree.root.children.findLast((child) => !/comment/.test(child.kind));
  return last?.end ?? tree.root.end;
}

/** Returns a text as a Rust string literal. */
export function quoteRust(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
