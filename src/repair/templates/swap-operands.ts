import { binaryOf, operandText } from "../../syntax/reading.ts";
import { defineTemplate, type Edit, replaceNode } from "../template.ts";

export default defineTemplate({
  name: "swap-operands",
  description: "Swaps the operands of operators whose order can matter: `a - b`, `a < b`, `a + b` of texts.",
  source:
    "a variant of TBar FP11 (Liu et al., ISSTA 2019), which changes the operator and keeps the order of the operands",
  prior: 0.5,
  at: ["binary"],
  *apply(site): Generator<Edit> {
    const binary = binaryOf(site.source, site.node);
    if (binary === undefined || !site.source.dialect.operators.nonCommutative.includes(binary.sign)) return;
    const [left, right] = [operandText(site.source, binary.left), operandText(site.source, binary.right)];
    const isComparison = site.source.dialect.operators.comparison.includes(binary.sign);
    yield replaceNode(site.node, `${right} ${binary.sign} ${left}`, isComparison ? 0.5 : 1);
  },
});
