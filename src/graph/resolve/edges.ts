/**
 * The second round of a file's resolution: finds the edges for imports, calls, references, tested code, documented
 * names and overrides.
 */

import type { Reference } from "../../domain/code-symbols.ts";
import { confidences } from "../confidence.ts";
import type { EdgeKind } from "../contract.ts";
import { parseImports } from "../store/facts.ts";
import type { Store } from "../store/open-store.ts";
import type { NewEdge } from "./edge-rows.ts";
import type { FileInfo } from "./file-table.ts";
import type { Resolved } from "./resolve-name.ts";
import { resolveReference } from "./resolve-reference.ts";
import type { Def } from "./symbol-table.ts";
import { isCallable, isType } from "./traits.ts";
import { bindingsOf, findMember, meaningOf, type World } from "./world.ts";

/** Minimum confidence of an edge. Weaker edges have so many possible targets that they help nobody. */
const weakest = 0.05;

export function findEdges(
  store: Store,
  world: World,
  file: FileInfo,
  uses: readonly Reference[],
): readonly NewEdge[] {
  return [
    ...findImports(store, world, file),
    ...findUses(world, file, uses),
    ...findOverrides(store, world, file, world.symbols.ofFile(file.id)),
  ];
}

/** Finds the edges of a file's uses: calls, references, tested code, documented names. */
export function findUses(world: World, file: FileInfo, uses: readonly Reference[]): readonly NewEdge[] {
  const edges: NewEdge[] = [];
  const own = world.symbols.ofFile(file.id);
  for (const reference of uses) {
    const within = own[reference.within];
    const found = resolveReference({ world, file, within }, reference);
    if (found !== undefined) addFound(edges, world, { file, within, reference, found });
  }
  return edges;
}

/** Finds the edges from methods to the methods that they override. Ignores other definitions. */
export function findOverrides(
  store: Store,
  world: World,
  file: FileInfo,
  definitions: readonly Def[],
): readonly NewEdge[] {
  const edges: NewEdge[] = [];
  for (const def of definitions) if (def.kind === "method") addOverrides(edges, store, world, file, def);
  return edges;
}

/**
 * Finds the edges of a file's imports. Reads the imports' lines from the store, because a cached world may have old
 * lines.
 */
export function findImports(store: Store, world: World, file: FileInfo): readonly NewEdge[] {
  const edges: NewEdge[] = [];
  const lines = linesOfImports(store, file);
  const known = new Set<string>();
  for (const [index, binding] of bindingsOf(world, file).all.entries()) {
    const { target } = binding;
    const line = lines[index] ?? 0;
    if (target === undefined) continue;
    const meaning = meaningOf(world, file, binding);
    const { defs } = meaning;
    const files =
      defs.length > 0
        ? defs.map((def) => def.file)
        : (meaning.files.length > 0 ? meaning.files : target.files).map(({ id }) => id);
    const numbers = new Set([...files, ...defs.map(({ id }) => id)]);
    numbers.delete(file.id);
    // An import in Kotlin or Java brings all definitions with the name.
    const choices = defs.length > 0 && file.family === "jvm" ? 1 : new Set(files).size;
    const confidence = confidences.import / Math.max(1, choices);
    for (const number of numbers) {
      const key = `${line} ${number}`;
      if (known.has(key)) continue;
      known.add(key);
      const at = { line, column: 0 };
      edges.push({ file: file.id, kind: "imports", source: file.id, target: number, at, confidence });
    }
  }
  return edges;
}

function linesOfImports(store: Store, { id, imports }: FileInfo): number[] {
  if (imports === undefined) return [];
  const row = store.prepare("SELECT imports FROM files WHERE id = ?").get(id);
  const written = parseImports(String(row?.imports ?? "[]"));
  return written.map(({ line }) => line);
}

interface Found {
  readonly file: FileInfo;
  readonly within: Def | undefined;
  readonly reference: Reference;
  readonly found: Resolved;
}

function addFound(edges: NewEdge[], world: World, { file, within, reference, found }: Found): void {
  const targets = found.defs.length > 0 ? found.defs.map(({ id }) => id) : found.files.map(({ id }) => id);
  const confidence = found.confidence / Math.max(1, targets.length);
  if (confidence < weakest) return;
  const source = within?.id ?? file.id;
  const test = testAround(world, within);
  const kind = kindOf(reference, within);
  for (const target of targets) {
    if (target === source) continue;
    const edge = { file: file.id, target, at: reference.at, confidence };
    edges.push({ ...edge, kind, source });
    if (test !== undefined && exercises(world, target))
      edges.push({ ...edge, kind: "tests", source: test.id });
  }
}

function kindOf({ kind }: Reference, within: Def | undefined): EdgeKind {
  if (within?.kind === "section") return "documents";
  return kind === "call" ? "calls" : "references";
}

/** True for a target that tests exercise: a function or a type, but not another test or a constant. */
function exercises(world: World, target: number): boolean {
  const def = world.symbols.def(target);
  return def !== undefined && !def.inTests && (isCallable(def.kind) || isType(def.kind));
}

function testAround(world: World, within: Def | undefined): Def | undefined {
  for (let around = within; around !== undefined; around = world.symbols.def(around.parent))
    if (around.isTest) return around;
  return undefined;
}

/** Links a method to the nearest inherited method with its name, separately for each direct supertype. */
function addOverrides(edges: NewEdge[], store: Store, world: World, file: FileInfo, member: Def): void {
  const supertypes = world.symbols.supertypes(member.owner).flatMap((id) => world.symbols.def(id) ?? []);
  const written = new Set<number>();
  for (const supertype of supertypes) {
    const found = findMember(world, supertype, member.name);
    const defs = (found?.defs ?? []).filter(({ kind, id }) => kind === "method" && id !== member.id);
    const same = defs.filter(({ arity }) => arity === member.arity);
    const replaced = same.length > 0 ? same : defs;
    if (replaced.length === 0) continue;
    const confidence = confidences.inherited / replaced.length;
    const edge = { file: file.id, source: member.id, at: placeOf(store, member.id), confidence };
    for (const { id } of replaced)
      if (!written.has(id)) edges.push({ ...edge, kind: "overrides", target: id });
    for (const { id } of replaced) written.add(id);
  }
}

function placeOf(store: Store, id: number): { line: number; column: number } {
  const row = store.prepare("SELECT line, column FROM entities WHERE id = ?").get(id);
  return { line: Number(row?.line ?? 0), column: Number(row?.column ?? 0) };
}
