/** From what a query found to `Reference`s: names that are neither local variables nor parts of an import. */
import type { Definition, Reference } from "../../domain/code-symbols.ts";
import type { Outline } from "../outline.ts";
import { bareType, lastSegment, typePlaces } from "./definitions.ts";
import { type Found, type FoundLeaf, spansInOrder } from "./matches.ts";
import { followRegions, type Nesting, type Region } from "./regions.ts";
import { receiverText } from "./written.ts";

export function buildReferences(
  outline: Outline,
  text: string,
  found: Found,
  nesting: Nesting,
  definitions: readonly Definition[],
): Reference[] {
  const references: Reference[] = [];
  const places = typePlaces(definitions);
  const ignored = spansInOrder(found.ignored);
  const regionAt = followRegions(nesting);
  let skip = 0;
  let last = -1;
  for (const leaf of found.leaves) {
    if (leaf.start === last) continue;
    last = leaf.start;
    if (leaf.role === "claimed" || leaf.role === "local" || leaf.role === "access") continue;
    while (skip < ignored.length && (ignored[skip]?.end ?? 0) <= leaf.start) skip++;
    if ((ignored[skip]?.start ?? Number.POSITIVE_INFINITY) <= leaf.start) continue;
    const region = regionAt(leaf.start);
    const reference = buildReference(text, leaf, region, places);
    if (reference === undefined) continue;
    if (reference.receiver === undefined && outline.builtin?.has(reference.name)) continue;
    references.push(reference);
  }
  return references;
}

function buildReference(
  text: string,
  leaf: FoundLeaf,
  region: Region,
  places: ReadonlyMap<string, number>,
): Reference | undefined {
  const { node, parts } = leaf;
  const role = leaf.role as Reference["kind"];
  const name = text.slice(node.startIndex, node.endIndex);
  const before = parts.receiver;
  const receiver =
    before === undefined ? undefined : receiverText(text.slice(before.startIndex, before.endIndex));
  if (receiver === undefined && isLocal(name, region)) return undefined;
  const receiverType = receiver === undefined ? undefined : typeOfLocal(receiver, region);
  const head = /^[\p{L}_$][\p{L}\p{N}_$]*(?=\.|->)/u.exec(receiver ?? "")?.[0];
  const headType = head === undefined ? undefined : typeOfLocal(head, region);
  const owner = ownerOf(text, leaf, region);
  const home = owner === undefined ? undefined : places.get(lastSegment(owner));
  return {
    kind: role,
    name,
    ...(receiver ? { receiver } : {}),
    ...(receiverType === undefined ? {} : { receiverType }),
    ...(headType === undefined ? {} : { headType }),
    ...(parts.arguments === undefined ? {} : { arity: parts.arguments.namedChildCount }),
    at: { line: node.startPosition.row + 1, column: node.startPosition.column },
    within: home ?? region.definition,
    ...(owner === undefined ? {} : { owner }),
  };
}

/** Of a name in the head of a block (`impl`), and of one that says its owner itself. */
function ownerOf(text: string, leaf: FoundLeaf, region: Region): string | undefined {
  const node = leaf.parts.owner ?? (region.sort === "block" ? region.block?.owner : undefined);
  return node === undefined ? undefined : bareType(text.slice(node.startIndex, node.endIndex));
}

function isLocal(name: string, from: Region): boolean {
  for (let region: Region | undefined = from; region !== undefined; region = region.parent)
    if (region.locals.has(name)) return true;
  return false;
}

function typeOfLocal(name: string, from: Region): string | undefined {
  for (let region: Region | undefined = from; region !== undefined; region = region.parent)
    if (region.locals.has(name)) return region.locals.get(name);
  return undefined;
}
