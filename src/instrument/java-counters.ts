/** Counters for Java: `src/languages/runtime/java/MillwrightWorker.java` collects their counts, test by test. */
import { hashText } from "../base/hash.ts";
import { type SyntaxNode, type SyntaxTree, walk } from "../syntax/node.ts";
import type { Insertion } from "./text-insertions.ts";

/** Statements before which nothing can be inserted, or with nothing to execute. */
const uncounted = new Set([
  "block_comment",
  "class_declaration",
  "enum_declaration",
  "explicit_constructor_invocation",
  "interface_declaration",
  "line_comment",
  "record_declaration",
  "switch_label",
]);
/** Number of characters above which a method gets no counters, because its compiled code must not exceed 64 KiB. */
const longestMethod = 20_000;
const mostPlaces = 6_000;

interface Place {
  readonly node: SyntaxNode;
  /** True for a single statement in place of a block: `if (a) b();`. */
  readonly isAlone: boolean;
}

/**
 * Returns the insertions that make a file count its executed lines. Empty for a file without executable code, or with
 * more than 6,000 places. Omits methods of more than 20,000 characters.
 */
export function placeJavaCounters(tree: SyntaxTree, path: string): Insertion[] {
  const places = findPlaces(tree.root);
  // Java limits a string constant, here the lines, to 64 KiB.
  if (places.length === 0 || places.length > mostPlaces) return [];
  const name = `mw_${hashText(path).slice(0, 8)}`;
  const insertions = places.flatMap(({ node, isAlone }, slot): Insertion[] => {
    const hit = `${name}.seen[${slot}]=true;`;
    const open = { at: node.start, text: isAlone ? `{${hit}` : hit, side: "open" as const, order: slot };
    return isAlone ? [open, { at: node.end, text: "}", side: "close", order: slot }] : [open];
  });
  const last = tree.root.children.findLast((child) => !child.kind.endsWith("comment"));
  const at = last?.end ?? tree.text.length;
  return [...insertions, { at, text: countingClass(name, path, places), side: "open", order: -1 }];
}

function findPlaces(root: SyntaxNode): Place[] {
  const places: Place[] = [];
  for (const node of walk(root, (inner) => !isHuge(inner))) {
    const { parent } = node;
    if (parent === undefined || !node.named || uncounted.has(node.kind) || isHuge(parent)) continue;
    if (/^(block|constructor_body|switch_block_statement_group)$/.test(parent.kind)) {
      if (!node.broken) places.push({ node, isAlone: false });
    } else if (isAlone(node, parent)) places.push({ node, isAlone: true });
  }
  return places;
}

function isAlone(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (!/^(consequence|alternative|body)$/.test(node.field ?? "") || node.kind === "block") return false;
  return /^(if|while|do|for|enhanced_for)_statement$/.test(parent.kind);
}

function isHuge(node: SyntaxNode): boolean {
  return (
    /^(method|constructor)_declaration$|^static_initializer$/.test(node.kind) &&
    node.end - node.start > longestMethod
  );
}

/**
 * A class that records the executed places. It registers itself if our worker has set a register. Otherwise nobody uses
 * its counts.
 */
function countingClass(name: string, path: string, places: readonly Place[]): string {
  const lines = places.map(({ node }) => linesOf(node)).join(";");
  const quote = (text: string): string => JSON.stringify(text);
  return [
    `@SuppressWarnings({"unchecked","rawtypes"}) class ${name}{static final boolean[] seen=new boolean[${places.length}];`,
    `static{Object all=System.getProperties().get("millwright.counters");if(all instanceof java.util.Map)`,
    `((java.util.Map)all).put(${quote(path)},new Object[]{seen,${quote(lines)}});}}`,
  ].join("");
}

/** The node's lines up to its first inner block, or up to the line before an inner statement without a block. */
function linesOf(node: SyntaxNode): string {
  let last = node.endLine;
  for (const inner of walk(node)) {
    if (inner === node) continue;
    const holds = /^(block|switch_block|class_body|constructor_body)$/.test(inner.kind);
    if (holds) {
      last = Math.min(last, inner.startLine);
      break;
    }
    const { parent } = inner;
    if (parent !== undefined && isAlone(inner, parent)) {
      last = Math.min(last, Math.max(node.startLine, inner.startLine - 1));
      break;
    }
  }
  return last === node.startLine ? String(last) : `${node.startLine}-${last}`;
}
