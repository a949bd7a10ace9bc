import { binaryOf, roleOf } from "../../syntax/reading.ts";
import { defineTemplate, type Edit } from "../template.ts";

/** For each operator, those with which programmers confuse it most often. */
const nearest: Readonly<Record<string, readonly string[]>> = {
  "+": ["-"],
  "-": ["+"],
  "*": ["/", "**", "+"],
  "/": ["//", "*"],
  "//": ["/", "%"],
  "%": ["//", "/"],
  "**": ["*"],
  "&": ["|"],
  "|": ["&"],
  "^": ["&", "|"],
  "<<": [">>"],
  ">>": ["<<"],
};

export default defineTemplate({
  name: "arithmetic-operator",
  description:
    "Replaces an arithmetic or bitwise operator, in an expression, an augmented assignment or an increment.",
  source: "AOR of mutation testing; TBar FP11.1 (Liu et al., ISSTA 2019)",
  prior: 0.55,
  at: ["binary", "augmented-assignment", "update"],
  *apply(site): Generator<Edit> {
    const { source, node } = site;
    const isUpdate = site.role === "update";
    const operator =
      site.role === "binary" ? binaryOf(source, node)?.operator : node.children.find((c) => !c.named);
    if (operator === undefined) return;
    const written = source.tree.text.slice(operator.start, operator.end);
    const suffix = site.role === "augmented-assignment" ? "=" : "";
    const sign = isUpdate ? (written[0] ?? "") : written.slice(0, written.length - suffix.length);
    const { arithmetic, bitwise } = source.dialect.operators;
    const group = [arithmetic, bitwise].find((operators) => operators.includes(sign));
    if (group === undefined || isText(site.source, node)) return;
    const near = nearest[sign] ?? [];
    const others = isUpdate ? [] : group.filter((other) => other !== sign && !near.includes(other));
    const known = near.filter(
      (other) => group.includes(other) && (!isUpdate || other === "-" || other === "+"),
    );
    for (const other of [...known, ...others]) {
      const replacement = isUpdate ? other + other : other + suffix;
      yield {
        start: operator.start,
        end: operator.end,
        replacement,
        weight: known.includes(other) ? 1 : 0.45,
      };
    }
  },
});

/**
 * True for an operation on strings: programs concatenate them, or format them with `%`. No other operator makes sense.
 */
function isText(source: Parameters<typeof binaryOf>[0], node: Parameters<typeof binaryOf>[1]): boolean {
  return node.children.some((child) => roleOf(source, child) === "string");
}
