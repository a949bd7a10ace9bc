/**
 * Lowers the rank of files that only declare the code of another file. Both files have the same names, but a change
 * rarely starts in a declaration.
 */
import type { RankedFile, RankedPiece } from "./rank.ts";
import type { Query } from "./read-query.ts";
import type { SearchIndex } from "./search-index.ts";

const declarations = /\.d\.[cm]?ts$|\.pyi$/;
/** Words of a query about the declarations themselves. */
const ofTypes =
  /^(?:typescript|types?|typings?|typed|declarations?|declared?|dts|tsc|interfaces?|generics?|overloads?)$/i;
/** Number of first results within which declarations move to the end, so that none drops out of the shown list. */
const within = { files: 10, pieces: 30 };

export function putDeclarationsLast(
  index: SearchIndex,
  { words }: Query,
  files: readonly RankedFile[],
  pieces: readonly RankedPiece[],
): { readonly files: readonly RankedFile[]; readonly pieces: readonly RankedPiece[] } {
  if ([...words.values()].some((word) => ofTypes.test(word))) return { files, pieces };
  const declares = (file: number): boolean => declarations.test(index.files[file]?.path ?? "");
  return {
    files: last(files, within.files, ({ file }) => declares(file)),
    pieces: last(pieces, within.pieces, ({ piece }) => declares(index.fileOfPiece[piece] ?? -1)),
  };
}

function last<T>(ranked: readonly T[], most: number, isLast: (item: T) => boolean): readonly T[] {
  const first = ranked.slice(0, most);
  const behind = first.filter(isLast);
  if (behind.length === 0) return ranked;
  return [...first.filter((item) => !isLast(item)), ...behind, ...ranked.slice(most)];
}
