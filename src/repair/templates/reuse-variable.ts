import { binaryOf } from "../../syntax/reading.ts";
import { declaredShapes } from "../declared-types.ts";
import { defineTemplate, type Edit, replaceNode, type Site, textAt } from "../template.ts";

export default defineTemplate({
  name: "reuse-variable",
  description:
    "In a calculation or an order comparison (`<`, `>=`), replaces a call or a subscript with a number variable in scope.",
  source:
    "the inverse of TBar FP13.2, which replaces a variable with an expression; GenProg's replacement (Le Goues et al., TSE 2012)",
  prior: 0.15,
  at: ["call", "subscript"],
  *apply(site): Generator<Edit> {
    const binary = site.node.parent && binaryOf(site.source, site.node.parent);
    if (binary === undefined) return;
    const { arithmetic, comparison } = site.source.dialect.operators;
    if (!arithmetic.includes(binary.sign) && !comparison.slice(0, 4).includes(binary.sign)) return;
    const other = textAt(site, binary.left === site.node ? binary.right : binary.left);
    const names = site.variables
      .filter(({ name, kind }) => kind !== "attribute" && name !== other && isNumber(site, name))
      .sort((a, b) => b.boundAt - a.boundAt);
    for (const [rank, { name }] of names.slice(0, 5).entries())
      yield replaceNode(site.node, name, 1 / (1 + rank / 5));
  },
});

/** True for a name of a number, or of unknown shape. */
function isNumber(site: Site, name: string): boolean {
  const declared = declaredShapes(site).get(name);
  if (declared !== undefined) return declared === "number";
  return site.context.shapes.get(name)?.has("number") ?? true;
}
