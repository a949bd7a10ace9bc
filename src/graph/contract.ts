/**
 * Defines the questions that a code graph answers. An entity's identity across the code base is its `EntityKey`, which
 * `formatEntityId` renders. Inside one index, edges, searches and ranks use a small integer (`id`) instead. An entity
 * keeps this integer as long as its key is unchanged. The integer has no meaning in another index.
 */
import type { DefinitionKind, Place } from "../domain/code-symbols.ts";
import type { EntityKey } from "./entity-id.ts";

export type EntityKind = "repository" | "folder" | "file" | DefinitionKind;

/** The number of an entity. It is valid only in one index. */
export type EntityNumber = number;

export interface Entity extends EntityKey {
  readonly id: EntityNumber;
  readonly kind: EntityKind;
  /** The last segment, also for files and folders. */
  readonly name: string;
  /** The entity's container: a definition, or else the file; a file's folder; 0 for the repository. */
  readonly parent: EntityNumber;
  /**
   * The type to which the entity belongs, if this type is not its parent: for Go methods, Rust's `impl`, C++'s `A::f`.
   */
  readonly owner: EntityNumber | undefined;
  /** Lines from 1, inclusive; 0 for folders. */
  readonly startLine: number;
  readonly endLine: number;
  readonly at: Place;
  /** The signature on one line; "" for files and folders. */
  readonly signature: string;
  /** The docstring or comment of the definition, at most 2,000 characters. */
  readonly documentation: string | undefined;
  readonly arity: number | undefined;
  readonly isTest: boolean;
  readonly isPublic: boolean;
  /** True for a test, and for entities in files named like tests. */
  readonly inTests: boolean;
}

export type EdgeKind =
  | "imports" // file → file or definition
  | "calls"
  | "references" // any other use, of types too
  | "inherits" // extends, implements, embeds
  | "overrides" // method → the nearest method that it replaces
  | "tests" // test → what it exercises
  | "documents"; // section → what it names

/** A use of an entity by another one, with the place in the code. Containment has no edges: see `Entity.parent`. */
export interface Edge {
  readonly kind: EdgeKind;
  readonly from: EntityNumber;
  readonly to: EntityNumber;
  /** The place of the reference, in the file of `from`. */
  readonly at: Place;
  /** 0..1, see `confidences` in confidence.ts. */
  readonly confidence: number;
}

export interface GraphFile {
  /** The number of the file's entity. */
  readonly id: EntityNumber;
  /** Path relative to the repository, with `/`. */
  readonly path: string;
  /** The file's language; "" if the file is in no known language. */
  readonly language: string;
  readonly bytes: number;
  readonly lines: number;
  readonly isTest: boolean;
  readonly isGenerated: boolean;
  readonly syntaxErrors: number;
  /**
   * The reason why the index lacks the file's content: "binary", "larger than 5 MiB", …; undefined if the content is
   * indexed.
   */
  readonly skipped: string | undefined;
}

/** The part of the repository that the index covers. */
export interface Completeness {
  /** Numbers of files: all (`files`), with read content (`indexed`), with resolved references (`resolved`). */
  readonly files: number;
  readonly indexed: number;
  readonly resolved: number;
  /** Number of files known only by words: definitions by keywords, uses by names. */
  readonly byWords: number;
  /** Number of files left out, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly complete: boolean;
}

export interface Neighbour {
  readonly from: EntityNumber;
  readonly to: EntityNumber;
  readonly kind: EdgeKind | "contains";
  /** True if the edge leads from `to` to `from`. */
  readonly reverse: boolean;
  /** The sum of the confidences of this kind's edges between the two entities. */
  readonly weight: number;
}

/** An edge with the entities at its ends. Lists of relations are ordered by confidence, then by place. */
export interface Relation {
  readonly edge: Edge;
  readonly from: Entity;
  readonly to: Entity;
}

export interface RelationOptions {
  readonly limit?: number;
  /** Omits edges with a lower confidence; 0 omits none. */
  readonly minConfidence?: number;
}

export interface MeantAt {
  readonly entities: readonly Entity[];
  /** Where the name was found: on the line itself, near it, or elsewhere in the file. */
  readonly found: "line" | "near" | "file";
  /** The place of the name that was used. */
  readonly at: Place;
}

export interface MapOptions {
  readonly tokens: number;
  /** Counts the tokens of a text; default: a quarter of its characters. */
  readonly countTokens?: (text: string) => number;
}

export interface MapFile {
  readonly path: string;
  /** The sum of the shown entities' ranks. */
  readonly score: number;
  /** The shown definitions, in the order of the file. */
  readonly entities: readonly Entity[];
}

export interface RepositoryMap {
  /** The files with shown definitions, the most used first. */
  readonly files: readonly MapFile[];
  readonly text: string;
  readonly tokens: number;
}

/**
 * The questions to the graph. All methods are synchronous and read the last committed state, so a partly built index
 * answers too. `completeness` tells which part of the repository the answers cover. `limit` is the maximum length of an
 * answer's list.
 */
export interface CodeGraph {
  completeness(): Completeness;
  files(): readonly GraphFile[];
  file(path: string): GraphFile | undefined;
  entity(id: EntityNumber): Entity | undefined;
  entities(ids: readonly EntityNumber[]): readonly Entity[];
  /** The entity with this key; undefined if there is none. */
  entityByKey(key: EntityKey): Entity | undefined;
  /**
   * The entities with exactly this name: `pick`, `Cart.pick`, `Cart::pick`, `shop/cart.py:Cart.pick`. Public
   * definitions outside tests come first.
   */
  named(name: string, limit?: number): readonly Entity[];
  /** Names similar to a missing one: different case, different word order, a typing error. */
  suggest(name: string, limit?: number): readonly string[];
  /** Definitions of a file in their order. */
  outline(path: string): readonly Entity[];
  /**
   * The innermost definition around a line (from 1), except sections of documents; else the file; undefined if the file
   * is unknown.
   */
  entityAt(path: string, line: number): Entity | undefined;
  /** Definitions directly inside; for a folder, its folders and files. */
  children(id: EntityNumber): readonly Entity[];
  /** The type's members, inside its text or outside it (`Entity.owner`). */
  members(id: EntityNumber): readonly Entity[];
  /** Edges that lead to the entity: of all kinds, or of the given ones. */
  incoming(id: EntityNumber, kinds?: readonly EdgeKind[], options?: RelationOptions): readonly Relation[];
  /** Edges that start at the entity itself, without those of its contents. */
  outgoing(id: EntityNumber, kinds?: readonly EdgeKind[], options?: RelationOptions): readonly Relation[];
  /** For walks over the graph: the edges in both directions, and `contains`. Sums the edges of each pair and kind. */
  neighbours(id: EntityNumber): readonly Neighbour[];
  /** The meaning of FILE:LINE:NAME: a definition there, or the target of a reference there, on the nearest line. */
  meantAt(path: string, line: number, name: string): MeantAt | undefined;
  /** The definitions that the code uses most (PageRank), as signatures, within a token budget. */
  map(options: MapOptions): RepositoryMap;
  close(): void;
}
