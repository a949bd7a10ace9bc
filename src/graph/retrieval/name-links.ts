/**
 * Finds the pieces to which a name may refer, and counts the files that mention a file's definitions. Uses only names,
 * so it works for every language, and before Millwright has resolved references.
 */

import { hashTerm } from "../forms/words.ts";
import { type IndexedFile, isCandidate, type SearchIndex } from "./search-index.ts";

export interface Links {
  /** Term of a name of at least four characters → the pieces that it refers to, without tests. */
  readonly definitions: ReadonlyMap<number, NameDefinitions>;
  /**
   * For each file, the sum over its names of log2(1 + number of other files that mention the name). Ignores names that
   * more than `mostDefinitions` files define.
   */
  readonly fame: Float64Array;
}

export interface NameDefinitions {
  readonly pieces: readonly number[];
  readonly files: number;
}

const mostDefinitions = 3;

export function linkByNames(index: SearchIndex): Links {
  const fame = new Float64Array(index.files.length);
  const definitions = definitionsOf(index.files);
  for (const [term, { pieces }] of definitions) {
    const definers = new Set(pieces.map((piece) => index.fileOfPiece[piece] ?? 0));
    if (definers.size > mostDefinitions) continue;
    const users = usersOf(index, term, definers);
    if (users.length === 0) continue;
    for (const definer of definers) fame[definer] = (fame[definer] ?? 0) + Math.log2(1 + users.length);
  }
  const counted = [...definitions].map(([term, { pieces }]): [number, NameDefinitions] => [
    term,
    { pieces, files: new Set(pieces.map((piece) => index.fileOfPiece[piece] ?? 0)).size },
  ]);
  return { fame, definitions: new Map(counted) };
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
