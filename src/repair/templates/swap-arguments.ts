import { namedChildren, type SyntaxNode } from "../../syntax/node.ts";
import { callOf, partOf, roleOf } from "../../syntax/reading.ts";
import { defineTemplate, type Edit, type Site, textAt } from "../template.ts";

export default defineTemplate({
  name: "swap-arguments",
  description: "Swaps two arguments of a call, two indices, or two elements of a short collection.",
  source: "Rice et al.: Detecting Argument Selection Defects, OOPSLA 2017; TBar FP10",
  prior: 0.6,
  at: ["call", "subscript", "collection"],
  *apply(site): Generator<Edit> {
    const given = exchangeable(site);
    const share = site.role === "collection" ? 0.4 : 1;
    for (const [index, first] of given.entries()) {
      for (const [distance, second] of given.slice(index + 1).entries()) {
        const between = site.source.tree.text.slice(first.end, second.start);
        const replacement = textAt(site, second) + between + textAt(site, first);
        yield {
          start: first.start,
          end: second.end,
          replacement,
          weight: share * (distance === 0 ? 1 : 0.6),
        };
      }
    }
  },
});

function exchangeable({ source, node, role }: Site): SyntaxNode[] {
  if (role === "subscript") {
    const index = partOf(source, node, "index");
    return namedChildren(node).filter((one) => index !== undefined && one.field === index.field);
  }
  const elements = role === "collection" ? namedChildren(node) : (callOf(source, node)?.arguments ?? []);
  const fixed = ["keyword-argument", "spread", "pair", "comment"];
  const given = elements.filter((one) => !fixed.includes(roleOf(source, one) ?? ""));
  const isLiteral = given.every((one) => ["number", "string"].includes(roleOf(source, one) ?? ""));
  return role === "collection" && (given.length > 3 || isLiteral) ? [] : given;
}
