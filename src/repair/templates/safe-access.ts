import { callOf, partOf, roleOf } from "../../syntax/reading.ts";
import { defineTemplate, type Edit, replaceNode, textAt } from "../template.ts";

export default defineTemplate({
  name: "safe-access",
  description:
    "Reads a field or an element only if its object is present: `a.b` becomes `a?.b`, `a && a.b` or `a.b if a else None`.",
  source: "NPEFix's local null checks (Durieux et al., SANER 2017) as an expression",
  prior: 0.4,
  at: ["attribute", "subscript"],
  *apply(site): Generator<Edit> {
    const { source, node } = site;
    const object = partOf(source, node, "object");
    const { safely } = source.dialect.spelling;
    if (object === undefined || safely === undefined || node.parent === undefined) return;
    const name = textAt(site, object);
    if (name.length > 60 || source.dialect.selves.includes(name) || /^[A-Z]/.test(name)) return;
    const isTarget = partOf(source, node.parent, "target") === node;
    if (isTarget) return;
    const isCalled = callOf(source, node.parent)?.callee === node;
    const isObject = isCalled || roleOf(source, node.parent) === "attribute";
    const rest = source.tree.text.slice(object.end, node.end);
    for (const [rank, text] of safely(name, rest).entries()) {
      const isJoined = /\s/.test(text);
      // These forms repeat the object, so it must be without effects.
      if (isJoined && (isObject || !/^[\w$@.]+$/.test(name))) continue;
      const needsParentheses = isJoined && roleOf(source, node.parent) === "binary";
      yield replaceNode(node, needsParentheses ? `(${text})` : text, 1 / (1 + rank / 2));
    }
  },
});
