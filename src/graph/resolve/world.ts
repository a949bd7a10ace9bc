/** Holds the data for the resolution of names (the world), and looks up names through files and types. */

import type { Import } from "../../domain/code-symbols.ts";
import type { ImportTarget } from "../imports/contract.ts";
import { importRulesOf } from "../imports/rules.ts";
import { parseImports } from "../store/facts.ts";
import type { Store } from "../store/open-store.ts";
import { type FileInfo, type FileTable, openFileTable } from "./file-table.ts";
import { type Def, openSymbolTable, type SymbolTable } from "./symbol-table.ts";
import { isType, traitsOf } from "./traits.ts";

export interface World {
  readonly files: FileTable;
  readonly symbols: SymbolTable;
  /** The cache of `bindingsOf`, by file number. */
  readonly bindings: Map<number, FileBindings>;
  /**
   * The cache of the search over the whole code base; see resolve-name.ts. It is filled only after owners are known.
   */
  readonly anywhere: Map<string, readonly Def[]>;
}

/** One import of a file, with its target. `target` is undefined if the import is from outside the code base. */
export interface Binding {
  readonly written: Import;
  readonly target: ImportTarget | undefined;
}

export interface FileBindings {
  readonly all: readonly Binding[];
  readonly byAlias: ReadonlyMap<string, readonly Binding[]>;
  /** Imports of whole modules: `import *`, headers. */
  readonly wide: readonly Binding[];
}

/**
 * The meaning of a name: definitions, or the files of a module. Both lists are empty if the name comes from outside the
 * code base, or if its source does not define it.
 */
export interface Meaning {
  readonly defs: readonly Def[];
  readonly files: readonly FileInfo[];
}

export const nothing: Meaning = { defs: [], files: [] };
const mostSteps = 8;

export function openWorld(store: Store, all: boolean): World {
  return {
    files: openFileTable(store, all),
    symbols: openSymbolTable(store, all),
    bindings: new Map(),
    anywhere: new Map(),
  };
}

export function bindingsOf(world: World, file: FileInfo): FileBindings {
  const known = world.bindings.get(file.id);
  if (known !== undefined) return known;
  const imports = file.imports === undefined ? [] : parseImports(file.imports);
  const rules = importRulesOf(file.language);
  const targets = new Map<string, ImportTarget | undefined>();
  const all = imports.map((written) => {
    const source = boundSource(file, written);
    if (!targets.has(source)) targets.set(source, rules.find({ file, source }, world.files));
    return { written, target: targets.get(source) };
  });
  const byAlias = new Map<string, Binding[]>();
  const wide: Binding[] = [];
  for (const binding of all) {
    const { name, alias } = binding.written;
    const bound = alias ?? (name !== undefined && name !== "*" ? name : impliedAlias(file, binding));
    if (name === "*" || bound === undefined) wide.push(binding);
    else byAlias.set(bound, [...(byAlias.get(bound) ?? []), binding]);
  }
  const result = { all, byAlias, wide };
  world.bindings.set(file.id, result);
  return result;
}

/** The source that an import's name binds: `a` for Python's `import a.b`. */
function boundSource(file: FileInfo, { source, name, alias }: Import): string {
  if (file.language !== "python" || name !== undefined || alias === undefined) return source;
  return source.startsWith(`${alias}.`) ? alias : source;
}

/** The name that an import of a whole module binds: Go's package, or the last segment in Java, Kotlin and Rust. */
function impliedAlias(file: FileInfo, { written, target }: Binding): string | undefined {
  if (written.name !== undefined) return undefined;
  if (file.language === "go") return target?.files[0]?.module ?? written.source.split("/").pop();
  if (file.family === "jvm") return written.source.split(".").pop();
  if (file.language === "rust") return written.source.split("::").pop();
  return undefined;
}

/** Names already searched, with their files. Re-exports lead to one place on many paths, and in cycles. */
type Looked = Set<string>;

/**
 * Finds the meaning of an imported name in the files that the import targets. It is empty if the target is unknown, or
 * behind more than eight further imports.
 */
export function meaningOf(
  world: World,
  file: FileInfo,
  binding: Binding,
  steps = 0,
  looked: Looked = new Set(),
): Meaning {
  const { written, target } = binding;
  if (target === undefined || steps > mostSteps) return nothing;
  const names =
    written.name === undefined || written.name === "*" ? target.inside : [...target.inside, written.name];
  if (names.length === 0) return { defs: [], files: target.files };
  const inside = walk(world, { defs: [], files: target.files }, names, written.alias, steps, looked);
  if (inside.defs.length > 0 || inside.files.length > 0 || written.name === undefined) return inside;
  const rules = importRulesOf(file.language);
  const below = rules.below?.(written.source, written.name);
  const module = below === undefined ? undefined : rules.find({ file, source: below }, world.files);
  if (module === undefined || module.inside.length > 0) return nothing;
  return { defs: [], files: module.files };
}

function walk(
  world: World,
  from: Meaning,
  names: readonly string[],
  alias: string | undefined,
  steps: number,
  looked: Looked,
): Meaning {
  let at = from;
  for (const name of names) at = { defs: memberOf(world, at, name, alias, steps + 1, looked), files: [] };
  return at;
}

/**
 * Finds the members called `name` in the meaning of another name: exports of its files, or members of its types and
 * modules.
 */
export function memberOf(
  world: World,
  from: Meaning,
  name: string,
  alias?: string,
  steps = 0,
  looked: Looked = new Set(),
): readonly Def[] {
  const defs = [
    ...from.files.flatMap((file) => exportedBy(world, file, name, alias, steps, looked)),
    ...from.defs.flatMap((def) => findMember(world, def, name)?.defs ?? []),
  ];
  return [...new Set(defs)];
}

export function exportedBy(
  world: World,
  file: FileInfo,
  name: string,
  alias?: string,
  steps = 0,
  looked: Looked = new Set(),
): readonly Def[] {
  const own = topLevel(world, file, name);
  const key = `${file.id} ${name}`;
  if (own.length > 0 || steps > mostSteps || looked.has(key)) return own;
  looked.add(key);
  const { importsAreExports, returnsTable } = traitsOf(file.language);
  if (returnsTable) return membersOfTable(world, file, name);
  const bindings = bindingsOf(world, file);
  const again = (bindings.byAlias.get(name) ?? []).filter(
    ({ written }) => importsAreExports || written.exported === true,
  );
  const named = again.flatMap((binding) => meaningOf(world, file, binding, steps + 1, looked).defs);
  if (named.length > 0) return named;
  const wide = bindings.wide.filter(({ written }) => importsAreExports || written.exported === true);
  const through = wide.flatMap((binding) =>
    (binding.target?.files ?? []).flatMap((one) => exportedBy(world, one, name, alias, steps + 1, looked)),
  );
  return through.length === 0 && name === "default" ? defaultOf(world, file, alias) : through;
}

/**
 * Finds the definitions called `name` at the file's top level. Includes those in namespaces, in languages whose imports
 * open namespaces.
 */
export function topLevel(world: World, file: FileInfo, name: string): readonly Def[] {
  const { openModules, membersNeedType } = traitsOf(file.language);
  return world.symbols
    .named(name)
    .inFile(file.id)
    .filter((def) => {
      if (membersNeedType && def.qualified !== def.name) return false;
      for (let parent = def.owner; ; ) {
        if (parent === file.id) return true;
        const around = world.symbols.def(parent);
        if (!openModules || around?.kind !== "module") return false;
        parent = around.parent;
      }
    });
}

/** For Lua: the members of all tables that the module may return, because it is unknown which one it returns. */
function membersOfTable(world: World, file: FileInfo, name: string): readonly Def[] {
  return world.symbols
    .named(name)
    .inFile(file.id)
    .filter((def) => world.symbols.def(def.owner)?.owner === file.id);
}

/**
 * Returns the tables of a Lua file that may be the file's result, if code uses the file as a type. These are the tables
 * named like the file, or else the first one. Empty for other languages.
 */
export function typesOfFile(world: World, file: FileInfo): readonly Def[] {
  if (!traitsOf(file.language).returnsTable) return [];
  const own = world.symbols.ofFile(file.id).filter((def) => def.owner === file.id && isType(def.kind));
  const stem = file.path.replace(/^.*\//, "").replace(/\..*$/, "").toLowerCase();
  const named = own.filter(({ name }) => name.toLowerCase() === stem);
  return named.length > 0 ? named : own.slice(0, 1);
}

/**
 * Guesses the default export, which the index does not mark: the definition named like the import or the file, else the
 * only public one.
 */
function defaultOf(world: World, file: FileInfo, alias: string | undefined): readonly Def[] {
  const own = world.symbols.ofFile(file.id).filter((def) => def.owner === file.id && def.isPublic);
  const stem = file.path.replace(/^.*\//, "").replace(/\..*$/, "");
  const named = own.filter(({ name }) => name === alias || name.toLowerCase() === stem.toLowerCase());
  return named.length > 0 ? named.slice(0, 1) : own.length === 1 ? own : [];
}

export interface FoundMember {
  readonly defs: readonly Def[];
  readonly isInherited: boolean;
}

/**
 * Finds a member of the type or module itself, or else of the type's nearest supertypes, up to seven levels above it.
 * Undefined if none has this member.
 */
export function findMember(world: World, type: Def, name: string): FoundMember | undefined {
  const group = world.symbols.named(name);
  if (group.all.length === 0) return undefined;
  let level = [type.id];
  const seen = new Set(level);
  for (let depth = 0; level.length > 0 && depth < mostSteps; depth++) {
    const defs = level.flatMap((id) => group.memberOf(id));
    if (defs.length > 0) return { defs, isInherited: depth > 0 };
    if (!isType(type.kind)) return undefined;
    level = level.flatMap((id) => world.symbols.supertypes(id)).filter((id) => !seen.has(id) && seen.add(id));
  }
  return undefined;
}
