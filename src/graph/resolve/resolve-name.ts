/**
 * Resolves names without a receiver: by scope, file, imports and package. Also resolves a name by the few definitions
 * that the code base has for it.
 */
import type { ReferenceKind } from "../../domain/code-symbols.ts";
import { confidences, mostCandidates } from "../confidence.ts";
import { importRulesOf } from "../imports/rules.ts";
import type { FileInfo } from "./file-table.ts";
import type { Def } from "./symbol-table.ts";
import { everydayMembers, fitOf, isCallable, isType, traitsOf } from "./traits.ts";
import {
  bindingsOf,
  exportedBy,
  findMember,
  type Meaning,
  meaningOf,
  topLevel,
  type World,
} from "./world.ts";

/** The targets of a reference. `confidence`: of all `defs` together; each gets an equal share. */
export interface Resolved {
  readonly defs: readonly Def[];
  readonly files: readonly FileInfo[];
  readonly confidence: number;
}

export interface Place {
  readonly world: World;
  readonly file: FileInfo;
  /** The innermost definition around the reference. */
  readonly within: Def | undefined;
}

export interface Wanted {
  readonly name: string;
  readonly kind: ReferenceKind;
  readonly arity: number | undefined;
}

/**
 * Resolves a name without a receiver. Undefined if nothing is known about the name. The result has no targets if the
 * name is known to come from outside the code base.
 */
export function resolveBare(place: Place, wanted: Wanted): Resolved | undefined {
  return resolveInScope(place, wanted) ?? resolveImported(place, wanted) ?? resolveAround(place, wanted);
}

function resolveInScope({ world, file, within }: Place, wanted: Wanted): Resolved | undefined {
  const { bareMembers } = traitsOf(file.language);
  const group = world.symbols.named(wanted.name);
  if (group.all.length === 0) return undefined;
  for (let around = within; around !== undefined; around = world.symbols.def(around.parent)) {
    const isOwnBody = isType(around.kind) && around !== within;
    if (isOwnBody && !bareMembers) continue;
    const found = choose(group.memberOf(around.id), wanted);
    if (found.length > 0) return resolved(found, confidences.scope);
    const type = bareMembers ? enclosingType(world, around) : undefined;
    const inherited = type === undefined ? undefined : findMember(world, type, wanted.name);
    const members = choose(inherited?.defs ?? [], wanted);
    if (members.length > 0)
      return resolved(members, inherited?.isInherited === true ? confidences.inherited : confidences.scope);
  }
  const own = choose(topLevel(world, file, wanted.name), wanted);
  return own.length > 0 ? resolved(own, confidences.file) : undefined;
}

function resolveImported(place: Place, wanted: Wanted): Resolved | undefined {
  const { world, file } = place;
  const { byAlias, wide } = bindingsOf(world, file);
  const bindings = byAlias.get(wanted.name);
  if (bindings !== undefined) {
    const meanings = bindings.map((binding) => meaningOf(world, file, binding));
    const defs = ofEnclosingType(
      place,
      choose(
        meanings.flatMap((meaning) => meaning.defs),
        wanted,
      ),
    );
    return { ...resolved(defs, confidences.import), files: meanings.flatMap(({ files }) => files) };
  }
  for (const { target, written } of wide) {
    const module =
      target === undefined
        ? undefined
        : meaningOf(world, file, { target, written: { ...written, name: "*" } });
    const defs = choose(module === undefined ? [] : namesIn(world, module, wanted.name), wanted);
    if (defs.length > 0) return resolved(ofEnclosingType(place, defs), confidences.wide);
  }
  return undefined;
}

/** Looks in a module, or in a type whose members are all imported. */
function namesIn(world: World, { files, defs }: Meaning, name: string): readonly Def[] {
  return [
    ...files.flatMap((one) => exportedBy(world, one, name)),
    ...defs.flatMap((def) => findMember(world, def, name)?.defs ?? []),
  ];
}

/** For a name without a receiver, keeps only the extensions of the type that contains the use, if any. */
function ofEnclosingType({ world, file, within }: Place, defs: readonly Def[]): readonly Def[] {
  if (defs.length < 2 || !traitsOf(file.language).bareMembers) return defs;
  const type = enclosingType(world, within);
  if (type === undefined) return defs;
  const above = world.symbols.supertypes(type.id).map((id) => world.symbols.def(id)?.name);
  const names = new Set([type.name, ...above]);
  // By name: a type defined for each platform has no single definition that could be the owner.
  const own = defs.filter(({ qualified }) => names.has(qualified.split(".").at(-2)));
  return own.length > 0 ? own : defs;
}

function resolveAround(place: Place, wanted: Wanted): Resolved | undefined {
  const { world, file } = place;
  const group = world.symbols.named(wanted.name);
  if (group.all.length === 0) return undefined;
  const files = importRulesOf(file.language).around?.(file, world.files) ?? [];
  if (files.length === 0) return undefined;
  const numbers = files.length > group.all.length ? new Set(group.all.map((def) => def.file)) : undefined;
  const defs = files
    .filter(({ id }) => numbers?.has(id) ?? true)
    .flatMap((one) => topLevel(world, one, wanted.name));
  const found = ofEnclosingType(place, choose(defs, wanted));
  return found.length > 0 ? resolved(found, confidences.package) : undefined;
}

/**
 * Resolves a name by searching the whole code base. `isMember`: true to search members of types, false to search all
 * other definitions. Undefined if no definition that the file can see fits, or more than `mostCandidates` do. Also
 * undefined if the code base defines the name more than `mostOfOneName` times, or if several definitions fit an
 * everyday name of a member, such as `get`.
 */
export function resolveAnywhere(
  { world, file }: Place,
  wanted: Wanted,
  isMember: boolean,
): Resolved | undefined {
  const { linked } = traitsOf(file.language);
  const elsewhere = isMember ? "anything" : whatElsewhere(world, file);
  if (elsewhere === "nothing") return undefined;
  const found = choose(definedAnywhere(world, file, wanted.name, isMember, elsewhere), wanted);
  if (found.length === 0 || found.length > mostCandidates) return undefined;
  const isEveryday = isMember && everydayMembers.has(wanted.name);
  if (isEveryday && found.length > 1) return undefined;
  const everyday = isEveryday ? 0.4 : 1;
  const single = linked && !isMember ? confidences.wide : confidences.unique;
  return resolved(found, (found.length === 1 ? single : confidences.ambiguous) * everyday);
}

const none: readonly Def[] = [];
/** Maximum number of definitions of a name. A name with more carries no information. */
const mostOfOneName = 100;

/**
 * The definitions of a name in the code base, cached for all files of a language family. Empty if there are too many to
 * choose from.
 */
function definedAnywhere(
  world: World,
  file: FileInfo,
  name: string,
  isMember: boolean,
  elsewhere: "anything" | "macros",
): readonly Def[] {
  const { all } = world.symbols.named(name);
  if (all.length === 0 || all.length > mostOfOneName) return none;
  const key = `${name}\0${file.family}\0${file.isTest}\0${isMember ? "member" : elsewhere}`;
  const known = world.anywhere.get(key);
  if (known !== undefined) return known;
  const fitting: Def[] = [];
  for (const def of all) {
    if (isMemberDef(world, def) !== isMember || isLocal(world, def)) continue;
    if (elsewhere === "macros" && def.kind !== "macro") continue;
    const home = world.files.byNumber(def.file);
    if (home === undefined || home.family !== file.family || (home.isTest && !file.isTest)) continue;
    fitting.push(def);
    if (fitting.length > 4 * mostCandidates) break;
  }
  const result = fitting.length > 4 * mostCandidates ? none : fitting;
  world.anywhere.set(key, result);
  return result;
}

/**
 * The definitions of other files that a file sees without an import. A script sees those of other scripts; a module
 * does not.
 */
function whatElsewhere(world: World, file: FileInfo): "anything" | "macros" | "nothing" {
  const { elsewhere } = traitsOf(file.language);
  if (elsewhere !== "in-scripts") return elsewhere;
  return bindingsOf(world, file).all.length === 0 ? "anything" : "nothing";
}

function isMemberDef(world: World, def: Def): boolean {
  const owner = world.symbols.def(def.owner);
  return owner !== undefined && isType(owner.kind) && !isType(def.kind);
}

function isLocal(world: World, def: Def): boolean {
  const parent = world.symbols.def(def.parent);
  return parent !== undefined && isCallable(parent.kind);
}

/**
 * Chooses the definitions that fit best: by kind, then by the number of arguments. Empty if no kind fits. Ignores the
 * number of arguments if no definition has it.
 */
export function choose(defs: readonly Def[], { kind, arity }: Wanted): readonly Def[] {
  if (defs.length === 0) return defs;
  let best = 0;
  for (const def of defs) best = Math.max(best, fitOf(kind, def.kind));
  const fitting = best === 0 ? [] : defs.filter((def) => fitOf(kind, def.kind) === best);
  if (arity === undefined || fitting.length < 2) return fitting;
  const exact = fitting.filter((def) => def.arity === arity);
  return exact.length > 0 ? exact : fitting;
}

export function resolved(defs: readonly Def[], confidence: number): Resolved {
  return { defs, files: [], confidence };
}

/**
 * Returns the type that encloses the definition `within`. A method outside its type's text also belongs to its type.
 * Undefined if no type encloses it.
 */
export function enclosingType(world: World, within: Def | undefined): Def | undefined {
  for (let around = within; around !== undefined; around = world.symbols.def(around.parent)) {
    if (isType(around.kind)) return around;
    const owner = world.symbols.def(around.owner);
    if (owner !== undefined && isType(owner.kind)) return owner;
  }
  return undefined;
}
