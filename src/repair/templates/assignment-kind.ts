import { partOf, roleOf } from "../../syntax/reading.ts";
import { defineTemplate, type Edit, replaceNode, textAt } from "../template.ts";

export default defineTemplate({
  name: "assignment-kind",
  description:
    "Turns an augmented assignment into a plain one. Adds or subtracts instead of assigning, or keeps the larger or smaller of the old and the new value.",
  source: "TBar FP11 on augmented assignments; GenProg's operator mutations (Le Goues et al., TSE 2012)",
  prior: 0.35,
  at: ["assignment", "augmented-assignment"],
  *apply(site): Generator<Edit | undefined> {
    const target = partOf(site.source, site.node, "target");
    const value = partOf(site.source, site.node, "value");
    if (target === undefined || value === undefined) return;
    if (!["identifier", "attribute", "subscript"].includes(roleOf(site.source, target) ?? "")) return;
    const [name, written] = [textAt(site, target), textAt(site, value)];
    if (site.role === "augmented-assignment") {
      yield replaceNode(site.node, `${name} = ${written}`);
      return;
    }
    const typed = site.node.children.some((child) => roleOf(site.source, child) === "type");
    const literal = ["collection", "string", "boolean", "null"].includes(roleOf(site.source, value) ?? "");
    if (typed || literal || isFirstBinding()) return;
    yield replaceNode(site.node, `${name} += ${written}`);
    yield replaceNode(site.node, `${name} -= ${written}`, 0.5);
    const { spelling } = site.source.dialect;
    for (const chosen of [spelling.maximum(name, written), spelling.minimum(name, written)]) {
      if (chosen !== undefined) yield replaceNode(site.node, `${name} = ${chosen}`, 0.6);
    }

    /** True for a variable's first assignment, before which there is no old value. */
    function isFirstBinding(): boolean {
      const isName = target !== undefined && roleOf(site.source, target) === "identifier";
      return isName && !site.variables.some((variable) => variable.name === name);
    }
  },
});
