/** A syntax tree as plain data. It outlives the parser's memory, needs no freeing, and is quick to traverse. */
import type { Tree, TreeCursor } from "web-tree-sitter";
import { type Grammar, withTree } from "./parser.ts";

export interface SyntaxNode {
  /** The grammar's name (`binary_operator`), or the token itself for punctuation and operators. */
  readonly kind: string;
  /** False for punctuation, keywords and operators. */
  readonly named: boolean;
  /** The field of the parent that holds the node. */
  readonly field: string | undefined;
  /** UTF-16 offsets in the text; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Lines from 1, both included. */
  readonly startLine: number;
  readonly endLine: number;
  readonly parent: SyntaxNode | undefined;
  readonly children: readonly SyntaxNode[];
  /** True for an error or missing token. */
  readonly broken: boolean;
}

export interface SyntaxTree {
  readonly text: string;
  readonly root: SyntaxNode;
}

/** Parses a text into a plain tree. */
export function parseSyntax(grammar: Grammar, text: string): Promise<SyntaxTree> {
  return withTree(grammar, text, (tree) => copyTree(tree, text));
}

export function copyTree(tree: Tree, text: string): SyntaxTree {
  const cursor = tree.walk();
  try {
    return { text, root: copyFrom(cursor) };
  } finally {
    cursor.delete();
  }
}

interface Growing extends SyntaxNode {
  field: string | undefined;
  parent: Growing | undefined;
  readonly children: Growing[];
}

/** Not recursive, because a chain of ten thousand operands makes a tree of that depth. */
function copyFrom(cursor: TreeCursor): SyntaxNode {
  const root = copyNode(cursor, undefined);
  let current = root;
  for (;;) {
    if (cursor.gotoFirstChild()) {
      current = appendChild(cursor, current);
      continue;
    }
    while (!cursor.gotoNextSibling()) {
      if (!cursor.gotoParent() || current.parent === undefined) return root;
      current = withoutList(current.parent);
    }
    const { parent } = current;
    if (parent === undefined) return root;
    current = appendChild(cursor, parent);
  }
}

/** Nodes that only surround a value: Go's list around each value, PHP's `argument`. */
const wrappers: ReadonlySet<string> = new Set(["expression_list", "argument", "array_element_initializer"]);
/** Names that a grammar takes apart: PHP's `$name`. */
const wholeNames: ReadonlySet<string> = new Set(["variable_name"]);

/**
 * Replaces a wrapper of one value with this value. Does the same for the argument list of Ruby's `return x`. Removes
 * the children of names in `wholeNames`.
 */
function withoutList(list: Growing): Growing {
  if (wholeNames.has(list.kind)) list.children.length = 0;
  const [only, more] = list.children;
  const holder = list.parent;
  if (only === undefined || more !== undefined || holder === undefined) return list;
  const isOfJump = list.kind === "argument_list" && /^(?:return|next|break)$/.test(holder.kind);
  if (!wrappers.has(list.kind) && !isOfJump) return list;
  only.field = list.field;
  only.parent = holder;
  holder.children[holder.children.length - 1] = only;
  return only;
}

function appendChild(cursor: TreeCursor, parent: Growing): Growing {
  const child = copyNode(cursor, parent);
  parent.children.push(child);
  return child;
}

function copyNode(cursor: TreeCursor, parent: Growing | undefined): Growing {
  const end = cursor.endPosition;
  const startLine = cursor.startPosition.row + 1;
  // A node that includes its line break ends at column 0 of the next line.
  const endLine = end.column === 0 ? end.row : end.row + 1;
  const kind = cursor.nodeType;
  return {
    kind,
    named: cursor.nodeIsNamed,
    field: cursor.currentFieldName ?? undefined,
    start: cursor.startIndex,
    end: cursor.endIndex,
    startLine,
    endLine: Math.max(startLine, endLine),
    parent,
    children: [],
    broken: kind === "ERROR" || cursor.nodeIsMissing,
  };
}

export function textOf(tree: SyntaxTree, node: SyntaxNode): string {
  return tree.text.slice(node.start, node.end);
}

/** Walks the node and its descendants in source order. If `enter` returns false, skips the node's children. */
export function* walk(
  node: SyntaxNode,
  enter: (node: SyntaxNode) => boolean = () => true,
): Generator<SyntaxNode> {
  const waiting = [node];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next;
    if (!enter(next)) continue;
    for (let index = next.children.length - 1; index >= 0; index--) {
      const child = next.children[index];
      if (child !== undefined) waiting.push(child);
    }
  }
}

export function covers(outer: SyntaxNode, inner: SyntaxNode): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

export function childOf(node: SyntaxNode, field: string): SyntaxNode | undefined {
  return node.children.find((child) => child.field === field);
}

export function namedChildren(node: SyntaxNode): SyntaxNode[] {
  return node.children.filter((child) => child.named);
}

/** Returns the node's ancestors, nearest first. */
export function* parentsOf(node: SyntaxNode): Generator<SyntaxNode> {
  for (let parent = node.parent; parent !== undefined; parent = parent.parent) yield parent;
}

/** Returns the smallest node below `root` that contains the span; `root` itself if no inner node does. */
export function nodeAt(root: SyntaxNode, start: number, end: number = start): SyntaxNode {
  let node = root;
  for (;;) {
    const inner = node.children.find(
      (child) => child.start <= start && end <= child.end && child.start < child.end,
    );
    if (inner === undefined) return node;
    node = inner;
  }
}
