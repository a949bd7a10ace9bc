/**
 * Resolves the references of one changed file after its rows are rewritten. Uses that the change does not affect keep
 * their edges, with their new lines. A use depends on its names and on its enclosing definitions. If the change may
 * affect more than that, resolves the whole file.
 */
import type { DefinitionKind, Import, Reference } from "../../domain/code-symbols.ts";
import type { EdgeKind } from "../contract.ts";
import type { DefinitionsChange } from "../store/entity-rows.ts";
import { decodeFacts, type EncodedReferences, type Facts, parseUses } from "../store/facts.ts";
import type { FileChange } from "../store/file-rows.ts";
import { filesMentioning } from "../store/mentions.ts";
import type { Store } from "../store/open-store.ts";
import { edgeKinds } from "../store/schema.ts";
import { compareUses, placeNumber, placeOfRow, type UsesChange } from "./compare-uses.ts";
import { writeEdges } from "./edge-rows.ts";
import { findImports, findOverrides, findUses } from "./edges.ts";
import { linkOwners } from "./link-types.ts";
import { resolveFile } from "./resolve-files.ts";
import { isType } from "./traits.ts";
import { openWorld, type World } from "./world.ts";

/** The state of a file with resolved references, before a change. */
export interface ResolvedFile {
  /** The id of the row with the file's facts. */
  readonly facts: number;
  readonly lines: number;
}

/**
 * Reads a file's state before its rows are rewritten. Undefined if the file has no resolved references, so that
 * `resolveChanged` must resolve all of them.
 */
export function readResolved(store: Store, path: string): ResolvedFile | undefined {
  const row = store
    .prepare("SELECT facts, lines FROM files WHERE path = ? AND resolved = 1 AND facts IS NOT NULL")
    .get(path);
  return row === undefined ? undefined : { facts: Number(row.facts), lines: Number(row.lines) };
}

/**
 * Resolves a changed file. Call it inside the transaction that wrote the file's rows. `before`: the earlier state; pass
 * it only if the change kept the file's imports and place (`isPlaceKept`). `known`: a cached world to reuse. Returns
 * the world that it used.
 */
export function resolveChanged(
  store: Store,
  change: FileChange,
  before: ResolvedFile | undefined,
  known: World | undefined,
): World {
  const plan = before === undefined ? undefined : planChange(store, change, before);
  return plan === undefined ? resolveFile(store, change.file, known) : carryOut(store, change, plan, known);
}

interface Plan {
  readonly facts: Facts;
  readonly uses: UsesChange;
  /** Number of lines that the change adds, minus the number that it removes. */
  readonly moved: number;
  readonly places: Places;
}

function planChange(store: Store, change: FileChange, before: ResolvedFile): Plan | undefined {
  const row = store.prepare("SELECT facts, lines FROM files WHERE id = ?").get(change.file);
  const [old, now] = [readFacts(store, before.facts), readFacts(store, Number(row?.facts))];
  if (old === undefined || now === undefined) return undefined;
  const { definitions } = change;
  const isAffected = openAffected(change, now.facts);
  if (isAffected === undefined || !areTypesKept(store, change, [old.facts, now.facts])) return undefined;
  if (
    !areHeadsKept(old.facts, now.facts, definitions) ||
    now.facts.heads.some((one) => isAffectedHead(one, isAffected))
  )
    return undefined;
  const moved = Number(row?.lines) - before.lines;
  const uses = compareUses(
    { encoded: old.uses, definitions: definitions.before },
    { encoded: now.uses, definitions: definitions.now },
    { moved, isAffectedText: isAffected, isAffectedWithin: openAffectedWithin(now.facts, change) },
  );
  const places = placesOf(old.facts, now.facts, definitions);
  return uses === undefined || places === undefined ? undefined : { facts: now.facts, uses, moved, places };
}

function readFacts(store: Store, id: number): { facts: Facts; uses: EncodedReferences } | undefined {
  const row = store.prepare("SELECT data, uses FROM facts WHERE id = ?").get(id);
  return row === undefined
    ? undefined
    : { facts: decodeFacts(String(row.data)), uses: parseUses(String(row.uses)) };
}

const words = /[\p{L}\p{N}_$]+/gu;

function wordsOf(text: string | undefined): string[] {
  return text === undefined ? [] : (text.match(words) ?? []);
}

/**
 * Returns a function that checks whether a text contains a name whose definitions changed. Undefined if any text could
 * refer to such a name.
 */
function openAffected({ names }: FileChange, { imports }: Facts): ((text: string) => boolean) | undefined {
  if (names.size === 0) return () => false;
  const all = new Set(names);
  for (const written of imports) {
    if (!isAffectedImport(written, names)) continue;
    if (written.name === "*") return undefined;
    for (const bound of [written.alias, written.name, ...wordsOf(written.source)])
      if (bound !== undefined) all.add(bound);
  }
  return (text) => all.has(text) || wordsOf(text).some((word) => all.has(word));
}

function isAffectedImport({ name, source }: Import, names: ReadonlySet<string>): boolean {
  return (name !== undefined && names.has(name)) || wordsOf(source).some((word) => names.has(word));
}

/** True if a type in some file may contain the name of a definition of this kind: `module.Type`, `typeof value`. */
const inTypes = (kind: DefinitionKind): boolean =>
  isType(kind) || kind === "module" || kind === "variable" || kind === "constant";

function areTypesKept(store: Store, { file, definitions }: FileChange, both: readonly Facts[]): boolean {
  const { kinds } = definitions;
  if (kinds.size === 0) return true;
  const isNamed = (text: string | undefined): boolean => wordsOf(text).some((word) => kinds.has(word));
  if (both.some((facts) => facts.definitions.some(({ type, owner }) => isNamed(type) || isNamed(owner))))
    return false;
  const types = [...kinds.keys()].filter((name) => [...(kinds.get(name) ?? [])].some(inTypes));
  return filesMentioning(store, types).every((one) => one === file);
}

/** True if the change kept the supertypes of the file's types. */
function areHeadsKept(old: Facts, now: Facts, definitions: DefinitionsChange): boolean {
  if (old.heads.length !== now.heads.length) return false;
  return old.heads.every((before, index) => {
    const after = now.heads[index];
    if (after === undefined) return false;
    const isSame = definitions.before[before.within] === definitions.now[after.within];
    const withoutPlace = { at: undefined, within: undefined };
    return (
      isSame &&
      JSON.stringify({ ...before, ...withoutPlace }) === JSON.stringify({ ...after, ...withoutPlace })
    );
  });
}

function isAffectedHead(
  { name, receiver, receiverType, headType, owner }: Reference,
  isAffected: (text: string) => boolean,
): boolean {
  return [name, receiver, receiverType, headType, owner].some(
    (text) => text !== undefined && isAffected(text),
  );
}

/** Returns a function that checks, by a definition's index, whether the definition or one around it has changed. */
function openAffectedWithin(
  { definitions: all }: Facts,
  { definitions }: FileChange,
): (index: number) => boolean {
  const affected = all.map((_, index) => definitions.altered.has(definitions.now[index] ?? 0));
  const isAffected = (index: number, steps: number): boolean =>
    index >= 0 &&
    (affected[index] === true || (steps > 0 && isAffected(all[index]?.container ?? -1, steps - 1)));
  const isAround = all.map((_, index) => isAffected(index, mostSteps));
  return (index) => isAround[index] === true;
}

const mostSteps = 50;

const kindNumber = (kind: EdgeKind): number => edgeKinds.indexOf(kind);
const ofUses = (["calls", "references", "tests", "documents"] as const).map(kindNumber).join();
const ofOthers = (["imports", "inherits", "overrides"] as const).map(kindNumber).join();

function carryOut(store: Store, change: FileChange, plan: Plan, known: World | undefined): World {
  const { file: id, definitions, names } = change;
  const world = known ?? openWorld(store, false);
  const file = world.files.byNumber(id);
  if (names.size > 0 || definitions.altered.size > 0 || !areSame(definitions.before, definitions.now)) {
    const forgetOwner = store.prepare("UPDATE entities SET owner = NULL WHERE id = ? AND owner IS NOT NULL");
    for (const one of definitions.altered) forgetOwner.run(one);
    world.symbols.readFileAgain(id);
  }
  world.anywhere.clear();
  dropStale(store, change, plan);
  moveUses(store, id, plan);
  moveOthers(store, id, plan);
  if (file === undefined) return world;
  linkOwners(store, world, file, plan.facts, definitions.altered);
  const own = world.symbols.ofFile(id);
  const methods = own.filter((def) => names.has(def.name));
  const imports = plan.facts.imports.some((one) => isAffectedImport(one, names))
    ? findImports(store, world, file)
    : [];
  writeEdges(store, [
    ...imports,
    ...findUses(world, file, plan.uses.fresh),
    ...findOverrides(store, world, file, methods),
  ]);
  store.prepare("UPDATE files SET resolved = 1 WHERE id = ?").run(id);
  return world;
}

function areSame(some: readonly number[], others: readonly number[]): boolean {
  return some.length === others.length && some.every((one, index) => one === others[index]);
}

/** Drops the edges of removed uses, and of uses that Millwright resolves again. */
function dropStale(store: Store, { file, definitions, names }: FileChange, { uses, facts }: Plan): void {
  if (uses.stale.length > 0)
    store
      .prepare(
        `DELETE FROM edges WHERE file = ? AND kind IN (${ofUses}) AND ${placeOfRow} IN (SELECT value FROM json_each(?))`,
      )
      .run(file, JSON.stringify(uses.stale));
  const dropOf = store.prepare("DELETE FROM edges WHERE file = ? AND source = ?");
  for (const one of definitions.gone) dropOf.run(file, one);
  const dropOverrides = store.prepare(
    `DELETE FROM edges WHERE file = ? AND source = ? AND kind = ${kindNumber("overrides")}`,
  );
  for (const [index, { name }] of facts.definitions.entries())
    if (names.has(name)) dropOverrides.run(file, definitions.now[index] ?? 0);
  if (facts.imports.some((one) => isAffectedImport(one, names)))
    store
      .prepare(`DELETE FROM edges WHERE file = ? AND source = ? AND kind = ${kindNumber("imports")}`)
      .run(file, file);
}

function moveUses(store: Store, file: number, { uses, moved }: Plan): void {
  if (moved === 0 || uses.movedFrom === Number.MAX_SAFE_INTEGER) return;
  store
    .prepare(`UPDATE edges SET line = line + ? WHERE file = ? AND kind IN (${ofUses}) AND ${placeOfRow} >= ?`)
    .run(moved, file, uses.movedFrom);
}

/** New places for edges of imports, heads and definitions, by kind and old place. */
type Places = ReadonlyMap<string, Reference["at"]>;

/** Maps old places to new ones. Empty if nothing has moved; undefined if uses from one place are now at two. */
function placesOf(old: Facts, now: Facts, { before, now: numbers }: DefinitionsChange): Places | undefined {
  const places = new Map<string, Reference["at"]>();
  let [isMoved, isSplit] = [false, false];
  const note = (kind: EdgeKind, from: Reference["at"], to: Reference["at"]): void => {
    const key = placeKey(kindNumber(kind), from);
    const known = places.get(key);
    isMoved ||= placeNumber(from) !== placeNumber(to);
    isSplit ||= known !== undefined && placeNumber(known) !== placeNumber(to);
    places.set(key, to);
  };
  for (const [index, { line }] of old.imports.entries())
    note("imports", { line, column: 0 }, { line: now.imports[index]?.line ?? line, column: 0 });
  for (const [index, { at }] of old.heads.entries()) note("inherits", at, now.heads[index]?.at ?? at);
  const placed = new Map(now.definitions.map(({ at }, index) => [numbers[index], at]));
  for (const [index, { at }] of old.definitions.entries())
    note("overrides", at, placed.get(before[index]) ?? at);
  if (isSplit) return undefined;
  return isMoved ? places : new Map();
}

function placeKey(kind: number, at: Reference["at"]): string {
  return `${kind} ${placeNumber(at)}`;
}

function moveOthers(store: Store, file: number, { places }: Plan): void {
  if (places.size === 0) return;
  const move = store.prepare("UPDATE edges SET line = ?, column = ? WHERE rowid = ?");
  const rows = store
    .prepare(`SELECT rowid AS number, kind, line, column FROM edges WHERE file = ? AND kind IN (${ofOthers})`)
    .all(file);
  for (const { number, kind, line, column } of rows) {
    const at = { line: Number(line), column: Number(column) };
    const after = places.get(placeKey(Number(kind), at));
    if (after !== undefined && placeNumber(after) !== placeNumber(at))
      move.run(after.line, after.column, Number(number));
  }
}
