/**
 * Removes types from a file's text: annotations, and TypeScript's type-only declarations. These have no effect at run
 * time. Pure.
 */
import { childOf, type SyntaxNode, walk } from "./node.ts";
import type { Source } from "./reading.ts";

interface Cut {
  readonly start: number;
  readonly end: number;
}

/** Languages that erase types, or ignore them at run time. In other languages, the build uses the types. */
const cuts: Readonly<Record<string, (node: SyntaxNode) => Cut | undefined>> = {
  python: cutOfPython,
  typescript: cutOfTypescript,
};

export function eraseTypes({ tree, dialect }: Source): string {
  const cutOf = cuts[dialect.language];
  if (cutOf === undefined) return tree.text;
  const found: Cut[] = [];
  const isKept = (node: SyntaxNode): boolean => {
    const cut = cutOf(node);
    if (cut !== undefined) found.push(cut);
    return cut === undefined;
  };
  for (const _ of walk(tree.root, isKept));
  const ends = [0, ...found.map(({ end }) => end)];
  const starts = [...found.map(({ start }) => start), tree.text.length];
  return ends.map((end, index) => tree.text.slice(end, starts[index])).join("");
}

/**
 * Cuts the types of parameters, results and local variables. Dataclasses and similar tools read the types in a class
 * body.
 */
function cutOfPython(node: SyntaxNode): Cut | undefined {
  const { parent } = node;
  if (node.kind !== "type" || parent === undefined) return undefined;
  const isLocal =
    parent.kind === "assignment" && childOf(parent, "right") !== undefined && !isInClass(parent);
  const isSignature =
    node.field === "return_type" ||
    parent.kind === "typed_parameter" ||
    parent.kind === "typed_default_parameter";
  if (!isLocal && !isSignature) return undefined;
  // Includes its `:` or `->`.
  const mark = parent.children[parent.children.indexOf(node) - 1];
  return { start: mark?.start ?? node.start, end: node.end };
}

function isInClass(node: SyntaxNode): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (at.kind === "class_definition") return true;
    if (at.kind === "function_definition") return false;
  }
  return false;
}

const erased = new Set([
  "type_annotation",
  "type_arguments",
  "type_parameters",
  "type_predicate_annotation",
  "asserts_annotation",
  "interface_declaration",
  "type_alias_declaration",
  "ambient_declaration",
  "function_signature",
  "abstract_method_signature",
]);

function cutOfTypescript(node: SyntaxNode): Cut | undefined {
  if (erased.has(node.kind)) return node;
  const { parent } = node;
  const isCast = parent?.kind === "as_expression" || parent?.kind === "satisfies_expression";
  // `value as Type`: cuts all but the value.
  const [value] = parent?.children ?? [];
  return isCast && value !== undefined && node !== value ? { start: node.start, end: node.end } : undefined;
}
