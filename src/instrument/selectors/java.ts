/** The spans of Java code that can have several versions, and the code that selects a version. */
import { type SyntaxNode, type SyntaxTree, walk } from "../../syntax/node.ts";
import { defineSelector, type SelectorSpan } from "../candidate-selector.ts";
import { leaves, listLeaves } from "../java-completion.ts";

/** Statements that bind no name for later ones. */
const alone = new Set([
  "do_statement",
  "enhanced_for_statement",
  "expression_statement",
  "for_statement",
  "if_statement",
  "return_statement",
  "synchronized_statement",
  "throw_statement",
  "try_statement",
  "try_with_resources_statement",
  "while_statement",
]);

/**
 * Finds blocks and single statements. Single statements repeat less text, because a compiled method must not exceed 64
 * KiB. Omits static initialisers: if one version leaves a constant unset, the whole class does not compile.
 */
function spans(tree: SyntaxTree): SelectorSpan[] {
  const found: SelectorSpan[] = [];
  for (const node of walk(tree.root, (inner) => inner.kind !== "static_initializer")) {
    if (node.kind === "block" || node.kind === "constructor_body") {
      const inside = node.children.slice(1, -1);
      const first = inside.find((child) => child.kind === "explicit_constructor_invocation");
      const start = first?.end ?? node.start + 1;
      found.push({ start, end: node.end - 1, form: "statements", leaves: listLeaves(inside) });
    } else if (alone.has(node.kind) && isListed(node) && !bindsBehind(node)) {
      found.push({ start: node.start, end: node.end, form: "statements", leaves: leaves(node) });
    }
  }
  return found;
}

function isListed(node: SyntaxNode): boolean {
  if (/^(block|constructor_body|switch_block_statement_group)$/.test(node.parent?.kind ?? "")) return true;
  return (
    /^(consequence|alternative|body)$/.test(node.field ?? "") &&
    !/lambda|switch/.test(node.parent?.kind ?? "")
  );
}

/** True for a statement that binds a name for the following code: `if (!(a instanceof B b)) return;` binds `b`. */
function bindsBehind(node: SyntaxNode): boolean {
  return [...walk(node)].some(
    (inner) =>
      inner.kind === "instanceof_expression" &&
      inner.children.some((child) => /^(name|pattern)$/.test(child.field ?? "")),
  );
}

/**
 * Java's selector: a constant in its own class, so that the JVM's compiler can optimise it. For each candidate, the
 * runtime loads the project's classes again.
 */
export default defineSelector({
  language: "java",
  spans,
  isChosen: (id, name) => `${name}.chosen == ${id}`,
  prelude: (tree, name) => ({
    at: tree.text.length,
    text: `\nclass ${name} { static final int chosen = Integer.getInteger("MILLWRIGHT_CANDIDATE", 0); }\n`,
    side: "open",
    order: 0,
  }),
  ifHead: (condition) => `if (${condition}) {`,
  leaving: "throw new IllegalStateException();",
});
