import { codeOf, partOf } from "../../syntax/reading.ts";
import { nameLikeness } from "../likeness.ts";
import { leaving, takesStatements } from "../sites.ts";
import { insertAfter, insertBefore } from "../statement-edits.ts";
import { defineTemplate, type Edit, type Site } from "../template.ts";
import { canStandFor } from "../written-types.ts";

export default defineTemplate({
  name: "insert-assignment",
  description:
    "Inserts an assignment of a variable in scope to a field. The file assigns this field elsewhere.",
  source:
    "GenProg's insertion (Le Goues et al., TSE 2012) with the names of the place; a missing assignment (ODC)",
  prior: 0.22,
  at: ["any-statement"],
  *apply(site): Generator<Edit> {
    if (!takesStatements(site)) return;
    const end = site.source.dialect.spelling.statementEnd;
    const leaves = leaving.has(site.statement.role);
    for (const { target, value, weight } of assignments(site).slice(0, 6)) {
      const line = `${target} = ${value}${end}`;
      const after = insertAfter(site, line, weight);
      if (after !== undefined) yield after;
      yield insertBefore(site, line, leaves ? weight : weight * 0.8);
    }
  },
});

/** Fields of objects in scope that the file assigns, each with the variables that may be meant. */
function assignments(site: Site): { target: string; value: string; weight: number }[] {
  const names = site.variables.filter(({ kind }) => kind !== "attribute");
  const found = new Map<string, { target: string; value: string; weight: number }>();
  for (const target of assignedFields(site)) {
    const member = target.slice(target.lastIndexOf(".") + 1);
    for (const [rank, variable] of names.slice(0, 6).entries()) {
      if (target.startsWith(`${variable.name}.`) || !canStandFor(site, target, variable)) continue;
      const weight = 0.4 + 0.4 * nameLikeness(member, variable.name) + 0.2 / (1 + rank);
      found.set(`${target}=${variable.name}`, { target, value: variable.name, weight });
    }
  }
  return [...found.values()].sort((a, b) => b.weight - a.weight);
}

/** `self.capacity` in `self.capacity = n`, for objects in scope, at most two names deep. */
function assignedFields(site: Site): string[] {
  const usable = new Set([...site.source.dialect.selves, ...site.variables.map(({ name }) => name)]);
  const targets = new Set<string>();
  for (const { node, role } of site.context.statements) {
    if (role !== "assignment" && role !== "expression-statement") continue;
    const assignment = role === "assignment" ? node : node.children[0];
    const target = assignment && partOf(site.source, assignment, "target");
    const text = target === undefined ? "" : codeOf(site.source, target);
    const [object, member, more] = text.split(".");
    if (object === undefined || member === undefined || more !== undefined || !/^\w+$/.test(member)) continue;
    if (usable.has(object)) targets.add(text);
  }
  return [...targets];
}
