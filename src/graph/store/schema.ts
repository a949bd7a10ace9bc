import type { Definition, DefinitionKind } from "../../domain/code-symbols.ts";

/**
 * The version of an index's tables. Millwright rebuilds an index of another version, because it holds only derived
 * data.
 */
export const schemaVersion = 7;
/** The application id "MWCG", which identifies our databases. */
export const applicationId = 0x4d574347;

export const tables = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
-- The facts extracted from a content, by the hash of the content and of the extractor's version.
CREATE TABLE facts (id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, data TEXT NOT NULL, uses TEXT NOT NULL);
CREATE TABLE files (
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, language TEXT NOT NULL, facts INTEGER, stamp TEXT NOT NULL,
  bytes INTEGER NOT NULL, lines INTEGER NOT NULL, flags INTEGER NOT NULL, errors INTEGER NOT NULL,
  skipped TEXT, module TEXT, imports TEXT, resolved INTEGER NOT NULL,
  -- The place of its words, segment * 2^20 + file in the segment, until its references are resolved.
  words INTEGER);
-- The parts of segments, see words/segment.ts; they answer questions until all files are parsed.
CREATE TABLE words (segment INTEGER NOT NULL, part INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (segment, part));
CREATE INDEX files_facts ON files (facts);
CREATE INDEX files_unresolved ON files (id) WHERE resolved = 0;
CREATE TABLE folders (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);
CREATE TABLE entities (
  id INTEGER PRIMARY KEY, file INTEGER NOT NULL, parent INTEGER NOT NULL, owner INTEGER, kind INTEGER NOT NULL,
  name TEXT NOT NULL, qualified TEXT NOT NULL, disambiguator TEXT NOT NULL,
  start_line INTEGER NOT NULL, end_line INTEGER NOT NULL, line INTEGER NOT NULL, column INTEGER NOT NULL,
  signature TEXT NOT NULL, documentation TEXT, arity INTEGER, flags INTEGER NOT NULL, type TEXT, ordinal INTEGER NOT NULL);
CREATE TABLE edges (
  file INTEGER NOT NULL, kind INTEGER NOT NULL, source INTEGER NOT NULL, line INTEGER NOT NULL, column INTEGER NOT NULL,
  target INTEGER NOT NULL, confidence INTEGER NOT NULL);
-- The data about imports in files such as package.json, as JSON.
CREATE TABLE manifests (file INTEGER PRIMARY KEY, data TEXT NOT NULL);
-- The definitions with the highest PageRank, best first: 32-bit numbers, 64-bit ranks, and the number of edges.
CREATE TABLE ranks (edges INTEGER NOT NULL, ids BLOB NOT NULL, scores BLOB NOT NULL);
-- A file's data for search, in the form of encodeForm.
CREATE TABLE forms (file INTEGER PRIMARY KEY, form BLOB NOT NULL);
-- The names that a file mentions, as 32-bit hashes. If a name's definitions change, the file's references may change.
CREATE TABLE mentions (file INTEGER NOT NULL, name INTEGER NOT NULL, PRIMARY KEY (file, name)) WITHOUT ROWID;
`;

/** SQL that creates the database indexes of the table `entities`. Queries and updates of changed files need them. */
export const entityIndexes = `
CREATE INDEX IF NOT EXISTS entities_file ON entities (file);
CREATE INDEX IF NOT EXISTS entities_name ON entities (name, kind);
`;

/**
 * SQL that creates the database indexes for resolving references, including those of `entityIndexes`. Run it after a
 * first build has written its rows: maintaining these indexes during the build would take longer.
 */
export const indexes = `
${entityIndexes}CREATE INDEX IF NOT EXISTS entities_below ON entities (parent) WHERE kind < 3;
CREATE INDEX IF NOT EXISTS entities_owner ON entities (owner) WHERE owner IS NOT NULL;
CREATE INDEX IF NOT EXISTS edges_inherits ON edges (source, target) WHERE kind = 3;
CREATE INDEX IF NOT EXISTS files_module ON files (module) WHERE module IS NOT NULL;
CREATE INDEX IF NOT EXISTS mentions_name ON mentions (name, file);
`;

/**
 * SQL that creates the database indexes of the table `edges`. Run it once references have been resolved for the first
 * time.
 */
export const edgeIndexes = `
CREATE INDEX IF NOT EXISTS edges_file ON edges (file, source);
CREATE INDEX IF NOT EXISTS edges_target ON edges (target, kind);
`;

/**
 * The kinds of entities by number. Only append: a kind inserted between others would change the meaning of stored
 * numbers.
 */
export const entityKinds = [
  "repository",
  "folder",
  "file",
  "module",
  "class",
  "struct",
  "trait",
  "interface",
  "enum",
  "type",
  "function",
  "method",
  "constructor",
  "macro",
  "variable",
  "constant",
  "field",
  "test",
  "section",
] as const;

/** Returns the kind of a stored definition; `variable` if the number is unknown or belongs to a folder or file. */
export function definitionKindOf(number: unknown): DefinitionKind {
  const kind = entityKinds[Number(number)];
  return kind === undefined || kind === "repository" || kind === "folder" || kind === "file"
    ? "variable"
    : kind;
}

export const kindNumbers: ReadonlyMap<string, number> = new Map<string, number>(
  entityKinds.map((kind, number) => [kind, number]),
);

export const edgeKinds = [
  "imports",
  "calls",
  "references",
  "inherits",
  "overrides",
  "tests",
  "documents",
] as const;

export const fileFlags = { test: 1, generated: 2 } as const;
export const entityFlags = { test: 1, public: 2, inTests: 4 } as const;

/** Returns the `entityFlags` that all definitions of a file have because of the file's own `fileFlags`. */
export function flagsInFile(ofFile: number): number {
  return (ofFile & fileFlags.test) === 0 ? 0 : entityFlags.inTests;
}

/** Encodes a definition's `entityFlags`. `ofFile` has the `fileFlags` of its file. */
export function flagsOfDefinition(
  { isTest, isPublic }: Pick<Definition, "isTest" | "isPublic">,
  ofFile: number,
): number {
  return (
    (isTest === true ? entityFlags.test : 0) |
    (isPublic ? entityFlags.public : 0) |
    (isTest === true ? entityFlags.inTests : flagsInFile(ofFile))
  );
}

/**
 * Returns the stamp of a file that the index knows only by its words. It differs from the file's own stamp, so that a
 * later refresh parses the file. An empty stamp stays empty.
 */
export function stampOfWords(stamp: string): string {
  return stamp === "" ? "" : `words ${stamp}`;
}

/** The stored value of confidence 1: confidences are stored in thousandths. */
export const confidenceUnit = 1000;
