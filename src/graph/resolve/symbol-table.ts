/** Looks up definitions by name, number, file and owner. Reads them from the store on demand, or all at once. */
import type { SQLOutputValue } from "node:sqlite";
import type { DefinitionKind } from "../../domain/code-symbols.ts";
import type { Store } from "../store/open-store.ts";
import { definitionKindOf, edgeKinds, entityFlags, entityKinds } from "../store/schema.ts";

export interface Def {
  readonly id: number;
  readonly file: number;
  readonly parent: number;
  /** The number of the type, module or file that owns the definition; `parent` until the owner is known. */
  owner: number;
  readonly kind: DefinitionKind;
  readonly name: string;
  readonly qualified: string;
  readonly isPublic: boolean;
  readonly inTests: boolean;
  readonly isTest: boolean;
  readonly arity: number;
  /** The declared type of a variable or field, or a function's return type. */
  readonly type: string | undefined;
}

export interface NameGroup {
  readonly all: readonly Def[];
  inFile(file: number): readonly Def[];
  /** Direct members of a type, module or file, wherever they are written. */
  memberOf(owner: number): readonly Def[];
  /** Forgets cached members. Call this function when an owner has changed. */
  forget(): void;
}

export interface SymbolTable {
  def(id: number): Def | undefined;
  named(name: string): NameGroup;
  /** The definitions of a file, in order. */
  ofFile(file: number): readonly Def[];
  /** Returns the direct supertypes of a type. */
  supertypes(type: number): readonly number[];
  setOwner(def: Def, owner: number): void;
  setSupertypes(type: number, supertypes: readonly number[]): void;
  /**
   * Replaces the file's cached definitions with the stored ones, and forgets all cached supertypes. Only for a table
   * that reads on demand.
   */
  readFileAgain(file: number): void;
  /** Number of cached definitions. */
  readonly size: number;
}

const columns = "id, file, parent, owner, kind, name, qualified, flags, arity, type";
const sectionKind = entityKinds.indexOf("section");
const inheritsKind = edgeKinds.indexOf("inherits");

export function openSymbolTable(store: Store, all: boolean): SymbolTable {
  const groups = new Map<string, NameGroup>();
  const defs = new Map<number, Def>();
  const files = new Map<number, Def[]>();
  const supertypes = new Map<number, readonly number[]>();
  /** Files and folders, which are owners too. */
  const others = new Set<number>();
  const read = (row: Record<string, SQLOutputValue>): Def => {
    const known = defs.get(Number(row.id));
    if (known !== undefined) return known;
    const def = readDef(row);
    defs.set(def.id, def);
    return def;
  };
  if (all) loadAll(store, read, groups, files, supertypes);
  return {
    def(id) {
      const known = defs.get(id);
      if (known !== undefined || all || others.has(id)) return known;
      const row = store.prepare(`SELECT ${columns} FROM entities WHERE id = ? AND kind > 2`).get(id);
      if (row !== undefined) return read(row);
      others.add(id);
      return undefined;
    },
    named(name) {
      const known = groups.get(name);
      if (known !== undefined) return known;
      const select = `SELECT ${columns} FROM entities WHERE name = ? AND kind > 2 AND kind <> ${sectionKind} ORDER BY file, ordinal`;
      const rows = all ? [] : store.prepare(select).all(name).map(read);
      const group = rows.length === 0 ? emptyGroup : openGroup(rows);
      groups.set(name, group);
      return group;
    },
    ofFile(file) {
      const known = files.get(file);
      if (known !== undefined || all) return known ?? [];
      const rows = store.prepare(`SELECT ${columns} FROM entities WHERE file = ? ORDER BY ordinal`).all(file);
      const found = rows.map(read);
      files.set(file, found);
      return found;
    },
    supertypes(type) {
      const known = supertypes.get(type);
      if (known !== undefined || all) return known ?? [];
      const rows = store
        .prepare(`SELECT DISTINCT target FROM edges WHERE kind = ${inheritsKind} AND source = ?`)
        .all(type);
      const found = rows.map(({ target }) => Number(target));
      supertypes.set(type, found);
      return found;
    },
    setOwner(def, owner) {
      def.owner = owner;
      groups.get(def.name)?.forget();
    },
    setSupertypes: (type, found) => supertypes.set(type, found),
    readFileAgain(file) {
      const old = [...defs.values()].filter((def) => def.file === file);
      for (const { id } of old) defs.delete(id);
      files.delete(file);
      regroup(groups, file, old, this.ofFile(file));
      supertypes.clear();
      others.clear();
    },
    get size() {
      return defs.size;
    },
  };
}

/** Replaces a file's definitions in the cached groups. */
function regroup(
  groups: Map<string, NameGroup>,
  file: number,
  old: readonly Def[],
  now: readonly Def[],
): void {
  const named = groupBy(now, ({ name }) => name);
  for (const name of new Set([...old.map((def) => def.name), ...named.keys()])) {
    const known = groups.get(name);
    if (known === undefined) continue;
    const before = known.all.filter((def) => def.file < file);
    const own = (named.get(name) ?? []).filter(({ kind }) => kind !== "section");
    const after = known.all.filter((def) => def.file > file);
    const all = [...before, ...own, ...after];
    groups.set(name, all.length === 0 ? emptyGroup : openGroup(all));
  }
}

type Read = (row: Record<string, SQLOutputValue>) => Def;

function loadAll(
  store: Store,
  read: Read,
  groups: Map<string, NameGroup>,
  files: Map<number, Def[]>,
  supertypes: Map<number, readonly number[]>,
): void {
  const names = new Map<string, Def[]>();
  for (const row of store
    .prepare(`SELECT ${columns} FROM entities WHERE kind > 2 ORDER BY file, ordinal`)
    .iterate()) {
    const def = read(row);
    pushTo(files, def.file, def);
    if (def.kind !== "section") pushTo(names, def.name, def);
  }
  for (const [name, defs] of names) groups.set(name, openGroup(defs));
  const inherits = `SELECT DISTINCT source, target FROM edges WHERE kind = ${inheritsKind}`;
  const known = supertypes as Map<number, number[]>;
  for (const { source, target } of store.prepare(inherits).iterate())
    pushTo(known, Number(source), Number(target));
}

function pushTo<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}

const fewDefs = 8;
const none: readonly Def[] = [];

const emptyGroup: NameGroup = { all: none, inFile: () => none, memberOf: () => none, forget: () => {} };

function openGroup(all: readonly Def[]): NameGroup {
  if (all.length <= fewDefs)
    return {
      all,
      inFile: (file) => all.filter((def) => def.file === file),
      memberOf: (owner) => all.filter((def) => def.owner === owner),
      forget: () => {},
    };
  let byFile: Map<number, Def[]> | undefined;
  let byOwner: Map<number, Def[]> | undefined;
  return {
    all,
    inFile(file) {
      byFile ??= groupBy(all, (def) => def.file);
      return byFile.get(file) ?? none;
    },
    memberOf(owner) {
      byOwner ??= groupBy(all, (def) => def.owner);
      return byOwner.get(owner) ?? none;
    },
    forget: () => {
      byOwner = undefined;
    },
  };
}

function groupBy<K>(defs: readonly Def[], key: (def: Def) => K): Map<K, Def[]> {
  const map = new Map<K, Def[]>();
  for (const def of defs) pushTo(map, key(def), def);
  return map;
}

function readDef(row: Record<string, SQLOutputValue>): Def {
  const flags = Number(row.flags);
  return {
    id: Number(row.id),
    file: Number(row.file),
    parent: Number(row.parent),
    owner: Number(row.owner ?? row.parent),
    kind: definitionKindOf(row.kind),
    name: String(row.name),
    qualified: String(row.qualified),
    isPublic: (flags & entityFlags.public) !== 0,
    inTests: (flags & entityFlags.inTests) !== 0,
    isTest: (flags & entityFlags.test) !== 0,
    arity: row.arity === null ? -1 : Number(row.arity),
    type: row.type === null ? undefined : String(row.type),
  };
}
