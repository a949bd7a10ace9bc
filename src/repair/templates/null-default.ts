import { partOf, roleOf } from "../../syntax/reading.ts";
import { defineTemplate, type Edit, replaceNode, textAt } from "../template.ts";

export default defineTemplate({
  name: "null-default",
  description: "Uses an empty value in place of null: `x` becomes `x or []` or `x ?? 0`.",
  source: "NPEFix's replacement strategies (Durieux et al., SANER 2017)",
  prior: 0.25,
  at: ["identifier", "attribute", "call"],
  *apply(site): Generator<Edit | undefined> {
    const { node, source } = site;
    const parent = node.parent;
    if (parent === undefined) return;
    const role = roleOf(source, parent);
    const isValue = partOf(source, parent, "value") === node && role !== "keyword-argument";
    const isIterated = role === "for-each" && partOf(source, parent, "iterable") === node;
    if (
      !isIterated &&
      !(isValue && (role === "assignment" || role === "declarator" || role === "declaration")) &&
      role !== "return"
    )
      return;
    const { spelling } = source.dialect;
    const fallbacks = isIterated
      ? ["[]"]
      : spelling.empties.filter((value) => !spelling.nulls.includes(value));
    for (const fallback of fallbacks.slice(0, 4)) {
      yield replaceNode(node, spelling.orDefault(textAt(site), fallback), isIterated ? 1 : 0.6);
    }
  },
});
