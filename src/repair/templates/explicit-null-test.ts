import { negatedOf, roleOf } from "../../syntax/reading.ts";
import { decidingRoles, decisionAt, operandsOf } from "../conditions.ts";
import { defineTemplate, type Edit, replaceNode, textAt } from "../template.ts";

export default defineTemplate({
  name: "explicit-null-test",
  description: "Replaces a truthiness check with a check for null or for true, or adds a missing null check.",
  source:
    "Hanam, Brito, Mesbah: Discovering Bug Patterns in JavaScript, FSE 2016 (falsy, undefined and null checks)",
  prior: 0.5,
  at: decidingRoles,
  *apply(site): Generator<Edit | undefined> {
    const { dialect } = site.source;
    // In languages with declared types, a condition is already a boolean.
    if (dialect.types !== undefined || dialect.shapeOfType !== undefined) return;
    const condition = decisionAt(site);
    if (condition === undefined) return;
    const { and, equal, not } = dialect.operators;
    for (const operand of operandsOf(site.source, condition)) {
      const passed = dialect.spelling.passedByNull?.(textAt(site, operand));
      if (passed !== undefined) {
        yield replaceNode(operand, `${dialect.spelling.isNotNull(passed)} ${and} ${textAt(site, operand)}`);
      }
      const negated = negatedOf(site.source, operand);
      const value = negated ?? operand;
      if (!["identifier", "attribute", "subscript"].includes(roleOf(site.source, value) ?? "")) continue;
      const text = textAt(site, value);
      const { isNull, isNotNull, true: truth } = dialect.spelling;
      yield replaceNode(operand, negated === undefined ? isNotNull(text) : isNull(text));
      const isTrue = `${text} ${equal} ${truth}`;
      yield replaceNode(operand, negated === undefined ? isTrue : `${not}(${isTrue})`, 0.4);
    }
  },
});
