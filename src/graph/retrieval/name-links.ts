/**
 * Which file uses what another one defines, by names alone: an identifier that few files define links the files that say it to
 * those that define it. Works for every language, and where imports cannot be resolved.
 */

import { hashTerm } from "../forms/words.ts";
import { type IndexedFile, isCandidate, type SearchIndex } from "./search-index.ts";

export interface Links {
  /** `targets.slice(starts[f], starts[f + 1])` are linked with file f, in both directions, with these weights; they sum to 1. */
  readonly starts: Uint32Array;
  readonly targets: Uint32Array;
  readonly weights: Float64Array;
  /** Term of a name → the pieces that it names. */
  readonly definitions: ReadonlyMap<number, NameDefinitions>;
  /** How many files say a name that the file defines, damped. */
  readonly fame: Float64Array;
}

export interface NameDefinitions {
  readonly pieces: readonly number[];
  readonly files: number;
}

const mostDefinitions = 3;
/** A name that more files say is a word of the language or the project. */
const mostUses = 60;

export function linkByNames(index: SearchIndex): Links {
  const weights = index.files.map(() => new Map<number, number>());
  const fame = new Float64Array(index.files.length);
  const definitions = definitionsOf(index.files);
  for (const [term, { pieces }] of definitions) {
    const definers = new Set(pieces.map((piece) => index.fileOfPiece[piece] ?? 0));
    if (definers.size > mostDefinitions) continue;
    const users = usersOf(index, term, definers);
    if (users.length === 0) continue;
    for (const definer of definers) fame[definer] = (fame[definer] ?? 0) + Math.log2(1 + users.length);
    if (users.length > mostUses) continue;
    const weight = 1 / (definers.size * Math.log2(1 + users.length));
    for (const user of users) for (const definer of definers) connect(weights, user, definer, weight);
  }
  const counted = [...definitions].map(([term, { pieces }]): [number, NameDefinitions] => [
    term,
    { pieces, files: new Set(pieces.map((piece) => index.fileOfPiece[piece] ?? 0)).size },
  ]);
  return { ...pack(weights), fame, definitions: new Map(counted) };
}

function definitionsOf(files: readonly IndexedFile[]): Map<number, { readonly pieces: number[] }> {
  const definitions = new Map<number, { readonly pieces: number[] }>();
  for (const file of files) {
    if (!isCandidate(file.kind)) continue;
    for (const [offset, { name, isTest }] of file.form.pieces.entries()) {
      if (name.length < 4 || isTest) continue;
      const term = hashTerm(name, "identifier");
      const found = definitions.get(term);
      if (found === undefined) definitions.set(term, { pieces: [file.firstPiece + offset] });
      else found.pieces.push(file.firstPiece + offset);
    }
  }
  return definitions;
}

function usersOf(index: SearchIndex, term: number, definers: ReadonlySet<number>): number[] {
  const rows = index.rowsOf(term);
  const users: number[] = [];
  if (rows === undefined) return users;
  for (let row = rows.from; row < rows.to; row++) {
    const file = index.fileOfPiece[index.rowPiece[row] ?? 0] ?? 0;
    if (users.at(-1) !== file && !definers.has(file)) users.push(file);
  }
  return users;
}

function connect(weights: readonly Map<number, number>[], from: number, to: number, weight: number): void {
  const [out, back] = [weights[from], weights[to]];
  out?.set(to, (out.get(to) ?? 0) + weight);
  back?.set(from, (back.get(from) ?? 0) + weight);
}

function pack(weights: readonly Map<number, number>[]): Pick<Links, "starts" | "targets" | "weights"> {
  const total = weights.reduce((sum, row) => sum + row.size, 0);
  const starts = new Uint32Array(weights.length + 1);
  const targets = new Uint32Array(total);
  const values = new Float64Array(total);
  let at = 0;
  for (const [file, row] of weights.entries()) {
    starts[file] = at;
    const sum = [...row.values()].reduce((a, b) => a + b, 0);
    for (const [target, weight] of row) {
      targets[at] = target;
      values[at] = weight / sum;
      at++;
    }
  }
  starts[weights.length] = at;
  return { starts, targets, weights: values };
}

/**
 * Personalised PageRank: where a walk from the seeds is found that returns to them with `restart` at each step. What the seeds
 * themselves keep is left out: the result says what a file has from others.
 */
export function spread(links: Links, seeds: Float64Array, restart: number, steps: number): Float64Array {
  const sum = seeds.reduce((total, seed) => total + seed, 0);
  if (sum === 0) return new Float64Array(seeds.length);
  const start = seeds.map((seed) => seed / sum);
  let mass = start;
  const received = new Float64Array(seeds.length);
  for (let step = 0; step < steps; step++) {
    const next = new Float64Array(seeds.length);
    for (const [file, own] of mass.entries()) {
      if (own < 1e-7) continue;
      for (let at = links.starts[file] ?? 0; at < (links.starts[file + 1] ?? 0); at++) {
        const target = links.targets[at] ?? 0;
        next[target] = (next[target] ?? 0) + own * (1 - restart) * (links.weights[at] ?? 0);
      }
    }
    for (const [file, value] of next.entries()) {
      received[file] = (received[file] ?? 0) + value;
    }
    mass = next;
  }
  return received;
}
