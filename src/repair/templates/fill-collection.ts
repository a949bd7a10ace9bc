import { parentsOf } from "../../syntax/node.ts";
import { functionAbove } from "../../syntax/statements.ts";
import { loopAround, takesStatements } from "../sites.ts";
import { insertAfter, insertBefore } from "../statement-edits.ts";
import { defineTemplate, type Edit, type Site } from "../template.ts";
import { type NeverFilled, neverFilledIn } from "../unfilled-collections.ts";

export default defineTemplate({
  name: "fill-collection",
  description:
    "Adds a value to a collection that the file creates empty and reads, but never fills. The value is a loop variable, or a value that the file looks up in this collection.",
  source:
    "A missing call (ODC's assignment and algorithm faults); PRoMal and GROUMiner on missing method calls",
  prior: 0.4,
  at: ["any-statement"],
  *apply(site): Generator<Edit> {
    if (!takesStatements(site)) return;
    for (const { line, weight } of additions(site).slice(0, 10)) {
      const after = insertAfter(site, line, weight);
      if (after !== undefined) yield after;
      yield insertBefore(site, line, weight);
    }
  },
});

function additions(site: Site): { line: string; weight: number }[] {
  const { source, statement } = site;
  const here = functionAbove(source, statement.node);
  const around = new Set(parentsOf(statement.node));
  const usable = new Set(site.variables.map(({ name }) => name));
  const end = source.dialect.spelling.statementEnd;
  return neverFilledIn(site.context)
    .filter(({ within, users }) => around.has(within) && users.includes(here))
    .filter(({ name }) => usable.has(name))
    .flatMap((collection) =>
      valuesFor(site, collection).flatMap(({ value, weight }) =>
        collection.ways.map((way, rank) => ({
          line: way.replaceAll("{c}", () => collection.name).replaceAll("{v}", () => value) + end,
          weight: weight / (1 + rank / 4),
        })),
      ),
    )
    .sort((a, b) => b.weight - a.weight);
}

/**
 * The values that the function looks up. For a collection without look-ups, the names that each round of the loop
 * binds.
 */
function valuesFor(site: Site, { name, sought }: NeverFilled): { value: string; weight: number }[] {
  const usable = new Set(site.variables.map((variable) => variable.name));
  const asked = sought.filter(({ names }) => names.every((one) => usable.has(one)));
  if (sought.length > 0) {
    return [...new Set(asked.map(({ text }) => text))].slice(0, 4).map((value) => ({ value, weight: 1 }));
  }
  const loop = loopAround(site.source, site.statement.node);
  if (loop === undefined) return [];
  const bound = site.variables.filter(
    (variable) => variable.name !== name && variable.boundAt > loop.start && variable.kind !== "attribute",
  );
  return bound.slice(0, 4).map((variable, rank) => ({ value: variable.name, weight: 0.8 / (1 + rank / 4) }));
}
