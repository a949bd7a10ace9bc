/** The spans of JavaScript and TypeScript code that can have several versions. */
import { type SyntaxNode, type SyntaxTree, walk } from "../../syntax/node.ts";
import type { CandidateSelector, SelectorSpan } from "../candidate-selector.ts";
import { isDirective } from "../javascript-statements.ts";

/** Blocks, and the expression bodies of arrow functions. */
function spans(tree: SyntaxTree): SelectorSpan[] {
  const found: SelectorSpan[] = [];
  for (const node of walk(tree.root)) {
    if (node.kind === "statement_block") found.push({ ...contentOf(node), form: "statements" });
    const body =
      node.kind === "arrow_function" ? node.children.find((child) => child.field === "body") : undefined;
    if (body !== undefined && body.kind !== "statement_block") {
      found.push({ start: body.start, end: body.end, form: "expression" });
    }
  }
  return found;
}

/** The span between the braces, after the directives. These count only as a function's first statements. */
function contentOf(block: SyntaxNode): { start: number; end: number } {
  const directive = block.children.findLast(isDirective);
  return { start: directive?.end ?? block.start + 1, end: block.end - 1 };
}

/**
 * JavaScript's selector. The runtime sets the chosen candidate's number in a global of each realm. Each block reads the
 * number at its start, so reading must be fast.
 */
export const javascriptSelector: Omit<CandidateSelector, "language"> = {
  spans,
  isChosen: (id) => `globalThis.__millwrightCandidate===${id}`,
  ifHead: (condition) => `if (${condition}) {`,
  either: (condition, then, otherwise) => `(${condition} ? (${then}) : (${otherwise}))`,
};
