import { functionAbove } from "../../syntax/statements.ts";
import { namesIn } from "../file-context.ts";
import { canInsertBefore } from "../sites.ts";
import { insertAfter, insertBefore } from "../statement-edits.ts";
import { defineTemplate, type Edit, type Site, textAt } from "../template.ts";

export default defineTemplate({
  name: "insert-statement",
  description:
    "Puts a statement of the same file before or after another: a copy, or one with another variable for an argument.",
  source: "GenProg's insertion of statements from elsewhere in the program (Le Goues et al., TSE 2012)",
  prior: 0.25,
  at: ["any-statement"],
  *apply(site): Generator<Edit> {
    if (!canInsertBefore(site) || ["function", "class", "import"].includes(site.statement.role)) return;
    for (const { line, weight } of donors(site)) {
      yield insertBefore(site, line, weight);
      const after = ["return", "raise", "break", "continue"].includes(site.statement.role)
        ? undefined
        : insertAfter(site, line, weight);
      if (after !== undefined) yield after;
    }
  },
});

/** Short simple statements whose variables can be used here, those of the same function first. */
function donors(site: Site): { line: string; weight: number }[] {
  const usable = new Set(site.variables.map((variable) => variable.name));
  const here = functionAbove(site.source, site.statement.node);
  const found = new Map<string, number>();
  for (const statement of site.context.statements) {
    if (statement.role !== "expression-statement" || statement.node === site.statement.node) continue;
    const line = textAt(site, statement.node);
    if (statement.node.startLine !== statement.node.endLine || line.length > 80 || /^["'`]/.test(line))
      continue;
    const isHere = here !== undefined && functionAbove(site.source, statement.node) === here;
    const foreign = namesIn(site.source, statement.node).filter(
      (name) => !usable.has(name) && isBound(site, name),
    );
    if (foreign.length === 0) found.set(line, Math.max(found.get(line) ?? 0, isHere ? 1 : 0.5));
  }
  return [...found]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 6)
    .map(([line, weight]) => ({ line, weight }));
}

/** True for a name that some function of the file binds: outside of it, the name means nothing. */
function isBound(site: Site, name: string): boolean {
  return site.context.scopes.bound.some(
    (bound) => bound.name === name && !["function", "class", "import"].includes(bound.kind),
  );
}
