/**
 * The spans of Go code that can have several versions: a statement, or all statements from one to the end of its block.
 */

import { candidateVariable } from "../../languages/contract.ts";
import {
  namedChildren,
  parentsOf,
  type SyntaxNode,
  type SyntaxTree,
  textOf,
  walk,
} from "../../syntax/node.ts";
import { defineSelector, type SelectorSpan } from "../candidate-selector.ts";
import type { Insertion } from "../text-insertions.ts";

const functions = new Set(["function_declaration", "method_declaration", "func_literal"]);
/** Statements that name something for later ones, or that must stay in place. */
const declarations = new Set([
  "short_var_declaration",
  "var_declaration",
  "const_declaration",
  "type_declaration",
]);

function spans(tree: SyntaxTree): SelectorSpan[] {
  const found: SelectorSpan[] = [];
  for (const list of walk(tree.root)) {
    if (list.kind !== "statement_list" || !isInFunction(list)) continue;
    const statements = namedChildren(list).filter((child) => child.kind !== "comment");
    const block = list.parent?.kind === "block" ? list.parent : undefined;
    // The list of a case ends after its last line break: the following text would be on the switch's last line.
    const end = block === undefined ? (statements.at(-1)?.end ?? list.end) : block.end - 1;
    for (const [index, statement] of statements.entries()) {
      if (canMove(statement) && !declarations.has(statement.kind)) {
        found.push({ start: statement.start, end: statement.end, form: "statements" });
      }
      const isNew = index === 0 || declarations.has(statement.kind);
      const rest = statements.slice(index);
      if (isNew && rest.every(canMove) && keepsMeaning(tree, list, index, statements)) {
        const start = index === 0 && block !== undefined ? block.start + 1 : statement.start;
        found.push({ start, end, form: "statements" });
      }
    }
  }
  return withoutTwins(found);
}

/** Drops equal spans: a block with one statement has the span of this statement. */
function withoutTwins(spans: readonly SelectorSpan[]): SelectorSpan[] {
  return [...new Map(spans.map((span) => [`${span.start}-${span.end}`, span])).values()];
}

function isInFunction(node: SyntaxNode): boolean {
  return [...parentsOf(node)].some((parent) => functions.has(parent.kind));
}

/**
 * True if a program may contain the statement twice. A label may exist only once in its function, and `fallthrough`
 * must end a case.
 */
function canMove(statement: SyntaxNode): boolean {
  for (const node of walk(statement, (inner) => inner.kind !== "func_literal")) {
    if (node.kind === "labeled_statement") return false;
    if (node.kind === "fallthrough_statement" && node === statement) return false;
  }
  return true;
}

/**
 * In a separate block, `a, err := f()` declares new variables where it assigned parameters, results or earlier
 * variables before. True if nothing else reads the old variable, such as a bare `return` or an earlier closure.
 */
function keepsMeaning(
  tree: SyntaxTree,
  list: SyntaxNode,
  index: number,
  statements: readonly SyntaxNode[],
): boolean {
  const before = new Set(statements.slice(0, index).flatMap((statement) => declaredBy(tree, statement)));
  const around = list.parent?.parent;
  const holder =
    list.parent?.kind === "block" && around !== undefined && functions.has(around.kind) ? around : undefined;
  if (holder !== undefined) for (const name of parametersOf(tree, holder)) before.add(name);
  const rest = statements.slice(index);
  const again = rest.flatMap((statement) => declaredBy(tree, statement)).filter((name) => before.has(name));
  if (again.length === 0) return true;
  const isBare = rest.some((statement) => holdsBareReturn(statement));
  return !isBare && !statements.some((statement) => isReadInFunction(tree, statement, again));
}

function declaredBy(tree: SyntaxTree, statement: SyntaxNode): string[] {
  if (statement.kind !== "short_var_declaration") return [];
  const left = statement.children.find((child) => child.field === "left");
  return left === undefined ? [] : namesIn(tree, left);
}

function namesIn(tree: SyntaxTree, node: SyntaxNode): string[] {
  return [...walk(node)].filter((inner) => inner.kind === "identifier").map((inner) => textOf(tree, inner));
}

function parametersOf(tree: SyntaxTree, holder: SyntaxNode): string[] {
  return holder.children
    .filter((child) => child.kind === "parameter_list")
    .flatMap((child) => namesIn(tree, child));
}

function holdsBareReturn(statement: SyntaxNode): boolean {
  return [...walk(statement, (inner) => inner.kind !== "func_literal")].some(
    (node) => node.kind === "return_statement" && namedChildren(node).length === 0,
  );
}

function isReadInFunction(tree: SyntaxTree, statement: SyntaxNode, names: readonly string[]): boolean {
  return [...walk(statement)].some(
    (node) => node.kind === "func_literal" && namesIn(tree, node).some((name) => names.includes(name)),
  );
}

/**
 * The declaration of the candidate's number, on the line of the last import. The program reads the number once, before
 * its uses.
 */
function prelude(tree: SyntaxTree, name: string): Insertion {
  const top = namedChildren(tree.root);
  const last = top.findLast((node) => node.kind === "import_declaration" || node.kind === "package_clause");
  const read = `func() (n int) { for _, c := range []byte(${name}_os.Getenv("${candidateVariable}")) { n = n*10 + int(c) - 48 }; return }()`;
  const text = `; import ${name}_os "os"; var ${name} = ${read}`;
  return { at: last?.end ?? 0, text, side: "open", order: 0 };
}

/**
 * Adds a panic at the end of each function with a result. Otherwise the compiler would blame the function, not the
 * candidate that lacks a return.
 */
function tails(tree: SyntaxTree): Insertion[] {
  return [...walk(tree.root)].flatMap((node) => {
    const body = node.children.find((child) => child.field === "body");
    const isFunction = functions.has(node.kind) && node.children.some((child) => child.field === "result");
    if (!isFunction || body === undefined) return [];
    return [{ at: body.end - 1, text: ';panic("no return")', side: "close", order: 0 } as const];
  });
}

export default defineSelector({
  language: "go",
  spans,
  prelude,
  tails,
  isChosen: (id, name) => `${name} == ${id}`,
  ifHead: (condition) => `if ${condition} {`,
});
