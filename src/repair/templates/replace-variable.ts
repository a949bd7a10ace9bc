import { partOf, roleOf } from "../../syntax/reading.ts";
import { fits } from "../file-context.ts";
import { nameLikeness } from "../likeness.ts";
import { defineTemplate, type Edit, replaceNode, type Site, textAt } from "../template.ts";

export default defineTemplate({
  name: "replace-variable",
  description: "Reads another variable or field that is in scope and used alike.",
  source: "PAR's parameter replacer (Kim et al., ICSE 2013); TBar FP9",
  prior: 0.6,
  at: ["identifier", "attribute"],
  *apply(site): Generator<Edit> {
    const { node, source } = site;
    const isCallee = node.parent !== undefined && partOf(source, node.parent, "callee") === node;
    const name = textAt(site);
    const { selves } = source.dialect;
    if (isCallee || selves.includes(name) || !isReplaceable(site, name)) return;
    const others = site.variables
      .filter((other) => other.name !== name && !selves.includes(other.name))
      .map((other, rank) => ({ other, weight: weigh(site, name, other.name, rank) }))
      .sort((a, b) => b.weight - a.weight);
    for (const { other, weight } of others) yield replaceNode(node, other.name, weight);
  },
});

/** Of attributes only fields of the own object, whole; any name that is no function's or module's. */
function isReplaceable(site: Site, name: string): boolean {
  if (site.role === "attribute") return site.variables.some((variable) => variable.name === name);
  const parent = site.node.parent;
  const isObject = parent !== undefined && roleOf(site.source, parent) === "attribute";
  return site.variables.some((variable) => variable.name === name) || !isObject;
}

function weigh(site: Site, name: string, other: string, rank: number): number {
  const alike = nameLikeness(name, other);
  const suits = fits(site.context, name, other) ? 1 : 0.5;
  return suits * (0.55 + 0.3 * alike + 0.15 / (1 + rank));
}
