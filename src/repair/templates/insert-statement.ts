import { functionAbove, type Statement } from "../../syntax/statements.ts";
import { namesIn } from "../file-context.ts";
import { canInsertBefore, lineHead } from "../sites.ts";
import { insertAfter, insertBefore } from "../statement-edits.ts";
import { defineTemplate, type Edit, type Site, textAt } from "../template.ts";

export default defineTemplate({
  name: "insert-statement",
  description: "Puts a short statement of the same file before or after another, or an `if` that only exits.",
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

/** Short simple statements whose variables are in scope, those of the same function and frequent ones first. */
function donors(site: Site): { line: string; weight: number }[] {
  const usable = new Set(site.variables.map((variable) => variable.name));
  const here = functionAbove(site.source, site.statement.node);
  const found = new Map<string, { weight: number; count: number }>();
  for (const statement of site.context.statements) {
    if (statement.node === site.statement.node) continue;
    const isGuard = leavesOnly(site, statement);
    if (statement.role !== "expression-statement" && !isGuard) continue;
    const line = isGuard ? withoutIndent(site, statement) : textAt(site, statement.node);
    if (line.length > 120 || /^["'`]/.test(line)) continue;
    if (!isGuard && (statement.node.startLine !== statement.node.endLine || line.length > 80)) continue;
    const isHere = here !== undefined && functionAbove(site.source, statement.node) === here;
    const foreign = namesIn(site.source, statement.node).filter(
      (name) => !usable.has(name) && isBound(site, name),
    );
    const weight = (isHere ? 1 : 0.5) * (isGuard ? 0.6 : 1);
    if (foreign.length > 0) continue;
    const known = found.get(line);
    found.set(line, { weight: Math.max(known?.weight ?? 0, weight), count: (known?.count ?? 0) + 1 });
  }
  return [...found]
    .map(([line, { weight, count }]) => ({
      line,
      weight: weight * (0.8 + 0.2 * Math.min(1, (count - 1) / 3)),
    }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, 6);
}

/** A short `if` that only leaves: `if err != nil { return err }`. */
function leavesOnly(site: Site, statement: Statement): boolean {
  const { node } = statement;
  if (statement.role !== "if" || node.endLine - node.startLine > 3) return false;
  const inner = site.context.statements.filter(
    (other) => other.node !== node && other.node.start >= node.start && other.node.end <= node.end,
  );
  const [only, more] = inner;
  return only !== undefined && more === undefined && leaving.has(only.role);
}

const leaving: ReadonlySet<string> = new Set(["return", "raise", "break", "continue"]);

/** Its lines without the indentation of the surroundings. */
function withoutIndent(site: Site, { node }: Statement): string {
  const head = /^[ \t]*/.exec(lineHead(site.source, node.start))?.[0] ?? "";
  const lines = textAt(site, node).split(/\r?\n/);
  return lines
    .map((line, index) => (index > 0 && line.startsWith(head) ? line.slice(head.length) : line))
    .join("\n");
}

/** True for a name bound in some function of the file: outside it has no meaning. */
function isBound(site: Site, name: string): boolean {
  return site.context.scopes.bound.some(
    (bound) => bound.name === name && !["function", "class", "import"].includes(bound.kind),
  );
}
