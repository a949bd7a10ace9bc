/** Describes an entity as fields of a JSON document, and in one line of text. */
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

const longestSignature = 160;

/**
 * Describes an entity in one line: `shop/cart.py:12-30  method  Cart.pick  def pick(self, items)`. The line contains
 * text of the repository, so sanitise it for a terminal.
 */
export function entityLine(entity: Entity): string {
  const { kind, path, qualified } = entity;
  const place = kind === "folder" ? `${path}/` : `${path}:${lineRange(entity)}`;
  const signature =
    entity.signature.length > longestSignature
      ? `${entity.signature.slice(0, longestSignature - 1)}…`
      : entity.signature;
  const parts = [place, kind, qualified, signature].filter((part) => part !== "");
  return parts.join("  ");
}

/** Renders the lines of an entity: `12-30`, or `12` for one line. */
export function lineRange({ startLine, endLine }: Pick<Entity, "startLine" | "endLine">): string {
  return startLine === endLine ? String(startLine) : `${startLine}-${endLine}`;
}
