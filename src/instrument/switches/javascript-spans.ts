/** Where JavaScript and TypeScript code can stand in several versions. */
import { type SyntaxNode, type SyntaxTree, walk } from "../../syntax/node.ts";
import type { CandidateSwitch, SwitchSpan } from "../candidate-switch.ts";
import { isDirective } from "../javascript-statements.ts";

/** Blocks, and the bodies of arrow functions that are one expression. */
function spans(tree: SyntaxTree): SwitchSpan[] {
  const found: SwitchSpan[] = [];
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

/** Between the braces, behind the directives: they only count as the first statements of a function. */
function contentOf(block: SyntaxNode): { start: number; end: number } {
  const directive = block.children.findLast(isDirective);
  return { start: directive?.end ?? block.start + 1, end: block.end - 1 };
}

/** A realm's number of the chosen candidate, as the runtime sets it: quick to read, for it is read at each block's beginning. */
export const javascriptSwitch: Omit<CandidateSwitch, "language"> = {
  spans,
  isChosen: (id) => `globalThis.__millwrightCandidate===${id}`,
  ifHead: (condition) => `if (${condition}) {`,
  either: (condition, then, otherwise) => `(${condition} ? (${then}) : (${otherwise}))`,
};
