import { partOf, roleOf } from "../../syntax/reading.ts";
import { chainedCallsIn } from "../seen-calls.ts";
import { defineTemplate, type Edit, type Site } from "../template.ts";
import { isWholeValue } from "../whole-values.ts";

export default defineTemplate({
  name: "append-method",
  description:
    "Calls a method on a value, with arguments that the file passes to this method: `x` becomes `x.trim()`.",
  source: "ELIXIR's method insertion (Saha et al., ASE 2017); TBar FP10",
  prior: 0.2,
  at: ["call", "attribute", "subscript", "identifier"],
  *apply(site): Generator<Edit> {
    if (!isWholeValue(site) && !isUnused(site)) return;
    for (const { text, weight } of chainedCallsIn(site).slice(0, 4))
      yield { start: site.node.end, end: site.node.end, replacement: text, weight };
  },
});

/** True for a call that is a whole statement. */
function isUnused({ source, node, role }: Site): boolean {
  const parent = node.parent;
  if (role !== "call" || parent === undefined) return false;
  return roleOf(source, parent) === "expression-statement" && partOf(source, parent, "target") === undefined;
}
