/** Finds where a function assigns and reads its variables. */
import { once } from "../base/once.ts";
import { type SyntaxNode, walk } from "../syntax/node.ts";
import { codeOf, isVariable, partOf, roleOf, type Source } from "../syntax/reading.ts";

export interface Assignment {
  /**
   * The assignment, declaration, increment or loop that gives the name a value; also a reference through which code may
   * change it.
   */
  readonly node: SyntaxNode;
  /**
   * The assigned value. Undefined for a declaration without a value, an increment, a loop's variable and a reference.
   */
  readonly value: SyntaxNode | undefined;
}

/** All assignments and declarations of each plain name in a function. Cached for each function. */
export const assignmentsIn = (
  source: Source,
  around: SyntaxNode,
): ReadonlyMap<string, readonly Assignment[]> => assignmentsOf(around, source);

const assignmentsOf = once(
  (around: SyntaxNode, source: Source): ReadonlyMap<string, readonly Assignment[]> => {
    const found = new Map<string, Assignment[]>();
    for (const node of walk(around)) {
      const target = targetOf(source, node);
      if (target === undefined) continue;
      const role = roleOf(source, node);
      const value = role === "for-each" || role === "update" ? undefined : partOf(source, node, "value");
      // `a, b = b, a`, `[a, b]`: no name has a value of its own.
      const names = codeOf(source, target)
        .split(/[\s,()[\]{}*&]+/)
        .filter((name) => /^\$?\w+$/.test(name));
      for (const name of names) found.set(name, [...(found.get(name) ?? []), { node, value }]);
    }
    return found;
  },
);

function targetOf(source: Source, node: SyntaxNode): SyntaxNode | undefined {
  switch (roleOf(source, node)) {
    case "assignment":
    case "augmented-assignment":
    case "declarator":
    case "declaration":
      return partOf(source, node, "target");
    case "update":
      return partOf(source, node, "operand") ?? node.children.find(({ named }) => named);
    case "for-each":
      return node.children.find(({ field }) => field === "left" || field === "name" || field === "pattern");
    default:
      // A reference through which it may be changed: `&total`, `&mut total`.
      return node.children[0]?.kind === "&" && node.children.length < 4 ? node : undefined;
  }
}

/** True if the function mentions the variable after the offset. */
export function isReadAfter(source: Source, around: SyntaxNode, name: string, offset: number): boolean {
  for (const node of walk(around, (inner) => inner.end > offset))
    if (node.start > offset && isVariable(source, node) && codeOf(source, node) === name) return true;
  return false;
}
