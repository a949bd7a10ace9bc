/** Reads a Rust function's parameters and kind of result from its text. */
import { childOf, namedChildren, type SyntaxNode, type SyntaxTree, textOf, walk } from "../../syntax/node.ts";

export interface RustArgument {
  /** The name as written in the source. */
  readonly name: string;
  /** True for a reference. The trace shows its target. */
  readonly isReference: boolean;
  /** True if the function may change the reference's target. */
  readonly isMutable: boolean;
}

/**
 * Returns the names that the arguments bind, `self` first. A pattern can bind several names or none. Leaves out
 * arguments with an attribute, because `cfg` can remove them.
 */
export function argumentsOf(tree: SyntaxTree, node: SyntaxNode): RustArgument[] {
  const list = childOf(node, "parameters");
  if (list === undefined) return [];
  const found: RustArgument[] = [];
  let conditional = false;
  for (const parameter of namedChildren(list)) {
    if (parameter.kind === "attribute_item") {
      conditional = true;
      continue;
    }
    if (/comment/.test(parameter.kind)) continue;
    if (!conditional) found.push(...bindingsOf(tree, parameter));
    conditional = false;
  }
  return found;
}

function bindingsOf(tree: SyntaxTree, parameter: SyntaxNode): RustArgument[] {
  if (parameter.kind === "self_parameter") {
    const text = textOf(tree, parameter);
    const isReference = text.startsWith("&");
    return [{ name: "self", isReference, isMutable: isReference && /\bmut\b/.test(text) }];
  }
  const pattern = childOf(parameter, "pattern");
  if (parameter.kind !== "parameter" || pattern === undefined) return [];
  const type = childOf(parameter, "type");
  const isReference = type?.kind === "reference_type";
  if (/^(?:self|identifier)$/.test(pattern.kind)) {
    const isMutable = isReference && type.children.some(({ kind }) => kind === "mutable_specifier");
    return [{ name: textOf(tree, pattern), isReference, isMutable }];
  }
  const found: RustArgument[] = [];
  const enter = (node: SyntaxNode): boolean => node.field !== "type" && node.kind !== "macro_invocation";
  for (const node of walk(pattern, enter)) {
    if (node.field === "type" || node.kind === "field_identifier") continue;
    if (node.kind !== "identifier" && node.kind !== "shorthand_field_identifier") continue;
    const name = textOf(tree, node);
    // `Unit` in a pattern is a value, not a binding.
    if (!/^[A-Z]/.test(name)) found.push({ name, isReference: false, isMutable: false });
  }
  return found;
}

export interface Returned {
  readonly kind: "unit" | "never" | "opaque" | "value";
  /** The type on one line, `_` for unnameable parts; empty for `unit`. */
  readonly type: string;
  /** The type as written. */
  readonly shown: string;
  /** True if the value may be a failure. */
  readonly mayFail: boolean;
}

export function returnedBy(tree: SyntaxTree, node: SyntaxNode): Returned {
  const type = childOf(node, "return_type");
  if (type === undefined || type.kind === "unit_type")
    return { kind: "unit", type: "", shown: "()", mayFail: false };
  const text = onOneLine(textOf(tree, type));
  if (type.kind === "never_type") return { kind: "never", type: text, shown: text, mayFail: false };
  const opaque = [...walk(type)].filter(
    (part) => part.kind === "abstract_type" && !isInside(part, "abstract_type", type),
  );
  const mayFail = /Result|Option|Poll|ControlFlow/.test(text);
  if (opaque.length === 0) return { kind: "value", type: text, shown: text, mayFail };
  return { kind: "opaque", type: onOneLine(withHoles(tree, type, opaque)), shown: text, mayFail };
}

function isInside(node: SyntaxNode, kind: string, end: SyntaxNode): boolean {
  for (let parent = node.parent; parent !== undefined && node !== end; parent = parent.parent) {
    if (parent.kind === kind) return true;
    if (parent === end) return false;
  }
  return false;
}

function withHoles(tree: SyntaxTree, type: SyntaxNode, holes: readonly SyntaxNode[]): string {
  let text = "";
  let done = type.start;
  for (const hole of holes) {
    text += `${tree.text.slice(done, hole.start)}_`;
    done = boundsEnd(hole);
  }
  return text + tree.text.slice(done, type.end);
}

/** `impl A + 'a`: the grammar puts the bounds around it. */
function boundsEnd(hole: SyntaxNode): number {
  return hole.parent?.kind === "bounded_type" ? hole.parent.end : hole.end;
}

function onOneLine(text: string): string {
  return text
    .replaceAll(/\/\/.*$/gm, "")
    .replaceAll(/\/\*.*?\*\//gs, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

const statements =
  /_item$|^(?:let_declaration|use_declaration|extern_crate_declaration|macro_definition|empty_statement)$/;

/** Returns the expressions that may be the block's value; attributes can choose between several. */
export function tailsOf(body: SyntaxNode): SyntaxNode[] {
  const tails: SyntaxNode[] = [];
  const children = body.children.filter(
    (child) => child.named && !/comment|inner_attribute_item|^label$/.test(child.kind),
  );
  for (let at = children.length - 1; at >= 0; at -= 1) {
    const tail = expressionOf(children[at]);
    if (tail === undefined) break;
    if (children[at - 1]?.kind !== "attribute_item") {
      if (tails.length === 0) tails.push(tail);
      break;
    }
    tails.push(tail);
    while (children[at - 1]?.kind === "attribute_item") at -= 1;
  }
  return tails.filter((tail) => !/^(?:return_expression|break_expression)$/.test(tail.kind));
}

function expressionOf(node: SyntaxNode | undefined): SyntaxNode | undefined {
  if (node === undefined || statements.test(node.kind)) return undefined;
  if (node.kind !== "expression_statement") return node;
  return node.children.some((child) => child.kind === ";")
    ? undefined
    : node.children.find((one) => one.named);
}
