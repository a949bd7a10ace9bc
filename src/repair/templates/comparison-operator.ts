import { binaryOf } from "../../syntax/reading.ts";
import { defineTemplate, type Edit } from "../template.ts";

/** Common mistakes: first the boundary, then the direction, then others. */
const boundaries: Readonly<Record<string, string>> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };
const directions: Readonly<Record<string, string>> = { "<": ">", ">": "<", "<=": ">=", ">=": "<=" };

export default defineTemplate({
  name: "comparison-operator",
  description:
    "Replaces a comparison operator with another. The likeliest one includes or excludes the bound. The next ones negate or reverse the comparison.",
  source: "ROR of mutation testing; TBar FP11.1 (Liu et al., ISSTA 2019)",
  prior: 0.85,
  at: ["binary"],
  *apply(site): Generator<Edit> {
    const binary = binaryOf(site.source, site.node);
    const { comparison, opposite, twins } = site.source.dialect.operators;
    if (binary === undefined || !comparison.includes(binary.sign)) return;
    const { sign, operator } = binary;
    const isOrder = boundaries[sign] !== undefined;
    const weights = new Map<string, number>();
    for (const other of comparison.filter((name) => isOrder === (boundaries[name] !== undefined)))
      weights.set(other, 0.3);
    if (isOrder) for (const equality of site.source.dialect.operators.equalities) weights.set(equality, 0.2);
    else if (site.source.dialect.operators.equalities.includes(sign)) {
      for (const order of Object.keys(boundaries)) weights.set(order, 0.25);
    }
    for (const [a, b] of twins) if (a === sign || b === sign) weights.set(a === sign ? b : a, 0.35);
    const direction = directions[sign];
    const boundary = boundaries[sign];
    if (direction !== undefined) weights.set(direction, 0.6);
    if (opposite[sign] !== undefined) weights.set(opposite[sign], 0.7);
    if (boundary !== undefined) weights.set(boundary, 1);
    weights.delete(sign);
    for (const [other, weight] of [...weights].sort((x, y) => y[1] - x[1])) {
      yield { start: operator.start, end: operator.end, replacement: other, weight };
    }
  },
});
