/** How an entity looks outside of the index: for documents, and in one line. */
import type { Entity } from "./contract.ts";
import { formatEntityId } from "./entity-id.ts";

export function entityDocument(entity: Entity): Readonly<Record<string, unknown>> {
  return {
    id: formatEntityId(entity),
    kind: entity.kind,
    name: entity.name,
    qualified: entity.qualified,
    path: entity.path,
    line: entity.at.line,
    startLine: entity.startLine,
    endLine: entity.endLine,
    signature: entity.signature,
    documentation: entity.documentation ?? null,
    isTest: entity.isTest,
    isPublic: entity.isPublic,
  };
}

/** `shop/cart.py:12  method  Cart.pick  def pick(self, items)`; as it stands in the repository, so not safe for a terminal. */
export function entityLine(entity: Entity): string {
  const place = entity.kind === "folder" ? `${entity.path}/` : `${entity.path}:${entity.at.line}`;
  const parts = [place, entity.kind, entity.qualified, entity.signature].filter((part) => part !== "");
  return parts.join("  ");
}
