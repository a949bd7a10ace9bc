/** Converts rows to entities. */
import type { SQLOutputValue } from "node:sqlite";
import type { Entity, EntityKind } from "../contract.ts";
import { entityFlags, entityKinds } from "../store/schema.ts";

/** The columns that `readEntity` needs from `entityTables`, in SQL. */
export const entityColumns =
  "e.id, e.file, e.parent, e.owner, e.kind, e.name, e.qualified, e.disambiguator, e.start_line, e.end_line, e.line, " +
  "e.column, e.signature, e.documentation, e.arity, e.flags, f.path, f.language";
/**
 * The joined tables for `entityColumns`, in SQL. The row of a file, of a folder or of the repository has no `file`: its
 * qualified name is the path, and its disambiguator the language.
 */
export const entityTables = "entities e LEFT JOIN files f ON f.id = e.file";

type Row = Record<string, SQLOutputValue>;

export function readEntity(row: Row): Entity {
  const kind: EntityKind = entityKinds[Number(row.kind)] ?? "file";
  const isPlace = kind === "repository" || kind === "folder" || kind === "file";
  const flags = Number(row.flags);
  const text = (name: string): string => String(row[name] ?? "");
  return {
    id: Number(row.id),
    kind,
    name: text("name"),
    language: isPlace ? text("disambiguator") : text("language"),
    path: isPlace ? text("qualified") : text("path"),
    qualified: isPlace ? "" : text("qualified"),
    disambiguator: isPlace ? "" : text("disambiguator"),
    parent: Number(row.parent),
    owner: row.owner === null ? undefined : Number(row.owner),
    startLine: Number(row.start_line),
    endLine: Number(row.end_line),
    at: { line: Number(row.line), column: Number(row.column) },
    signature: text("signature"),
    documentation: row.documentation === null ? undefined : text("documentation"),
    arity: row.arity === null ? undefined : Number(row.arity),
    isTest: (flags & entityFlags.test) !== 0,
    isPublic: (flags & entityFlags.public) !== 0,
    inTests: (flags & entityFlags.inTests) !== 0,
  };
}
