/** Recognises Rust's test code inside files with other code: `#[cfg(test)] mod tests`, `#[test] fn …`. */
import type { SyntaxNode, SyntaxTree } from "./node.ts";
import { textOf } from "./node.ts";

const marks =
  /^#!?\[\s*(?:cfg\s*\(\s*(?:all\s*\(\s*)?test\b|(?:\w+::)*(?:test|bench|rstest|quickcheck|proptest)\s*[\](])/;

/** True for an item with a test attribute, such as `#[test]` or `#[cfg(test)]`. */
export function isRustTest(tree: SyntaxTree, node: SyntaxNode): boolean {
  if (!/_item$/.test(node.kind) || node.kind === "attribute_item") return false;
  return attributesOf(node).some((attribute) => marks.test(textOf(tree, attribute)));
}

/** Returns the attributes before an item or statement, the nearest first. Skips comments between them. */
export function attributesOf(node: SyntaxNode): SyntaxNode[] {
  const siblings = node.parent?.children ?? [];
  const found: SyntaxNode[] = [];
  for (let at = siblings.indexOf(node) - 1; at >= 0; at -= 1) {
    const before = siblings[at];
    if (before?.kind === "attribute_item") found.push(before);
    else if (before === undefined || !/comment/.test(before.kind)) break;
  }
  return found;
}
