import { callOf, partOf } from "../../syntax/reading.ts";
import { nameLikeness } from "../likeness.ts";
import { defineTemplate, type Edit, replaceNode, textAt } from "../template.ts";

export default defineTemplate({
  name: "replace-member",
  description: "Replaces a field with another field that the file reads, preferably from the same object.",
  source: "PAR's parameter replacer; TBar FP13, for fields",
  prior: 0.6,
  at: ["attribute"],
  *apply(site): Generator<Edit> {
    const { node, source, context } = site;
    const object = partOf(source, node, "object");
    const member = partOf(source, node, "member");
    if (object === undefined || member === undefined) return;
    if (node.parent !== undefined && callOf(source, node.parent)?.callee === node) return;
    const own = context.members.get(textAt(site, object)) ?? new Set<string>();
    const name = textAt(site, member);
    const all = [...(context.members.get("") ?? [])].filter((other) => other !== name);
    const weighed = all.map((other) => ({
      other,
      weight: (own.has(other) ? 0.7 : 0.4) + 0.3 * nameLikeness(name, other),
    }));
    for (const { other, weight } of weighed.sort((a, b) => b.weight - a.weight).slice(0, 8)) {
      yield replaceNode(member, other, weight);
    }
  },
});
