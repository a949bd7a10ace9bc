import { binaryOf } from "../../syntax/reading.ts";
import { decidingRoles, decisionAt, isLogical, negate } from "../conditions.ts";
import { defineTemplate, type Edit, replaceNode } from "../template.ts";

export default defineTemplate({
  name: "negate-condition",
  description: "Negates a condition, or one operand of it.",
  source: "SPR and Prophet's condition negation (Long, Rinard: FSE 2015, POPL 2016); TBar FP6",
  prior: 0.55,
  at: decidingRoles,
  *apply(site): Generator<Edit> {
    const condition = decisionAt(site);
    if (condition === undefined) return;
    yield replaceNode(condition, negate(site.source, condition));
    const waiting = [condition];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (!isLogical(site.source, next)) {
        if (next !== condition) yield replaceNode(next, negate(site.source, next), 0.7);
        continue;
      }
      const binary = binaryOf(site.source, next);
      if (binary !== undefined) waiting.push(binary.right, binary.left);
    }
  },
});
