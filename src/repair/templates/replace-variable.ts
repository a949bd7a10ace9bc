import { callOf, partOf, roleOf } from "../../syntax/reading.ts";
import type { ScopeName } from "../../syntax/scope.ts";
import { fits } from "../file-context.ts";
import { nameLikeness } from "../likeness.ts";
import { defineTemplate, type Edit, replaceNode, type Site, textAt } from "../template.ts";
import { canStandFor, typeOfName } from "../written-types.ts";

export default defineTemplate({
  name: "replace-variable",
  description: "Replaces a variable or field with another in scope that is used in the same way.",
  source:
    "PAR's parameter replacer (Kim et al., ICSE 2013); TBar FP13; the commonest one-statement fix in ManySStuBs4J (Karampatsis, Sutton, MSR 2020)",
  prior: 0.8,
  at: ["identifier", "attribute"],
  *apply(site): Generator<Edit> {
    const { node, source } = site;
    const isCallee = node.parent !== undefined && partOf(source, node.parent, "callee") === node;
    const name = textAt(site);
    const { selves } = source.dialect;
    if (isCallee || selves.includes(name) || !isReplaceable(site, name)) return;
    const others = site.variables
      .filter(
        (other) => other.name !== name && !selves.includes(other.name) && canStandFor(site, name, other),
      )
      .map((other, rank) => ({ other, weight: weigh(site, name, other, rank) }))
      .sort((a, b) => b.weight - a.weight);
    for (const { other, weight } of others) yield replaceNode(node, other.name, weight);
  },
});

/**
 * True if a name can be replaced. An attribute must be a field of the method's own object. A name must not be that of a
 * function or a module.
 */
function isReplaceable(site: Site, name: string): boolean {
  if (site.role === "attribute") return site.variables.some((variable) => variable.name === name);
  const parent = site.node.parent;
  const isObject =
    parent !== undefined &&
    (roleOf(site.source, parent) === "attribute" || callOf(site.source, parent)?.receiver === site.node);
  return site.variables.some((variable) => variable.name === name) || !isObject;
}

function weigh(site: Site, name: string, { name: other, type }: ScopeName, rank: number): number {
  const alike = nameLikeness(name, other);
  const isDoubtful = typeOfName(site, name) !== undefined && type === undefined;
  const suits = (fits(site.context, name, other) ? 1 : 0.3) * (isDoubtful ? 0.5 : 1);
  return suits * novelty(site, other) * (0.55 + 0.3 * alike + 0.15 / (1 + rank));
}

/** A lower weight for a name that is already next to the site: `a - a` and `f(a, a)` are seldom intended. */
function novelty(site: Site, other: string): number {
  const beside = site.node.parent?.children ?? [];
  if (!beside.some((sibling) => textAt(site, sibling) === other)) return 1;
  return site.node.parent !== undefined && roleOf(site.source, site.node.parent) === "binary" ? 0.3 : 0.6;
}
