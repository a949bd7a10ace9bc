/** Finds entities by number, by key, by name or by place. */
import type { Entity, EntityNumber } from "../contract.ts";
import type { EntityKey } from "../entity-id.ts";
import { plainName } from "../store/identify.ts";
import type { Store } from "../store/open-store.ts";
import { entityKinds, kindNumbers } from "../store/schema.ts";
import { entityColumns, entityTables, readEntity } from "./read-entity.ts";

const select = `SELECT ${entityColumns} FROM ${entityTables}`;

export function findEntity(store: Store, id: EntityNumber): Entity | undefined {
  const row = store.prepare(`${select} WHERE e.id = ?`).get(id);
  return row === undefined ? undefined : readEntity(row);
}

export function findByKey(store: Store, key: EntityKey): Entity | undefined {
  const kind = kindNumbers.get(key.kind);
  if (kind === undefined) return undefined;
  if (kind === 0) return findEntity(store, 1);
  if (kind < 3) {
    const table = kind === 1 ? "folders" : "files";
    const row = store.prepare(`SELECT id FROM ${table} WHERE path = ?`).get(key.path);
    return row === undefined ? undefined : findEntity(store, Number(row.id));
  }
  const rows = store
    .prepare(`${select} WHERE f.path = ? AND e.qualified = ? AND e.kind = ? AND e.disambiguator = ?`)
    .all(key.path, key.qualified, kind, key.disambiguator);
  return rows.map(readEntity).find(({ language }) => language === key.language);
}

/**
 * Finds definitions by name, or else files and folders by the end of their path. With `FILE:`, finds only definitions.
 * Forms of names: `pick`, `Cart.pick`, `Cart::pick`, `Cart:pick`, `FILE:Cart.pick`.
 */
export function findNamed(store: Store, written: string, limit: number): readonly Entity[] {
  const { path, name } = splitPath(written);
  const plain = plainName(name).replace(/\(.*$/s, "").replaceAll(/[#:]/g, ".");
  const last = plain.slice(plain.lastIndexOf(".") + 1);
  const found = store.prepare(`${select} WHERE e.name = ? AND e.kind > 2`).all(last).map(readEntity);
  const fitting = found.filter(
    (entity) =>
      (path === undefined || isPathEnd(entity.path, path)) &&
      (entity.qualified === plain || entity.qualified.endsWith(`.${plain}`) || isModulePath(entity, plain)),
  );
  const chosen = fitting.length > 0 || path !== undefined ? fitting : findPlaces(store, written);
  return chosen.sort(byProminence).slice(0, limit);
}

/**
 * Splits `shop/cart.py:Cart.pick` into path and name. A Windows drive or the start of a Rust path is not a path here.
 */
function splitPath(written: string): { path?: string; name: string } {
  const found = /^([^:]+\.\w+|[^:]*\/[^:]*):(?!:)(.+)$/.exec(written);
  return found === null ? { name: written } : { path: found[1] ?? "", name: found[2] ?? "" };
}

function isPathEnd(path: string, end: string): boolean {
  return path === end || path.endsWith(`/${end}`);
}

/**
 * True for a name such as `shop.cart.pick`: the last parts are the definition, and the parts before them end the path
 * of the file or its folder.
 */
function isModulePath({ path, qualified }: Entity, plain: string): boolean {
  if (!plain.endsWith(`.${qualified}`)) return false;
  const before = plain.slice(0, -qualified.length - 1).replaceAll(".", "/");
  const stem = path.replace(/\.[^./]*$/, "").replace(/\/(?:__init__|index|mod|lib|init)$/, "");
  return isPathEnd(stem, before) || isPathEnd(stem.slice(0, stem.lastIndexOf("/")), before);
}

function findPlaces(store: Store, written: string): Entity[] {
  const last = written.slice(written.lastIndexOf("/") + 1);
  const rows = store.prepare(`${select} WHERE e.name = ? AND e.kind IN (1, 2)`).all(last);
  return rows.map(readEntity).filter(({ path }) => isPathEnd(path, written));
}

/** The more likely meaning first: public, not in tests, near the top of its file and of the tree. */
function byProminence(a: Entity, b: Entity): number {
  const weight = ({ isPublic, inTests, qualified, path, kind }: Entity): number =>
    (inTests ? 100 : 0) +
    (isPublic ? 0 : 10) +
    (kind === "section" ? 50 : 0) +
    depth(qualified, ".") +
    depth(path, "/");
  return weight(a) - weight(b) || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.startLine - b.startLine);
}

function depth(text: string, mark: string): number {
  return text.split(mark).length;
}

export function outlineOf(store: Store, path: string): readonly Entity[] {
  const rows = store.prepare(
    `${select} WHERE e.file = (SELECT id FROM files WHERE path = ?) ORDER BY e.start_line, e.id`,
  );
  return rows.all(path).map(readEntity);
}

export function findAt(store: Store, path: string, line: number): Entity | undefined {
  const file = store.prepare("SELECT id FROM files WHERE path = ?").get(path)?.id;
  if (file === undefined) return undefined;
  const row = store
    .prepare(
      `${select} WHERE e.file = ? AND e.start_line <= ? AND e.end_line >= ? AND e.kind <> ${entityKinds.indexOf("section")}
       ORDER BY e.end_line - e.start_line, e.id DESC LIMIT 1`,
    )
    .get(Number(file), line, line);
  return row === undefined ? findEntity(store, Number(file)) : readEntity(row);
}

export function findChildren(store: Store, id: EntityNumber): readonly Entity[] {
  const own = store.prepare("SELECT file, kind FROM entities WHERE id = ?").get(id);
  if (own === undefined) return [];
  const kind = Number(own.kind);
  if (kind < 2)
    return store
      .prepare(`${select} WHERE e.parent = ? AND e.kind < 3 ORDER BY e.name`)
      .all(id)
      .map(readEntity);
  const file = kind === 2 ? id : Number(own.file);
  return store
    .prepare(`${select} WHERE e.file = ? AND e.parent = ? ORDER BY e.start_line, e.id`)
    .all(file, id)
    .map(readEntity);
}

export function findMembers(store: Store, id: EntityNumber): readonly Entity[] {
  const elsewhere = store.prepare(`${select} WHERE e.owner = ?`).all(id).map(readEntity);
  const known = new Set(elsewhere.map((entity) => entity.id));
  return [...findChildren(store, id).filter((entity) => !known.has(entity.id)), ...elsewhere];
}
