import { binaryOf } from "../../syntax/reading.ts";
import { isLogical } from "../conditions.ts";
import { defineTemplate, type Edit, replaceNode, textAt } from "../template.ts";

export default defineTemplate({
  name: "drop-operand",
  description:
    "Keeps only one operand of a binary operator that compares nothing: `a and b` becomes `a` or `b`, `a + b` becomes `a` or `b`.",
  source: "PAR's expression remover (Kim et al., ICSE 2013); TBar FP6.2",
  prior: 0.65,
  at: ["binary"],
  *apply(site): Generator<Edit> {
    const binary = binaryOf(site.source, site.node);
    if (binary === undefined || site.source.dialect.operators.comparison.includes(binary.sign)) return;
    const weight = isLogical(site.source, site.node) ? 1 : 0.7;
    yield replaceNode(site.node, textAt(site, binary.left), weight);
    yield replaceNode(site.node, textAt(site, binary.right), weight);
  },
});
