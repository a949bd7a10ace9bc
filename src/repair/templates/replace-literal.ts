import type { ScopeName } from "../../syntax/scope.ts";
import { identifiersIn, nameLikeness } from "../likeness.ts";
import { defineTemplate, type Edit, replaceNode, type Site } from "../template.ts";
import { isWholeValue } from "../whole-values.ts";

export default defineTemplate({
  name: "replace-literal",
  description:
    "Replaces a number with a variable or field in scope, or a null argument or value with a variable.",
  source: "SPR's value replacement (Long, Rinard, ESEC/FSE 2015); TBar FP9, mutate literal expression",
  prior: 0.3,
  at: ["number", "null"],
  *apply(site): Generator<Edit> {
    if (site.role === "null") {
      if (isWholeValue(site)) yield* valuesFor(site);
      return;
    }
    const names = candidatesFor(site).sort((a, b) => b.weight - a.weight);
    for (const { name, weight } of names.slice(0, 6)) yield replaceNode(site.node, name, weight);
  },
});

/** Variables of the function that the statement does not read yet. */
function* valuesFor({ source, statement, node, variables }: Site): Generator<Edit> {
  const written = new Set(identifiersIn(source.tree.text.slice(statement.node.start, statement.node.end)));
  const names = variables.filter(({ name }) => !written.has(name) && !source.dialect.selves.includes(name));
  for (const [rank, { name }] of names.slice(0, 6).entries())
    yield replaceNode(node, name, 1 / (1 + rank / 4));
}

/**
 * Names of numbers, and of unknown shape. Names already in the statement weigh less, because they are seldom missing
 * there.
 */
function candidatesFor(site: Site): { name: string; weight: number }[] {
  const { source, statement } = site;
  const written = source.tree.text.slice(statement.node.start, statement.node.end);
  const words = [...new Set(written.match(/[A-Za-z_]\w*/g) ?? [])];
  return site.variables
    .filter(({ name }) => !source.dialect.selves.includes(name))
    .map((variable, rank) => {
      const isBeside = words.includes(variable.name);
      const alike = Math.max(0, ...words.map((word) => nameLikeness(word, variable.name)));
      const nearness = 0.5 + 0.3 / (1 + rank) + 0.2 * alike;
      return { name: variable.name, weight: likelyNumber(site, variable) * nearness * (isBeside ? 0.4 : 1) };
    })
    .filter(({ weight }) => weight > 0);
}

function likelyNumber({ source, context }: Site, { name, type }: ScopeName): number {
  if (source.dialect.types !== undefined && type === undefined) return 0.4;
  const shapes = context.shapes.get(name);
  if (shapes === undefined) return 0.6;
  return shapes.has("number") ? 1 : 0;
}
