/** Finds the places of a statement that templates may change. */
import { namedChildren, parentsOf, type SyntaxNode } from "../syntax/node.ts";
import { codeOf, isVariable, partOf, roleOf, type Source } from "../syntax/reading.ts";
import { namesAt, type ScopeName } from "../syntax/scope.ts";
import {
  enclosingFunction,
  functionAbove,
  isStatement,
  ownNodes,
  type Statement,
} from "../syntax/statements.ts";
import { type FileContext, namesIn } from "./file-context.ts";
import type { Site } from "./template.ts";

const variableKinds: ReadonlySet<string> = new Set(["parameter", "local", "loop", "attribute"]);

/**
 * Returns the statement itself, and then its expressions in source order. Types, comments, imports, decorators,
 * docstrings and logging have no sites.
 */
export function sitesOf(context: FileContext, statement: Statement): Site[] {
  const { source } = context;
  if (statement.role === "import" || isDocumentation(source, statement) || isLogging(source, statement))
    return [];
  const variables = variablesAt(context, statement);
  const sites: Site[] = [];
  const closed = new Set<SyntaxNode>();
  for (const node of ownNodes(source, statement.node)) {
    const role = roleOf(source, node);
    const isInClosed = node.parent !== undefined && closed.has(node.parent);
    if (isInClosed || role === "type" || role === "comment" || role === "import" || role === "decorator") {
      closed.add(node);
      continue;
    }
    const isNested = node !== statement.node && isStatement(source, node);
    if (role === undefined || isNested || (role === "identifier" && !isReadOrWritten(source, node))) continue;
    sites.push({ source, node, role, statement, context, variables });
  }
  return sites;
}

/** True for a statement that is only a string: a docstring or a directive. */
function isDocumentation(source: Source, statement: Statement): boolean {
  const [only, more] = statement.node.children.filter((child) => child.named);
  return (
    statement.role === "expression-statement" &&
    more === undefined &&
    only !== undefined &&
    roleOf(source, only) === "string"
  );
}

const logging =
  /^(?:(?:log|tracing)::)?(?:debug|trace)!|^(?:self\.|this\.)?_?log(?:ger|ging)?\.(?:debug|trace|info|warn(?:ing)?)f?\(|^console\.(?:debug|info|trace)\(|^debug\(/i;

/** True for a logging statement, which does not affect the program's other behaviour. */
function isLogging(source: Source, { role, node }: Statement): boolean {
  return role === "expression-statement" && logging.test(codeOf(source, node));
}

function isReadOrWritten(source: Source, node: SyntaxNode): boolean {
  if (!isVariable(source, node)) return false;
  const parent = node.parent;
  if (parent === undefined || /pattern|import|specifier|alias/.test(parent.kind)) return false;
  const role = roleOf(source, parent);
  if (node.field === "pattern") return false;
  if (role === "declarator") return node !== partOf(source, parent, "target");
  if (role === "values" && parent.parent !== undefined && roleOf(source, parent.parent) === "declarator") {
    return parent !== partOf(source, parent.parent, "target");
  }
  return !(role === "for-each" && (node.field === "left" || node.field === "name"));
}

/** The usable variables, those of the statement's own function first. */
function variablesAt(context: FileContext, statement: Statement): ScopeName[] {
  const { source } = context;
  const around = enclosingFunction(source, statement.node);
  const mentioned = new Map<string, number>();
  if (around !== undefined) {
    for (const name of namesIn(source, around.node)) mentioned.set(name, 1);
  }
  const isLocal = (name: ScopeName): boolean =>
    around === undefined || mentioned.has(name.name.split(".")[0] ?? "");
  const names = namesAt(context.scopes, statement.node).filter((name) => variableKinds.has(name.kind));
  const near = names.filter((name) => isLocal(name) && !source.dialect.selves.includes(name.name));
  return [
    ...near.filter((name) => name.kind !== "attribute"),
    ...near.filter((name) => name.kind === "attribute"),
    ...names.filter((name) => !isLocal(name)),
  ];
}

/**
 * True if whole lines can be inserted before the statement. It must be first on its line, in a block or at the top
 * level.
 */
export function canInsertBefore(site: Site): boolean {
  const { node } = site.statement;
  const parent = node.parent;
  if (parent === undefined) return false;
  const role = roleOf(site.source, parent);
  if (role !== "block" && role !== "module") return false;
  return /^[ \t]*$/.test(lineHead(site.source, node.start));
}

/**
 * True if a template may insert statements at this site: `canInsertBefore` holds, and the statement is neither a
 * definition nor an import.
 */
export function takesStatements(site: Site): boolean {
  return canInsertBefore(site) && !["function", "class", "import"].includes(site.statement.role);
}

/** Roles of statements after which the rest of their block does not run. */
export const leaving: ReadonlySet<string> = new Set(["return", "raise", "break", "continue"]);

/** True if only whitespace or a comment follows the statement on its line. */
export function endsItsLine(site: Site): boolean {
  const { text } = site.source.tree;
  const rest =
    /^[^\r\n]*/.exec(text.slice(site.statement.node.end, site.statement.node.end + 300))?.[0] ?? "";
  return /^\s*(#|\/\/|$)/.test(rest);
}

/** Returns the text before the offset on its line. */
export function lineHead(source: Source, offset: number): string {
  const { text } = source.tree;
  return text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
}

/** Returns the loop around a node within its function, or undefined. */
export function loopAround(source: Source, node: SyntaxNode): SyntaxNode | undefined {
  for (const parent of parentsOf(node)) {
    const role = roleOf(source, parent);
    if (role === "while" || role === "for" || role === "for-each") return parent;
    if (source.dialect.rounds?.includes(parent.kind) === true) return parent;
    if (role === "function" || role === "function-expression") return undefined;
  }
  return undefined;
}

/** Returns the jumps (`continue`, `break`) that can be inserted at the node and still compile. Empty outside a loop. */
export function jumpsIn(source: Source, node: SyntaxNode): string[] {
  const loop = loopAround(source, node);
  if (loop === undefined) return [];
  const next = source.dialect.spelling.continue ?? "continue";
  return source.dialect.needsResult === true && closesFunction(source, loop) ? [next] : [next, "break"];
}

const endless = /^(?:while\s*\(\s*true\s*\)|for\s*(?:\(\s*;\s*;\s*\)\s*)?\{|loop\s*\{)/;

/** True for an endless loop at the end of a function that returns a value elsewhere. */
function closesFunction(source: Source, loop: SyntaxNode): boolean {
  const { text } = source.tree;
  const above = functionAbove(source, loop);
  if (above === undefined || !endless.test(text.slice(loop.start, loop.end))) return false;
  for (let inner = loop; inner.parent !== undefined && inner !== above; inner = inner.parent) {
    const after = inner.end;
    if (inner.parent.children.some((child) => child.start >= after && isStatement(source, child)))
      return false;
  }
  const returns = (node: SyntaxNode): boolean =>
    (roleOf(source, node) === "return" && namedChildren(node).length > 0) || node.children.some(returns);
  return loopAround(source, loop) === undefined && returns(above);
}

/** True if no statement follows in the loop body, so that `continue` would have no effect. False outside a loop. */
export function endsItsRound(source: Source, node: SyntaxNode): boolean {
  const loop = loopAround(source, node);
  if (loop === undefined) return false;
  for (let inner = node; inner.parent !== undefined && inner !== loop; inner = inner.parent) {
    const isBlock = roleOf(source, inner.parent) === "block";
    const after = inner.end;
    if (isBlock && inner.parent.children.some((child) => child.start >= after && isStatement(source, child)))
      return false;
  }
  return true;
}
