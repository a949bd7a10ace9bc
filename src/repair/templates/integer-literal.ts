import { unaryOf } from "../../syntax/reading.ts";
import { defineTemplate, type Edit, replaceNode, textAt } from "../template.ts";

export default defineTemplate({
  name: "integer-literal",
  description:
    "Adds one to an integer, subtracts one, changes the sign, or replaces the integer with 0, 1 or -1.",
  source: "TBar FP9, mutate literal expression (Liu et al., ISSTA 2019); CRP of mutation testing",
  prior: 0.5,
  at: ["number", "unary"],
  *apply(site): Generator<Edit> {
    const unary = unaryOf(site.source, site.node);
    const isNegative = unary?.sign === "-" && site.source.dialect.roles[unary.operand.kind] === "number";
    if (site.role === "unary" && !isNegative) return;
    const parent = site.node.parent;
    if (site.role === "number" && parent !== undefined && unaryOf(site.source, parent)?.sign === "-") return;
    const written = textAt(site);
    if (/^0x[0-9a-f]{1,8}$/i.test(written)) {
      const code = Number(written);
      for (const other of [code - 1, code + 1])
        if (other >= 0) yield replaceNode(site.node, `0x${other.toString(16)}`);
    }
    if (!/^-?\d{1,15}$/.test(written)) return;
    const value = Number(written);
    for (const other of new Set([value + 1, value - 1, 0, 1, -1, -value])) {
      if (other === value || Object.is(other, -0)) continue;
      yield replaceNode(site.node, String(other), Math.abs(other - value) === 1 ? 1 : 0.5);
    }
  },
});
