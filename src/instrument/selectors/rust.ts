/** The spans of Rust code that can have several versions. */
import { namedChildren, type SyntaxNode, type SyntaxTree } from "../../syntax/node.ts";
import { defineSelector, type SelectorSpan } from "../candidate-selector.ts";
import { walkRunning } from "../rust-places.ts";

/** Blocks of functions that run at run time (not in the compiler), and the values of match arms. */
function spans(tree: SyntaxTree): SelectorSpan[] {
  const found: SelectorSpan[] = [];
  for (const node of walkRunning(tree)) {
    const isArm = node.field === "value" && node.parent?.kind === "match_arm";
    if (node.kind === "block") {
      if (!hasHiddenType(node)) found.push({ ...contentOf(node), form: "statements" });
    } else if (isArm && node.kind !== "reference_expression") {
      found.push({ start: node.start, end: node.end, form: "expression" });
    }
  }
  return found;
}

/** The span between the braces, after attributes of the block itself. */
function contentOf(block: SyntaxNode): { start: number; end: number } {
  const attribute = block.children.findLast((child) => child.kind === "inner_attribute_item");
  return { start: attribute?.end ?? block.start + 1, end: block.end - 1 };
}

/** The body of a function that returns `impl …`: two versions would have two types. */
function hasHiddenType(block: SyntaxNode): boolean {
  const holder = block.parent;
  if (holder?.kind !== "function_item") return false;
  const type = holder.children.find((child) => child.field === "return_type");
  return type !== undefined && holdsHidden(type);
}

function holdsHidden(type: SyntaxNode): boolean {
  return type.kind === "abstract_type" || namedChildren(type).some(holdsHidden);
}

/**
 * A macro at the start of the file. Because it comes first, each module of the file knows it in any edition. Each use
 * reads the environment once.
 */
function prelude(tree: SyntaxTree, name: string) {
  const text = [
    `#[allow(unused_macros)]macro_rules! ${name}{($i:expr)=>{{#[allow(unused_extern_crates)]extern crate std as mw_std;`,
    `static C:mw_std::sync::atomic::AtomicUsize=mw_std::sync::atomic::AtomicUsize::new(usize::MAX);`,
    `let mut c=C.load(mw_std::sync::atomic::Ordering::Relaxed);if c==usize::MAX{`,
    `c=match mw_std::env::var("MILLWRIGHT_CANDIDATE"){mw_std::result::Result::Ok(t)=>t.parse().unwrap_or(0),_=>0};`,
    `C.store(c,mw_std::sync::atomic::Ordering::Relaxed);}c==$i}}} `,
  ].join("");
  return { at: startOfItems(tree), text, side: "open", order: -1 } as const;
}

/** The offset after the attributes and comments of the whole file. */
function startOfItems(tree: SyntaxTree): number {
  const { children } = tree.root;
  const isInner = (node: SyntaxNode): boolean =>
    node.kind === "shebang" ||
    node.kind === "inner_attribute_item" ||
    (/comment/.test(node.kind) &&
      namedChildren(node).some((child) => child.kind === "inner_doc_comment_marker"));
  const next = children[children.findLastIndex(isInner) + 1];
  return next?.start ?? tree.text.length;
}

export default defineSelector({
  language: "rust",
  spans,
  isChosen: (id, name) => `${name}!(${id})`,
  prelude,
  ifHead: (condition) => `if ${condition} {`,
  either: (condition, then, otherwise) => `(if ${condition} { ${then} } else { ${otherwise} })`,
});
