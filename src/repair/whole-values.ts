import { partOf, roleOf } from "../syntax/reading.ts";
import type { Site } from "./template.ts";

/** True for an argument, a returned or assigned value, or an iterated value. */
export function isWholeValue({ node, source }: Pick<Site, "node" | "source">): boolean {
  const parent = node.parent;
  if (parent === undefined) return false;
  const role = roleOf(source, parent);
  if (role === "arguments" || role === "return") return true;
  if (role === "for-each") return partOf(source, parent, "iterable") === node;
  return (
    (role === "assignment" || role === "declarator" || role === "declaration") &&
    partOf(source, parent, "value") === node
  );
}
