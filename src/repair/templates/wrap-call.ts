import { functionAbove } from "../../syntax/statements.ts";
import { wrappingCallsIn } from "../seen-calls.ts";
import { defineTemplate, type Edit, replaceNode, type Site, textAt } from "../template.ts";
import { isWholeValue } from "../whole-values.ts";

export default defineTemplate({
  name: "wrap-call",
  description:
    "Passes a value through a function or method that the file already calls, or a conversion of the language: `x` becomes `f(x)`, `x.f()` or `String(x)`.",
  source: "ELIXIR's method insertion (Saha et al., ASE 2017); TBar FP10",
  prior: 0.3,
  at: ["identifier", "attribute", "subscript", "call", "binary"],
  *apply(site): Generator<Edit> {
    if (!isWholeValue(site)) return;
    const written = textAt(site);
    const counts = new Map<string, number>();
    for (const call of site.context.calls) {
      if (call.arity === 1 && call.receiver === undefined && /^\w+$/.test(call.name)) {
        counts.set(call.name, (counts.get(call.name) ?? 0) + 1);
      }
    }
    const names = [...counts].sort((a, b) => b[1] - a[1]).filter(([name]) => !written.startsWith(`${name}(`));
    for (const [name] of names.slice(0, 5)) yield replaceNode(site.node, `${name}(${written})`);
    const called = names.slice(0, 5).map(([name]) => name);
    const conversions = site.source.dialect.conversions ?? [];
    for (const [rank, name] of conversions.entries())
      if (!called.includes(name) && !written.startsWith(`${name}(`))
        yield replaceNode(site.node, `${name}(${written})`, 0.7 / (1 + rank / 2));
    const seen = wrappingCallsIn(site, written).filter(
      ({ text }) => !called.some((name) => text.startsWith(`${name}(`)),
    );
    for (const { text, weight } of seen.slice(0, 8)) yield replaceNode(site.node, text, weight);
    if (site.role !== "identifier") return;
    for (const { name, weight } of methodsFor(site, written))
      yield replaceNode(site.node, `${written}.${name}()`, weight);
  },
});

/** The file's methods without arguments. Methods called on the same name in the same function come first. */
function methodsFor(site: Site, written: string): { name: string; weight: number }[] {
  const here = functionAbove(site.source, site.statement.node);
  const found = new Map<string, number>();
  for (const { name, receiver, arity, function: around } of site.context.calls) {
    if (arity !== 0 || receiver === undefined || !/^\w+$/.test(name)) continue;
    const weight = receiver !== written ? 0.3 : around === here ? 1 : 0.6;
    found.set(name, Math.max(found.get(name) ?? 0, weight));
  }
  return [...found]
    .map(([name, weight]) => ({ name, weight }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, 4);
}
