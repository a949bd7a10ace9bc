import { callOf, partOf } from "../../syntax/reading.ts";
import { nameLikeness } from "../likeness.ts";
import { defineTemplate, type Edit, replaceNode, type Site } from "../template.ts";
import { canBeCalledFor } from "../written-types.ts";

export default defineTemplate({
  name: "replace-callee",
  description:
    "Calls another function or method: of the same family, or one that the file calls in the same way.",
  source: "PAR's method replacer (Kim et al., ICSE 2013); TBar FP10.1",
  prior: 0.5,
  at: ["call"],
  *apply(site): Generator<Edit> {
    const call = callOf(site.source, site.node);
    if (call === undefined) return;
    const target = partOf(site.source, call.callee, "member") ?? call.callee;
    if (target === undefined || !/^\w+$/.test(call.name)) return;
    const family = site.source.dialect.builtinFamilies.filter((names) => names.includes(call.name)).flat();
    const weights = new Map<string, number>();
    for (const name of seenAlike(site, call.arguments.length, call.receiver !== undefined)) {
      weights.set(name, 0.3 + 0.4 * nameLikeness(name, call.name));
    }
    for (const name of family) weights.set(name, 1);
    weights.delete(call.name);
    const fitting = [...weights].filter(([name]) =>
      canBeCalledFor(site, call.name, name, call.arguments.length),
    );
    for (const [name, weight] of fitting.sort((a, b) => b[1] - a[1]).slice(0, 10)) {
      yield replaceNode(target, name, weight);
    }
  },
});

/**
 * Names called with as many arguments, methods for a method and functions for a function; also functions defined here.
 */
function seenAlike(site: Site, arity: number, isMethod: boolean): Set<string> {
  const names = site.context.calls
    .filter((seen) => seen.arity === arity && (seen.receiver !== undefined) === isMethod)
    .map((seen) => seen.name);
  return new Set(names);
}
