/**
 * Writes the definitions of one file as rows. Entities with an unchanged key keep their numbers, and equal rows are not
 * rewritten.
 */
import type { SQLOutputValue } from "node:sqlite";
import type { Definition, DefinitionKind } from "../../domain/code-symbols.ts";
import { type Identity, identifyDefinitions } from "./identify.ts";
import type { Store } from "./open-store.ts";
import { definitionKindOf, flagsOfDefinition, kindNumbers } from "./schema.ts";

/** A change of one file's definitions, as entity numbers. */
export interface DefinitionsChange {
  /** In the order of the facts: the old and the new numbers. */
  readonly before: readonly number[];
  readonly now: readonly number[];
  /** Numbers of definitions that are new, or whose shape changed. */
  readonly altered: ReadonlySet<number>;
  readonly gone: readonly number[];
  /** For each name, the kinds of its definitions in `altered` and `gone`. */
  readonly kinds: ReadonlyMap<string, ReadonlySet<DefinitionKind>>;
}

interface OldRow {
  readonly id: number;
  readonly kind: DefinitionKind;
  readonly shape: string;
  readonly name: string;
  /** The columns that an update can change, in order. */
  readonly values: readonly SQLOutputValue[];
}

export interface FileOfEntities {
  readonly file: number;
  readonly isNew: boolean;
  readonly language: string;
  /** A sum of `fileFlags`. */
  readonly flags: number;
}

/**
 * Replaces a file's definitions in the store with `definitions`, and returns the changes. Call it inside a transaction.
 */
export function mergeEntities(
  store: Store,
  { file, isNew, language, flags }: FileOfEntities,
  definitions: readonly Definition[],
): DefinitionsChange {
  const old = isNew ? new Map<string, OldRow>() : readOldRows(store, file);
  const before = [...old.values()].map(({ id }) => id);
  const identities = identifyDefinitions(language, definitions);
  const now: number[] = [];
  const altered = new Set<number>();
  const kinds = new Map<string, Set<DefinitionKind>>();
  const note = (name: string, kind: DefinitionKind): void => {
    kinds.set(name, (kinds.get(name) ?? new Set()).add(kind));
  };
  for (const [ordinal, definition] of definitions.entries()) {
    const identity = identities[ordinal];
    if (identity === undefined) continue;
    const parent = now[definition.container] ?? file;
    const key = keyOf(definition.kind, identity);
    const known = old.get(key);
    old.delete(key);
    const entity = {
      file,
      definition,
      identity,
      values: valuesOf(definition, parent, flags, ordinal),
    };
    const id = known === undefined ? insertRow(store, entity) : updateRow(store, known, entity);
    now.push(id);
    if (known?.shape === shapeOf(entity.values)) continue;
    altered.add(id);
    note(definition.name, definition.kind);
  }
  const gone: number[] = [];
  for (const { id, name, kind } of old.values()) {
    note(name, kind);
    gone.push(id);
    deleteEntity(store, id);
  }
  return { before, now, altered, gone, kinds };
}

/** The columns that can change; those that identify a definition cannot. */
const changing = [
  "parent",
  "start_line",
  "end_line",
  "line",
  "column",
  "signature",
  "documentation",
  "arity",
  "flags",
  "type",
  "ordinal",
] as const;

/** The file's stored definitions by their keys, in the order of the facts. */
function readOldRows(store: Store, file: number): Map<string, OldRow> {
  const rows = store
    .prepare(
      `SELECT id, kind, name, qualified, disambiguator, ${changing.join()} FROM entities WHERE file = ? ORDER BY ordinal`,
    )
    .all(file);
  const old = new Map<string, OldRow>();
  for (const row of rows) {
    const identity = { qualified: String(row.qualified), disambiguator: String(row.disambiguator) };
    const kind = definitionKindOf(row.kind);
    const values = changing.map((column) => row[column] ?? null);
    const known = { id: Number(row.id), kind, name: String(row.name), shape: shapeOf(values), values };
    old.set(keyOf(kind, identity), known);
  }
  return old;
}

function valuesOf(d: Definition, parent: number, flags: number, ordinal: number): (string | number | null)[] {
  const place = [parent, d.startLine, d.endLine, d.at.line, d.at.column];
  const said = [d.signature, d.documentation ?? null, d.arity ?? null];
  return [...place, ...said, flagsOfDefinition(d, flags), d.type ?? null, ordinal];
}

/** The properties, besides the key, on which references may depend: container, arity, flags, type. */
function shapeOf(values: readonly SQLOutputValue[]): string {
  return `${values[0]} ${values[7]} ${values[8]} ${values[9]}`;
}

interface NewEntity {
  readonly file: number;
  readonly definition: Definition;
  readonly identity: Identity;
  readonly values: readonly (string | number | null)[];
}

function insertRow(store: Store, { file, definition, identity, values }: NewEntity): number {
  const { qualified, disambiguator } = identity;
  const [parent = null, ...rest] = values;
  const { kind, name } = definition;
  const own = [file, parent, kindNumbers.get(kind) ?? 0, name, qualified, disambiguator];
  return Number(store.prepare(insertEntity).run(...own, ...rest).lastInsertRowid);
}

/** Updates an existing row. The row keeps its key, so that SQLite does not update the indexes of the key. */
function updateRow(store: Store, known: OldRow, { values }: NewEntity): number {
  if (known.values.some((value, at) => value !== values[at]))
    store.prepare(updateEntity).run(...values, known.id);
  return known.id;
}

const insertEntity = "INSERT INTO entities VALUES (NULL,?,?,NULL,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
const updateEntity = `UPDATE entities SET ${changing.map((column) => `${column} = ?`).join()} WHERE id = ?`;

export function deleteEntity(store: Store, id: number): void {
  store.prepare("DELETE FROM entities WHERE id = ?").run(id);
  deleteEdgesOf(store, id);
}

/**
 * Deletes all edges to an entity, because a later entity may get its number. For the same reason, deletes the edges
 * from the entity to its supertypes. Keeps the entity's other edges, which belong to its file's references.
 */
export function deleteEdgesOf(store: Store, id: number): void {
  store.prepare("DELETE FROM edges WHERE target = ?").run(id);
  store.prepare("DELETE FROM edges WHERE kind = 3 AND source = ?").run(id);
}

function keyOf(kind: string, { qualified, disambiguator }: Identity): string {
  return `${kind}\0${qualified}\0${disambiguator}`;
}
