import { once } from "../../base/once.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { codeOf, type Source } from "../../syntax/reading.ts";
import { functionAbove, type Statement } from "../../syntax/statements.ts";
import { type FileContext, namesIn } from "../file-context.ts";
import { leaving, lineHead, takesStatements } from "../sites.ts";
import { insertAfter, insertBefore } from "../statement-edits.ts";
import { defineTemplate, type Edit, type Site } from "../template.ts";

export default defineTemplate({
  name: "insert-statement",
  description:
    "Inserts a short statement of the same file, or an `if` that only exits, before or after another statement.",
  source: "GenProg's insertion of statements from elsewhere in the program (Le Goues et al., TSE 2012)",
  prior: 0.25,
  at: ["any-statement"],
  *apply(site): Generator<Edit> {
    if (!takesStatements(site)) return;
    for (const { line, weight } of donors(site)) {
      yield insertBefore(site, line, weight);
      const after = insertAfter(site, line, weight);
      if (after !== undefined) yield after;
    }
  },
});

interface Donor {
  readonly line: string;
  readonly isGuard: boolean;
  readonly node: SyntaxNode;
  readonly function: SyntaxNode | undefined;
  /** Names that some function of the file binds. They have no meaning outside this function. */
  readonly bound: readonly string[];
}

/** Short simple statements whose variables are in scope, those of the same function and frequent ones first. */
function donors(site: Site): { line: string; weight: number }[] {
  const usable = new Set(site.variables.map((variable) => variable.name));
  const here = functionAbove(site.source, site.statement.node);
  const all = donorsIn(site.context);
  const found = new Map<string, { weight: number; count: number }>();
  for (const { line, isGuard, node, function: around, bound } of all) {
    if (node === site.statement.node || bound.some((name) => !usable.has(name))) continue;
    const isHere = here !== undefined && around === here;
    const weight = (isHere ? 1 : 0.5) * (isGuard ? 0.6 : 1);
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

/** Reads the donors once per file, because reading them at each site would take longer than all other templates. */
const donorsIn = once((context: FileContext): readonly Donor[] => {
  const { source } = context;
  const kinds = new Set(["function", "class", "import"]);
  const known = new Set(context.scopes.bound.filter(({ kind }) => !kinds.has(kind)).map(({ name }) => name));
  return context.statements.flatMap((statement) => {
    const { node, role } = statement;
    const isGuard = leavesOnly(context, statement);
    if (role !== "expression-statement" && !isGuard) return [];
    const line = isGuard ? withoutIndent(source, node) : codeOf(source, node);
    if (line.length > 120 || /^["'`]/.test(line)) return [];
    if (!isGuard && (node.startLine !== node.endLine || line.length > 80)) return [];
    const bound = namesIn(source, node).filter((name) => known.has(name));
    return [{ line, isGuard, node, function: functionAbove(source, node), bound }];
  });
});

/** True for a short `if` that only leaves: `if err != nil { return err }`. */
function leavesOnly({ statements }: FileContext, { node, role }: Statement): boolean {
  if (role !== "if" || node.endLine - node.startLine > 3) return false;
  const inner = statements.filter(
    (other) => other.node !== node && other.node.start >= node.start && other.node.end <= node.end,
  );
  const [only, more] = inner;
  return only !== undefined && more === undefined && leaving.has(only.role);
}

/** The statement's lines without the indentation of the surroundings. */
function withoutIndent(source: Source, node: SyntaxNode): string {
  const head = /^[ \t]*/.exec(lineHead(source, node.start))?.[0] ?? "";
  const lines = codeOf(source, node).split(/\r?\n/);
  return lines
    .map((line, index) => (index > 0 && line.startsWith(head) ? line.slice(head.length) : line))
    .join("\n");
}
