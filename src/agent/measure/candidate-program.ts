/**
 * Builds a tree in which each file contains several changes (variants). When tests run, an environment variable selects
 * one of them.
 */
import { composeSchema, type Schema } from "../../instrument/compose-schema.ts";
import type { BuildComplaint } from "../../languages/contract.ts";
import { languageOf } from "../../languages/source-files.ts";
import type { TreeStore } from "../../workspace/contract.ts";

export interface ProgramVariant {
  /** The variant's number, from 1. */
  readonly id: number;
  readonly file: string;
  /** The text that the offsets refer to. */
  readonly base: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

export interface CandidateProgram {
  readonly tree: string;
  /** Variants that the program does not contain, and that must run separately. */
  readonly left: ReadonlySet<number>;
  /** The schema of each file. */
  readonly schemas: ReadonlyMap<string, Schema>;
}

export async function composeProgram(
  trees: TreeStore,
  onTree: string,
  variants: readonly ProgramVariant[],
): Promise<CandidateProgram> {
  const schemas = new Map<string, Schema>();
  const left = new Set<number>();
  for (const [path, group] of Map.groupBy(variants, ({ file }) => file)) {
    const language = languageOf(path);
    const [first] = group;
    if (language === undefined || first === undefined) continue;
    const schema = await composeSchema({ path, text: first.base }, language, group);
    for (const id of schema.left) left.add(id);
    if (schema.places.size > 0) schemas.set(path, schema);
  }
  const changes = [...schemas].map(([path, { text }]) => ({ path, content: text }));
  return { tree: changes.length === 0 ? onTree : await trees.write(onTree, changes), schemas, left };
}

/** The variants whose own text contains the line. */
function findBlamed(
  { schemas }: CandidateProgram,
  { file, line }: Pick<BuildComplaint, "file" | "line">,
): number[] {
  const places = [...(schemas.get(file)?.places ?? [])];
  return places.flatMap(([id, place]) => (place.startLine <= line && line <= place.endLine ? id : []));
}

/**
 * Finds the variants whose own texts cause compiler errors (`complaints`). Omits an error whose message also occurs
 * outside all variants, because another variant may cause it. Example: if a variant leaves `i` unset, Java's compiler
 * complains about each later use of `i`.
 */
export function findCulprits(program: CandidateProgram, complaints: readonly BuildComplaint[]): Set<number> {
  const told = complaints.map(({ message, ...place }) => ({ message, ids: findBlamed(program, place) }));
  const outside = new Set(told.filter(({ ids }) => ids.length === 0).map(({ message }) => message));
  return new Set(told.filter(({ message }) => !outside.has(message)).flatMap(({ ids }) => ids));
}
