import { callOf, roleOf } from "../../syntax/reading.ts";
import { defineTemplate, type Edit, replaceNode, textAt } from "../template.ts";

export default defineTemplate({
  name: "unwrap-call",
  description:
    "Uses an argument instead of the call, or the object instead of its method's result: `f(x)` becomes `x`.",
  source: "The inverse of `wrap-call` (TBar FP10, Liu et al., ISSTA 2019)",
  prior: 0.5,
  at: ["call"],
  *apply(site): Generator<Edit> {
    const call = callOf(site.source, site.node);
    if (call === undefined) return;
    const isStatement =
      site.node.parent !== undefined && roleOf(site.source, site.node.parent) === "expression-statement";
    if (isStatement) return;
    const given = call.arguments.filter(
      (one) => !["keyword-argument", "spread"].includes(roleOf(site.source, one) ?? ""),
    );
    const share = call.arguments.length === 1 ? 1 : 0.6;
    for (const argument of given.slice(0, 3)) yield replaceNode(site.node, textAt(site, argument), share);
    if (call.receiver !== undefined && !/^(Math|self|this)$/.test(textAt(site, call.receiver))) {
      yield replaceNode(site.node, textAt(site, call.receiver), 0.5);
    }
  },
});
