/**
 * Inverts the forms of a repository's files: the index maps a term to the pieces that contain it. The index is in
 * memory. With the forms, it needs 20 bytes per pair of term and piece.
 */
import type { FileForm, Piece } from "../forms/file-form.ts";
import { type FileKind, fileKindOf } from "../forms/file-kind.ts";
import { identifierTerms } from "../forms/words.ts";

export interface IndexedFile {
  readonly path: string;
  readonly kind: FileKind;
  readonly form: FileForm;
  /** The number of the file's first piece; the numbers of the other pieces follow. */
  readonly firstPiece: number;
  /** Number of tokens outside tests. */
  readonly length: number;
  readonly pathTerms: ReadonlySet<number>;
  /** Terms of the file's name without its extension. */
  readonly stemTerms: ReadonlySet<number>;
}

export interface TermRows {
  readonly from: number;
  readonly to: number;
}

export interface SearchIndex {
  readonly files: readonly IndexedFile[];
  readonly fileOfPiece: Uint32Array;
  readonly pieceLength: Float32Array;
  /** By piece: 1 for a test in a file that is not a test file. */
  readonly isInlineTest: Uint8Array;
  readonly rowPiece: Uint32Array;
  readonly rowCounts: Uint32Array;
  /** Returns the rows of the term, one for each piece that contains it; undefined if there are none. */
  rowsOf(term: number): TermRows | undefined;
  /** Files whose path contains the term. */
  filesByPathTerm(term: number): readonly number[];
  piece(number: number): Piece;
  /** By file: 1 if it may change. */
  readonly isCandidateFile: Uint8Array;
  readonly averageFileLength: number;
  readonly averagePieceLength: number;
  readonly sourceFiles: number;
}

export interface FormOfPath {
  readonly path: string;
  readonly form: FileForm;
}

export function buildSearchIndex(forms: readonly FormOfPath[]): SearchIndex {
  const pieces = forms.reduce((sum, { form }) => sum + form.pieces.length, 0);
  const fileOfPiece = new Uint32Array(pieces);
  const pieceLength = new Float32Array(pieces);
  const isInlineTest = new Uint8Array(pieces);
  const files = indexFiles(forms, fileOfPiece, pieceLength);
  for (const { kind, firstPiece, form } of files) {
    for (const [offset, { isTest }] of form.pieces.entries())
      if (isTest && kind !== "test") isInlineTest[firstPiece + offset] = 1;
  }
  const { ranges, rowPiece, rowCounts } = invert(files);
  const byPathTerm = invertPaths(files);
  const sources = files.filter(({ kind }) => isCandidate(kind));
  const average = (sum: number, count: number): number => Math.max(1, sum / Math.max(1, count));
  return {
    files,
    fileOfPiece,
    pieceLength,
    isInlineTest,
    rowPiece,
    rowCounts,
    rowsOf: (term) => ranges.get(term),
    filesByPathTerm: (term) => byPathTerm.get(term) ?? [],
    piece: (number) => pieceAt(files, fileOfPiece, number),
    isCandidateFile: Uint8Array.from(files, ({ kind }) => (isCandidate(kind) ? 1 : 0)),
    averageFileLength: average(
      sources.reduce((sum, { length }) => sum + length, 0),
      sources.length,
    ),
    averagePieceLength: average(
      pieceLength.reduce((sum, length) => sum + length, 0),
      pieces,
    ),
    sourceFiles: sources.length,
  };
}

/**
 * True for the kinds of files that a search proposes as places to edit: sources, examples and configuration, but not
 * tests, documents or generated files.
 */
export function isCandidate(kind: FileKind): boolean {
  return kind === "source" || kind === "example" || kind === "configuration";
}

function pieceAt(files: readonly IndexedFile[], fileOfPiece: Uint32Array, number: number): Piece {
  const file = files[fileOfPiece[number] ?? 0];
  const piece = file?.form.pieces[number - file.firstPiece];
  if (piece === undefined) throw new RangeError(`There is no piece ${number}.`);
  return piece;
}

/**
 * Returns the number of the innermost piece that contains lines `line` to `last` of a file. If no definition contains
 * them, the file's first piece, which is the file itself.
 */
export function pieceAtLine({ files }: SearchIndex, number: number, line: number, last = line): number {
  const { form, firstPiece } = files[number] ?? { form: undefined, firstPiece: 0 };
  const pieces = form?.pieces ?? [];
  let [low, high] = [1, pieces.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((pieces[middle]?.startLine ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  for (let at = low - 1; at > 0; at--) if ((pieces[at]?.endLine ?? 0) >= last) return firstPiece + at;
  return firstPiece;
}

/** Returns the path of a piece's file. */
export function pathOfPiece({ files, fileOfPiece }: SearchIndex, piece: number): string {
  return files[fileOfPiece[piece] ?? 0]?.path ?? "";
}

/** Yields the terms of a piece, as hashes, once each. */
export function* rowsOfPiece(index: SearchIndex, piece: number): Generator<number> {
  const file = index.files[index.fileOfPiece[piece] ?? 0];
  if (file === undefined) return;
  const { terms, pieceOf } = file.form;
  const local = piece - file.firstPiece;
  for (let row = firstRow(pieceOf, local); pieceOf[row] === local; row++) yield terms[row] ?? 0;
}

/** Finds a piece's first row by binary search, because the rows are in the order of pieces. */
function firstRow(pieceOf: Uint32Array, piece: number): number {
  let [low, high] = [0, pieceOf.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((pieceOf[middle] ?? 0) < piece) low = middle + 1;
    else high = middle;
  }
  return low;
}

function indexFiles(
  forms: readonly FormOfPath[],
  fileOfPiece: Uint32Array,
  pieceLength: Float32Array,
): IndexedFile[] {
  const files: IndexedFile[] = [];
  let firstPiece = 0;
  for (const { path, form } of forms) {
    let length = 0;
    for (let row = 0; row < form.terms.length; row++) {
      const counts = form.counts[row] ?? 0;
      const tokens = (counts & 255) + ((counts >>> 8) & 255) + ((counts >>> 16) & 255);
      const piece = form.pieceOf[row] ?? 0;
      pieceLength[firstPiece + piece] = (pieceLength[firstPiece + piece] ?? 0) + tokens;
      if (form.pieces[piece]?.isTest !== true) length += tokens;
    }
    fileOfPiece.fill(files.length, firstPiece, firstPiece + form.pieces.length);
    const stem = (path.split("/").at(-1) ?? "").replace(/\.\w+$/, "");
    const [pathTerms, stemTerms] = [termsOfPath(path), termsOfPath(stem)];
    files.push({ path, kind: fileKindOf(path), form, firstPiece, length, pathTerms, stemTerms });
    firstPiece += form.pieces.length;
  }
  return files;
}

function termsOfPath(path: string): Set<number> {
  const words = path.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
  return new Set(words.flatMap((word) => identifierTerms(word).words));
}

function invertPaths(files: readonly IndexedFile[]): Map<number, number[]> {
  const byTerm = new Map<number, number[]>();
  for (const [number, { pathTerms }] of files.entries()) {
    for (const term of pathTerms) {
      const found = byTerm.get(term);
      if (found === undefined) byTerm.set(term, [number]);
      else found.push(number);
    }
  }
  return byTerm;
}

/** A counting sort by term; the rows of a term are in the order of pieces, and so of files. */
function invert(files: readonly IndexedFile[]): {
  ranges: Map<number, TermRows>;
  rowPiece: Uint32Array;
  rowCounts: Uint32Array;
} {
  const numberOf = new Map<number, number>();
  const sizes: number[] = [];
  for (const { form } of files) {
    for (const term of form.terms) {
      const number = numberOf.get(term);
      if (number === undefined) {
        numberOf.set(term, sizes.length);
        sizes.push(1);
      } else sizes[number] = (sizes[number] ?? 0) + 1;
    }
  }
  const ends = new Uint32Array(sizes.length);
  let total = 0;
  for (const [number, size] of sizes.entries()) {
    ends[number] = total;
    total += size;
  }
  const rowPiece = new Uint32Array(total);
  const rowCounts = new Uint32Array(total);
  for (const { form, firstPiece } of files) {
    for (let row = 0; row < form.terms.length; row++) {
      const number = numberOf.get(form.terms[row] ?? 0) ?? 0;
      const at = ends[number] ?? 0;
      rowPiece[at] = firstPiece + (form.pieceOf[row] ?? 0);
      rowCounts[at] = form.counts[row] ?? 0;
      ends[number] = at + 1;
    }
  }
  const ranges = new Map<number, TermRows>();
  for (const [term, number] of numberOf) {
    const to = ends[number] ?? 0;
    ranges.set(term, { from: to - (sizes[number] ?? 0), to });
  }
  return { ranges, rowPiece, rowCounts };
}
