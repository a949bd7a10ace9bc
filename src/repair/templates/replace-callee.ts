import type { SyntaxNode } from "../../syntax/node.ts";
import { callOf, partOf, roleOf } from "../../syntax/reading.ts";
import { nameLikeness } from "../likeness.ts";
import { defineTemplate, type Edit, replaceNode, type Site, textAt } from "../template.ts";
import { canBeCalledFor } from "../written-types.ts";

export default defineTemplate({
  name: "replace-callee",
  description:
    "Calls another function or method: of the same family, called in the same way in the file, or defined next to the replaced one.",
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
    for (const name of definedAlike(site, call.name, call.arguments.length, call.receiver))
      weights.set(name, weights.get(name) ?? 0.25 + 0.4 * nameLikeness(name, call.name));
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
 * At most four functions of the file, likeliest first. They take `arity` arguments, and code here can call them in the
 * same way.
 */
function definedAlike(site: Site, name: string, arity: number, receiver: SyntaxNode | undefined): string[] {
  const { functions, source } = site.context;
  const called = functions.find((one) => one.name === name);
  const isOwn = receiver !== undefined && source.dialect.selves.includes(textAt(site, receiver));
  if (receiver !== undefined && !isOwn) return [];
  return functions
    .filter((one) => one.least <= arity && arity <= one.most && one.name !== name)
    .filter(({ within, result }) =>
      called === undefined
        ? roleOf(source, within) === (isOwn ? "class" : "module")
        : within === called.within && result === called.result,
    )
    .map((one) => one.name)
    .sort((a, b) => nameLikeness(b, name) - nameLikeness(a, name))
    .slice(0, 4);
}

/** Names that the file calls with `arity` arguments. Methods for a method, functions for a function. */
function seenAlike(site: Site, arity: number, isMethod: boolean): Set<string> {
  const names = site.context.calls
    .filter((seen) => seen.arity === arity && (seen.receiver !== undefined) === isMethod)
    .map((seen) => seen.name);
  return new Set(names);
}
