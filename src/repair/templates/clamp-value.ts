import type { SyntaxNode } from "../../syntax/node.ts";
import { binaryOf, partOf, roleOf, type Source } from "../../syntax/reading.ts";
import { defineTemplate, type Edit, replaceNode, type Site, textAt } from "../template.ts";

export default defineTemplate({
  name: "clamp-value",
  description: "Keeps a calculated value from becoming less than 0 or 1: `a - b` becomes `max(0, a - b)`.",
  source: "PAR's range checker (Kim et al., ICSE 2013) as a calculation; TBar FP3",
  prior: 0.2,
  at: ["binary"],
  *apply(site): Generator<Edit | undefined> {
    const binary = binaryOf(site.source, site.node);
    if (binary === undefined || !["-", "+"].includes(binary.sign) || !isWholeValue(site.source, site.node))
      return;
    // `+` joins texts too: a number must be in sight.
    const isNumber = [binary.left, binary.right].some((operand) => isNumeric(site, operand));
    if (binary.sign === "+" && !isNumber) return;
    const written = textAt(site);
    const { maximum } = site.source.dialect.spelling;
    yield replaceNode(site.node, maximum("0", written), binary.sign === "-" ? 1 : 0.7);
    yield replaceNode(site.node, maximum("1", written), 0.3);
  },
});

function isNumeric(site: Site, operand: SyntaxNode): boolean {
  if (roleOf(site.source, operand) === "number") return true;
  const shapes = site.context.shapes.get(textAt(site, operand));
  return shapes?.has("number") === true && !shapes.has("text");
}

/** True for an assigned or returned value, an argument, or an index. */
function isWholeValue(source: Source, node: SyntaxNode): boolean {
  const parent = node.parent;
  if (parent === undefined) return false;
  switch (roleOf(source, parent)) {
    case "arguments":
    case "return":
    case "slice":
      return true;
    case "subscript":
      return partOf(source, parent, "index") === node;
    case "assignment":
    case "declarator":
    case "declaration":
      return partOf(source, parent, "value") === node;
    default:
      return false;
  }
}
