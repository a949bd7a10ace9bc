/** Finds the names of local variables in a text, and the region that binds each of them. */
import type { Found } from "../symbols/found.ts";
import { followRegions, type Nesting, type Region } from "../symbols/regions.ts";

/** Maps the offset of each occurrence of a local variable's name to the region that binds the variable. */
export function findLocals(text: string, found: Found, nesting: Nesting): Map<number, Region> {
  const locals = new Map<number, Region>();
  const fixed = new Set(nesting.definitions.map((one) => one.found.name.start));
  const bound = new Set(
    found.definitions.filter((one) => one.kind === undefined || one.isPrototype).map((one) => one.name.start),
  );
  const regionAt = followRegions(nesting);
  let last = -1;
  for (const leaf of found.leaves) {
    if (leaf.start === last) continue;
    last = leaf.start;
    const region = regionAt(leaf.start);
    if (leaf.receiver !== undefined || fixed.has(leaf.start)) continue;
    if (leaf.role === "claimed" && !bound.has(leaf.start)) continue;
    const home = homeOf(text.slice(leaf.start, leaf.end), region);
    if (home !== undefined) locals.set(leaf.start, home);
  }
  return locals;
}

function homeOf(name: string, from: Region): Region | undefined {
  for (let region: Region | undefined = from; region !== undefined; region = region.parent)
    if (region.locals.has(name)) return region;
  return undefined;
}
