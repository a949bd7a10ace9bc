/**
 * What a code graph answers. Entities have one identity across the code base (`EntityKey`, written by `formatEntityId`) and a
 * small integer inside one index (`id`), which is what edges, searches and ranks speak of. An integer stays the same while the
 * entity's key does, and means nothing in another index.
 */
import type { DefinitionKind, Place } from "../domain/code-symbols.ts";
import type { EntityKey } from "./entity-id.ts";

export type EntityKind = "repository" | "folder" | "file" | DefinitionKind;

/** Inside one index only. */
export type EntityNumber = number;

export interface Entity extends EntityKey {
  readonly id: EntityNumber;
  readonly kind: EntityKind;
  /** The last segment; of files and folders too. */
  readonly name: string;
  /** What contains it: a definition, else its file; of a file its folder; 0 of the repository. */
  readonly parent: EntityNumber;
  /** The type that it is a member of, where that is not its parent: Go methods, Rust `impl`, C++ `A::f`. */
  readonly owner: EntityNumber | undefined;
  /** Lines from 1, both included; 0 of folders. */
  readonly startLine: number;
  readonly endLine: number;
  readonly at: Place;
  /** "" of files and folders. */
  readonly signature: string;
  readonly documentation: string | undefined;
  readonly arity: number | undefined;
  readonly isTest: boolean;
  readonly isPublic: boolean;
  /** Stands in a file of tests (by its name), or is a test. */
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

/** `contains` is `Entity.parent`; everything else has a place. */
export interface Edge {
  readonly kind: EdgeKind;
  readonly from: EntityNumber;
  readonly to: EntityNumber;
  /** Where it is written; the file is that of `from`. */
  readonly at: Place;
  /** 0..1, see `confidences` in confidence.ts. */
  readonly confidence: number;
}

export interface GraphFile {
  /** The number of its entity. */
  readonly id: EntityNumber;
  /** Relative, with `/`. */
  readonly path: string;
  /** "" where no language knows it. */
  readonly language: string;
  readonly bytes: number;
  readonly lines: number;
  readonly isTest: boolean;
  readonly isGenerated: boolean;
  readonly syntaxErrors: number;
  /** Why its content is not in the index: "binary", "larger than 5 MiB", …; undefined where it is. */
  readonly skipped: string | undefined;
}

/** How much of the repository an answer rests on. */
export interface Completeness {
  /** Files that there are, those among them whose content was looked at, and those whose references are resolved. */
  readonly files: number;
  readonly indexed: number;
  readonly resolved: number;
  /** Those of which only the words are known: definitions by keywords, uses by their names. */
  readonly byWords: number;
  /** Files left out, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly complete: boolean;
}

export interface Neighbour {
  readonly from: EntityNumber;
  readonly to: EntityNumber;
  readonly kind: EdgeKind | "contains";
  /** The edge is written from `to` to `from`. */
  readonly reverse: boolean;
  /** The sum of the confidences of the edges of this kind between the two. */
  readonly weight: number;
}

/** Edges with both ends read, ordered by confidence, then place. */
export interface Relation {
  readonly edge: Edge;
  readonly from: Entity;
  readonly to: Entity;
}

export interface RelationOptions {
  readonly limit?: number;
  /** Leave out what is less sure; 0 takes all. */
  readonly minConfidence?: number;
}

export interface MeantAt {
  readonly entities: readonly Entity[];
  /** On the line itself, near it, or anywhere in the file. */
  readonly found: "line" | "near" | "file";
  /** The place of the name that was taken. */
  readonly at: Place;
}

export interface MapOptions {
  readonly tokens: number;
  /** Of a text; without it, a quarter of its characters. */
  readonly countTokens?: (text: string) => number;
}

export interface MapFile {
  readonly path: string;
  /** The sum of the ranks of what is shown. */
  readonly score: number;
  /** In their order in the file. */
  readonly entities: readonly Entity[];
}

export interface RepositoryMap {
  /** The most used first. */
  readonly files: readonly MapFile[];
  readonly text: string;
  readonly tokens: number;
}

/**
 * The questions. All are synchronous and read what was last committed, so a partly built index answers too: `completeness` says
 * how complete. Lists are bounded by `limit` where there is one.
 */
export interface CodeGraph {
  completeness(): Completeness;
  files(): readonly GraphFile[];
  file(path: string): GraphFile | undefined;
  entity(id: EntityNumber): Entity | undefined;
  entities(ids: readonly EntityNumber[]): readonly Entity[];
  /** By `formatEntityId`. */
  entityByKey(key: EntityKey): Entity | undefined;
  /** `pick`, `Cart.pick`, `Cart::pick`, `shop/cart.py:Cart.pick`; exact spelling, public definitions outside of tests first. */
  named(name: string, limit?: number): readonly Entity[];
  /** Names that are near to one that is missing: other case, other word order, a typing error. */
  suggest(name: string, limit?: number): readonly string[];
  /** Definitions of a file in their order. */
  outline(path: string): readonly Entity[];
  /** The innermost definition around a line (from 1), else the file; undefined where the file is not known. */
  entityAt(path: string, line: number): Entity | undefined;
  /** Definitions directly inside; of a folder its folders and files. */
  children(id: EntityNumber): readonly Entity[];
  /** Members, wherever they stand (`owner`). */
  members(id: EntityNumber): readonly Entity[];
  /** Edges that lead to the entity: all kinds, or those named. */
  incoming(id: EntityNumber, kinds?: readonly EdgeKind[], options?: RelationOptions): readonly Relation[];
  /** Edges that start at the entity itself (not at what it contains). */
  outgoing(id: EntityNumber, kinds?: readonly EdgeKind[], options?: RelationOptions): readonly Relation[];
  /** For walks over the graph: edges of both directions and `contains`, summed by pair and kind. */
  neighbours(id: EntityNumber): readonly Neighbour[];
  /** What FILE:LINE:NAME means: a definition there, or what a reference there leads to; the nearest line counts. */
  meantAt(path: string, line: number, name: string): MeantAt | undefined;
  /** The definitions that the code uses most (PageRank), as signatures under a budget. */
  map(options: MapOptions): RepositoryMap;
  close(): void;
}
