import { binaryOf, roleOf, unwrapParentheses } from "../../syntax/reading.ts";
import { defineTemplate, type Edit, replaceNode, textAt } from "../template.ts";

export default defineTemplate({
  name: "regroup-operands",
  description:
    "Groups three operands the other way: `a and b or c` becomes `a and (b or c)`, or the reverse.",
  source:
    "Operator precedence errors, CWE-783; ManySStuBs4J's change of operands (Karampatsis, Sutton, MSR 2020)",
  prior: 0.3,
  at: ["binary"],
  *apply(site): Generator<Edit> {
    const { source, node } = site;
    const outer = binaryOf(source, node);
    if (outer === undefined) return;
    const left = binaryOf(source, unwrapParentheses(source, outer.left));
    const right = binaryOf(source, unwrapParentheses(source, outer.right));
    const isGrouped = (side: typeof node): boolean => roleOf(source, side) === "parentheses";
    if (left !== undefined && left.sign !== outer.sign) {
      const rest = `${textAt(site, left.right)} ${outer.sign} ${textAt(site, outer.right)}`;
      const first = `${textAt(site, left.left)} ${left.sign}`;
      yield replaceNode(node, isGrouped(outer.left) ? `${first} ${rest}` : `${first} (${rest})`);
    }
    if (right !== undefined && right.sign !== outer.sign) {
      const rest = `${textAt(site, outer.left)} ${outer.sign} ${textAt(site, right.left)}`;
      const last = `${right.sign} ${textAt(site, right.right)}`;
      yield replaceNode(node, isGrouped(outer.right) ? `${rest} ${last}` : `(${rest}) ${last}`);
    }
  },
});
