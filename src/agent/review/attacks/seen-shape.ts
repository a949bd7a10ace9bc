/** Describes the node that shows a sign of an attack. Pure. */
import type { SyntaxNode } from "../../../syntax/node.ts";
import { codeOf, type Source } from "../../../syntax/reading.ts";
import type { AttackSign } from "../guards/contract.ts";

export interface SeenShape {
  readonly sign: AttackSign;
  readonly line: number;
  /** The node's code on one line, shortened. */
  readonly text: string;
}

export function seenAt(source: Source, sign: AttackSign, node: SyntaxNode): SeenShape {
  const text = codeOf(source, node).replaceAll(/\s+/g, " ").slice(0, 100);
  return { sign, line: node.startLine, text };
}
