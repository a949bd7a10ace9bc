/** Nests the definitions, closures and blocks of a file as regions, each with its local variables. */
import type { DefinitionKind } from "../../domain/code-symbols.ts";
import {
  type Found,
  type FoundBlock,
  type FoundDefinition,
  type FoundLeaf,
  type Span,
  spansInOrder,
} from "./found.ts";

export interface Region extends Span {
  readonly parent: Region | undefined;
  /** The definition whose text this region is; undefined for other regions. */
  readonly found: FoundDefinition | undefined;
  /** Index of the innermost enclosing definition, or -1. */
  readonly definition: number;
  readonly sort: "file" | "function" | "type" | "block" | "plain";
  /** The type to which a block belongs. */
  readonly block: FoundBlock | undefined;
  /** Local variables with their declared types. */
  readonly locals: Map<string, string | undefined>;
  /** The access that the last `private:` or similar mark sets. */
  access: string | undefined;
  /** Names of the fields found so far. */
  readonly fields: Set<string>;
}

export interface NestedDefinition {
  readonly found: FoundDefinition;
  /** The kind, which for a binding or a function depends on its position. */
  readonly kind: DefinitionKind;
  readonly isBinding: boolean;
  readonly container: number;
  readonly access: string | undefined;
  readonly block: FoundBlock | undefined;
}

export interface Nesting {
  readonly root: Region;
  /** All regions in the order of the text, outer before inner. */
  readonly regions: readonly Region[];
  readonly definitions: readonly NestedDefinition[];
}

/** Returns a function that finds the innermost region at an offset. Its calls must have ascending offsets. */
export function followRegions({ root, regions }: Nesting): (start: number) => Region {
  let region = root;
  let next = 1;
  return (start) => {
    for (let inner = regions[next]; inner !== undefined && inner.start <= start; inner = regions[++next])
      region = inner;
    while (region.parent !== undefined && start >= region.end) region = region.parent;
    return region;
  };
}

type Item =
  | { readonly start: number; readonly end: number; readonly order: 0; readonly block: FoundBlock }
  | { readonly start: number; readonly end: number; readonly order: 1; readonly definition: FoundDefinition }
  | { readonly start: number; readonly end: number; readonly order: 2 }
  | { readonly start: number; readonly end: number; readonly order: 3; readonly leaf: FoundLeaf };

const functions: ReadonlySet<string> = new Set(["function", "method", "constructor", "macro", "test"]);
const types: ReadonlySet<string> = new Set(["class", "struct", "trait", "interface", "enum"]);

export const isFunctionKind = (kind: DefinitionKind): boolean => functions.has(kind);
export const isTypeKind = (kind: DefinitionKind): boolean => types.has(kind);

export function nest(found: Found, text: string): Nesting {
  const root: Region = regionOf({ start: 0, end: text.length }, undefined, -1, "file", undefined);
  const regions: Region[] = [root];
  const definitions: NestedDefinition[] = [];
  let region = root;
  for (const item of itemsOf(found)) {
    while (region.parent !== undefined && item.start >= region.end) region = region.parent;
    // Two names in one declaration are siblings.
    while (region.parent !== undefined && region.found !== undefined && isTwin(item, region))
      region = region.parent;
    const inner = enter(item, region, definitions, text);
    if (inner === undefined) continue;
    regions.push(inner);
    region = inner;
  }
  return { root, regions, definitions };
}

function isTwin(item: Item, region: Region): boolean {
  return item.order === 1 && region.found !== undefined && nodeKey(item.definition) === nodeKey(region.found);
}

/** A node's key. Two definitions with one key are in the same node. */
function nodeKey({ start, end, sort }: FoundDefinition): string {
  return `${start} ${end} ${sort}`;
}

function itemsOf(found: Found): Item[] {
  const items: Item[] = [];
  const ignored = spansInOrder(found.ignored);
  const named = new Set<number>();
  for (const definition of withoutDoubles(found.definitions)) {
    if (isWithin(definition.name.start, ignored)) continue;
    named.add(definition.name.start);
    items.push({ start: definition.start, end: definition.end, order: 1, definition });
  }
  for (const scope of found.scopes) items.push({ start: scope.start, end: scope.end, order: 2 });
  for (const block of found.blocks) items.push({ start: block.start, end: block.end, order: 0, block });
  for (const leaf of found.leaves)
    if (leaf.role === "access" || (leaf.role === "local" && !named.has(leaf.start)))
      items.push({ start: leaf.start, end: leaf.start, order: 3, leaf });
  return items.sort((a, b) => a.start - b.start || b.end - a.end || a.order - b.order);
}

function isWithin(at: number, spans: readonly Span[]): boolean {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.end ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return (spans[low]?.start ?? Number.POSITIVE_INFINITY) <= at;
}

/** Drops repeated definitions: if several patterns match one name or one function, the first in the query wins. */
function withoutDoubles(definitions: readonly FoundDefinition[]): FoundDefinition[] {
  const byName = new Map<number, FoundDefinition>();
  const byNode = new Map<string, number>();
  for (const definition of definitions) {
    const { rank } = definition;
    const known = byName.get(definition.name.start);
    if (known === undefined || rank < known.rank) byName.set(definition.name.start, definition);
    if (isFunction(definition))
      byNode.set(nodeKey(definition), Math.min(rank, byNode.get(nodeKey(definition)) ?? rank));
  }
  return [...byName.values()].filter(
    (one) => !isFunction(one) || one.isPrototype || byNode.get(nodeKey(one)) === one.rank,
  );
}

const isFunction = ({ kind }: FoundDefinition): boolean => kind !== undefined && isFunctionKind(kind);

function enter(
  item: Item,
  region: Region,
  definitions: NestedDefinition[],
  text: string,
): Region | undefined {
  if (item.order === 0) return regionOf(item, region, region.definition, "block", item.block);
  if (item.order === 2) return regionOf(item, region, region.definition, "function", undefined);
  const home = homeOf(region);
  if (item.order === 3) {
    const { start, end, type, role } = item.leaf;
    const name = text.slice(start, end);
    if (role === "access") home.access = name;
    else addLocal(home, name, type);
    return undefined;
  }
  const found = item.definition;
  const isBinding = found.kind === undefined;
  if ((isBinding || found.isPrototype) && home.sort === "function") {
    addLocal(home, text.slice(found.name.start, found.name.end), found.type);
    return undefined;
  }
  if (found.kind === "field") return enterField(item, region, definitions, text);
  const inType = home.sort === "type" || home.sort === "block";
  const kind = found.kind ?? (inType ? "field" : "variable");
  if (kind === "field") home.fields.add(text.slice(found.name.start, found.name.end));
  definitions.push({
    found,
    isBinding,
    kind: inType && kind === "function" ? "method" : kind,
    container: isTypeKind(kind) ? outsideAlias(region, definitions) : region.definition,
    access: home.access,
    block: home.sort === "block" ? home.block : undefined,
  });
  return regionOf(item, region, definitions.length - 1, sortOf(kind), undefined);
}

/**
 * The container of a definition inside a type alias, because `typedef struct a {…} b` defines two types as siblings.
 */
function outsideAlias(region: Region, definitions: readonly NestedDefinition[]): number {
  const around = definitions[region.definition];
  return around?.kind === "type" ? around.container : region.definition;
}

/** Adds a field that a method assigns (`self.x = …`) to the type, once per name. */
function enterField(
  item: Item & { readonly order: 1 },
  region: Region,
  definitions: NestedDefinition[],
  text: string,
): Region | undefined {
  let home: Region | undefined = region;
  while (home !== undefined && home.sort !== "type" && home.sort !== "block") home = home.parent;
  const found = item.definition;
  const name = text.slice(found.name.start, found.name.end);
  const fields = (home ?? region).fields;
  if (fields.has(name)) return undefined;
  fields.add(name);
  definitions.push({
    found,
    isBinding: false,
    kind: "field",
    container: (home ?? region).definition,
    access: home?.access,
    block: home?.sort === "block" ? home.block : undefined,
  });
  // A call in a field's value belongs to the method that makes it.
  if (homeOf(region).sort === "function") return undefined;
  return regionOf(item, region, definitions.length - 1, "plain", undefined);
}

function sortOf(kind: DefinitionKind): Region["sort"] {
  return isFunctionKind(kind) ? "function" : isTypeKind(kind) || kind === "type" ? "type" : "plain";
}

/** The innermost region that determines a binding's kind. A variable's own value and a namespace do not. */
function homeOf(region: Region): Region {
  let home = region;
  while (home.sort === "plain" && home.parent !== undefined) home = home.parent;
  return home;
}

/** Adds a local variable. Its type is that of the first pattern that knows one. */
function addLocal(home: Region, name: string, written: string | undefined): void {
  const known = written === undefined || inferred.test(written) ? undefined : written;
  if (!home.locals.has(name) || home.locals.get(name) === undefined) home.locals.set(name, known);
}

/** Words in a type's place that carry no information. */
const inferred = /^(?:const\s+)?(?:var|auto|let|val|dynamic)\b/;

function regionOf(
  span: Span | Item,
  parent: Region | undefined,
  definition: number,
  sort: Region["sort"],
  block: FoundBlock | undefined,
): Region {
  const found = "definition" in span ? span.definition : undefined;
  return {
    found,
    start: span.start,
    end: span.end,
    parent,
    definition,
    sort,
    block,
    locals: new Map(),
    access: undefined,
    fields: new Set(),
  };
}
