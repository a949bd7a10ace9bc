import type { SyntaxNode } from "../../syntax/node.ts";
import { binaryOf, callOf, operandText, partOf, roleOf, type Source } from "../../syntax/reading.ts";
import { defineTemplate, type Edit, replaceNode, type Site } from "../template.ts";

const counted: ReadonlySet<string> = new Set(["identifier", "attribute", "call", "subscript", "binary"]);

export default defineTemplate({
  name: "off-by-one",
  description:
    "Adds or subtracts one from a position or a count: in a subscript, a slice, an argument, a comparison or a repetition.",
  source: "TBar FP9 and FP11; PAR's range checker (Kim et al., ICSE 2013)",
  prior: 0.5,
  at: ["identifier", "attribute", "call", "subscript", "binary"],
  *apply(site): Generator<Edit> {
    const { node, source } = site;
    const share = counted.has(site.role) ? positionShare(source, node) : 0;
    if (share === 0) return;
    const binary = binaryOf(source, node);
    if (binary !== undefined && !["+", "-", "*", "//", "/"].includes(binary.sign)) return;
    if (isKnownOtherwise(site)) return;
    const text =
      binary === undefined ? operandText(source, node) : site.source.tree.text.slice(node.start, node.end);
    const needsParentheses = isRepetition(source, node);
    for (const sign of ["-", "+"]) {
      const changed = `${text} ${sign} 1`;
      yield replaceNode(node, needsParentheses ? `(${changed})` : changed, share);
    }
  },
});

/** The likelihood that a node in its place is a position or a count; 0 if it is almost impossible. */
function positionShare(source: Source, node: SyntaxNode): number {
  const parent = node.parent;
  if (parent === undefined) return 0;
  const role = roleOf(source, parent);
  if (role === "subscript") return partOf(source, parent, "object") === node ? 0 : 1;
  if (role === "slice") return 1;
  if (role === "arguments") return argumentShare(source, parent);
  if (role === "parentheses") return isRepetition(source, parent) ? 1 : 0;
  const binary = binaryOf(source, parent);
  if (binary === undefined) return 0;
  if (isRepetition(source, node)) return 1;
  const { comparison, equalities } = source.dialect.operators;
  const isOrder = comparison.slice(0, 4).includes(binary.sign);
  return isOrder ? 0.7 : equalities.includes(binary.sign) ? 0.4 : 0;
}

/** True for a number of repetitions: `n` in `n * [0]` and `"-" * n`. */
function isRepetition(source: Source, node: SyntaxNode): boolean {
  const binary = node.parent && binaryOf(source, node.parent);
  if (binary?.sign !== "*") return false;
  const other = binary.left === node ? binary.right : binary.left;
  return ["collection", "string"].includes(roleOf(source, other) ?? "");
}

function argumentShare(source: Source, list: SyntaxNode): number {
  const call = list.parent && callOf(source, list.parent);
  if (call === undefined) return 0;
  return /^(range|slice|substring|substr|splice|at|charAt|repeat|insert)$/.test(call.name) ? 1 : 0.55;
}

/** True if the file uses the value as a sequence, an object or a text, and never as a number. */
function isKnownOtherwise(site: Site): boolean {
  const shapes = site.context.shapes.get(site.source.tree.text.slice(site.node.start, site.node.end));
  return shapes !== undefined && !shapes.has("number");
}
