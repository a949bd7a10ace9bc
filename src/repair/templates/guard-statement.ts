import { identifiersIn } from "../likeness.ts";
import { questionsAbout } from "../questions.ts";
import { takesStatements } from "../sites.ts";
import { wrapInIf } from "../statement-edits.ts";
import { defineTemplate, type Edit, type Site, textAt } from "../template.ts";

export default defineTemplate({
  name: "guard-statement",
  description:
    "Runs a statement only if a condition holds that the file tests elsewhere, or if a number is not 0.",
  source: "SPR's conditional execution of a statement (Long, Rinard: ESEC/FSE 2015); TBar FP4.3",
  prior: 0.22,
  at: ["expression-statement", "return", "raise", "if"],
  *apply(site): Generator<Edit> {
    if (!takesStatements(site)) return;
    for (const { text, weight } of conditionsFor(site).slice(0, 8)) {
      const edit = wrapInIf(site, text, weight);
      if (edit !== undefined) yield edit;
    }
  },
});

/** The file's conditions over variables in scope. Conditions over the names of the statement come first. */
function conditionsFor(site: Site): { text: string; weight: number }[] {
  const names = new Set(site.variables.map(({ name }) => name));
  const read = new Set(identifiersIn(textAt(site, site.statement.node)));
  const found = new Map<string, number>();
  for (const { text, names: asked } of site.context.conditions) {
    if (!asked.every((name) => names.has(name))) continue;
    const words = identifiersIn(text);
    const shared = words.filter((word) => read.has(word)).length / words.length;
    found.set(text, Math.max(found.get(text) ?? 0, 0.3 + 0.7 * (shared || 0)));
  }
  const own = [...read].filter((name) => names.has(name)).slice(0, 3);
  for (const { text, weight } of questionsAbout(site.context, own, { most: 4, calls: false }))
    found.set(text, Math.max(found.get(text) ?? 0, weight * 0.7));
  const { notEqual } = site.source.dialect.operators;
  for (const name of names)
    if (read.has(name) && site.context.shapes.get(name)?.has("number"))
      found.set(`${name} ${notEqual} 0`, 0.5);
  return [...found].map(([text, weight]) => ({ text, weight })).sort((a, b) => b.weight - a.weight);
}
