/** Converts the findings of a query to `Reference`s: names that are neither local variables nor parts of an import. */
import type { Definition, Reference } from "../../domain/code-symbols.ts";
import type { Outline } from "../outline.ts";
import { lastSegment, typePlaces } from "./definitions.ts";
import { type Found, type FoundLeaf, spansInOrder } from "./found.ts";
import { followRegions, type Nesting, type Region } from "./regions.ts";

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
  const { receiver, arity } = leaf;
  const name = text.slice(leaf.start, leaf.end);
  if (receiver === undefined && isLocal(name, region)) return undefined;
  const receiverType = receiver === undefined ? undefined : typeOfLocal(receiver, region);
  const head = /^[\p{L}_$][\p{L}\p{N}_$]*(?=\.|->)/u.exec(receiver ?? "")?.[0];
  const headType = head === undefined ? undefined : typeOfLocal(head, region);
  // A name in the head of an `impl` block has the block's owner, unless it states its own.
  const owner = leaf.owner ?? (region.sort === "block" ? region.block?.owner : undefined);
  const home = owner === undefined ? undefined : places.get(lastSegment(owner));
  return {
    kind: leaf.role as Reference["kind"],
    name,
    ...(receiver ? { receiver } : {}),
    ...(receiverType === undefined ? {} : { receiverType }),
    ...(headType === undefined ? {} : { headType }),
    ...(arity === undefined ? {} : { arity }),
    at: { line: leaf.row + 1, column: leaf.column },
    within: home ?? region.definition,
    ...(owner === undefined ? {} : { owner }),
  };
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
