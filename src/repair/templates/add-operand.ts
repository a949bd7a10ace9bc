import { binaryOf, partOf, roleOf, unwrapParentheses } from "../../syntax/reading.ts";
import { fits } from "../file-context.ts";
import { defineTemplate, type Edit, replaceNode, type Site, textAt } from "../template.ts";

export default defineTemplate({
  name: "add-operand",
  description:
    "Extends a variable or field in a calculation, comparison, argument or subscript: `x` becomes `x * x`, or `x + y`, `x - y` or `x * y` with another variable of the function.",
  source: "SemFix's arithmetic synthesis (Nguyen et al., ICSE 2013); TBar FP11",
  prior: 0.3,
  at: ["identifier", "attribute"],
  *apply(site): Generator<Edit> {
    const share = calculationShare(site);
    if (share === 0) return;
    const written = textAt(site);
    const shapes = site.context.shapes.get(written);
    if (shapes !== undefined && !shapes.has("number")) return;
    yield replaceNode(site.node, `${written} * ${written}`, share);
    const others = site.variables.filter(
      ({ name, kind }) =>
        name !== written &&
        kind !== "attribute" &&
        fits(site.context, written, name) &&
        isCounted(site, name),
    );
    for (const { name } of others.slice(0, 4)) {
      for (const sign of ["-", "+", "*"])
        yield replaceNode(site.node, wrap(site, `${written} ${sign} ${name}`), share * 0.5);
    }
  },
});

function isCounted(site: Site, name: string): boolean {
  const shapes = site.context.shapes.get(name);
  return shapes === undefined || shapes.has("number");
}

/** 1 inside a calculation or a comparison, less for an argument or a subscript; 0 elsewhere. */
function calculationShare(site: Site): number {
  const { node, source } = site;
  const parent = node.parent;
  if (parent === undefined) return 0;
  const binary = binaryOf(source, parent);
  const { arithmetic, comparison } = source.dialect.operators;
  if (binary !== undefined) {
    return arithmetic.includes(binary.sign) || comparison.slice(0, 4).includes(binary.sign) ? 1 : 0;
  }
  const role = roleOf(source, parent);
  if (role === "arguments") return 0.7;
  return role === "subscript" && partOf(source, parent, "object") !== node ? 0.5 : 0;
}

/** Adds parentheses to `x - y` next to another operator. */
function wrap(site: Site, text: string): string {
  const parent = site.node.parent;
  const outer = parent && binaryOf(site.source, unwrapParentheses(site.source, parent));
  const isCalculated = outer !== undefined && site.source.dialect.operators.arithmetic.includes(outer.sign);
  return isCalculated ? `(${text})` : text;
}
