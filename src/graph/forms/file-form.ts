/**
 * Builds the form of a file, its data for search: the pieces, and the frequency of each term in each piece. Most
 * definitions, each without its inner pieces, are pieces; the rest of the file is one. The form depends only on the
 * text and the path's extension, so an index stores it by content.
 */
import { callableKinds, type Definition, type DefinitionKind, typeKinds } from "../../domain/code-symbols.ts";
import { scanText, type TokenField } from "./scan-text.ts";
import { hashTerm, identifierTerms, stopWords } from "./words.ts";

export interface Piece {
  readonly kind: DefinitionKind | "file";
  readonly name: string;
  /** The names of the containers and the piece's own name, joined by "."; "" for the file. */
  readonly qualified: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly signature: string;
  readonly isTest: boolean;
}

/**
 * The bit position of each field's count in a packed number. The number packs four counts of 8 bits: a term's
 * frequencies in the fields of a piece.
 */
export const fieldShift = { code: 0, comment: 8, string: 16, name: 24 } as const;
const mostCounted = 255;

export interface FileForm {
  /** The first is the file itself. */
  readonly pieces: readonly Piece[];
  /** Rows (term, piece, counts), ordered by piece. */
  readonly terms: Uint32Array;
  readonly pieceOf: Uint32Array;
  readonly counts: Uint32Array;
  readonly lines: number;
}

const pieceKinds: ReadonlySet<DefinitionKind> = new Set([
  ...(["module", "test", "section"] as const),
  ...typeKinds,
  ...callableKinds,
]);

export function buildFileForm(path: string, text: string, definitions: readonly Definition[]): FileForm {
  const lineStarts = startsOfLines(text);
  const pieces: Piece[] = [fileOf(lineStarts.length)];
  const pieceOfDefinition = addDefinitions(definitions, pieces);
  const owner = ownerOfLines(text, lineStarts, pieces);
  const { rows, add } = openRows(pieces);
  let line = 0;
  scanText(path, text, (token, field, offset) => {
    while (line + 1 < lineStarts.length && (lineStarts[line + 1] ?? 0) <= offset) line++;
    addToken(token, field, owner[line] ?? 0, add);
  });
  addNames(definitions, pieceOfDefinition, add);
  return packRows(pieces, rows, lineStarts.length);
}

/**
 * Builds a form from words that Millwright read earlier, each with its line (from 1). Because the text is missing, a
 * comment above a definition does not count for that definition.
 */
export function buildFormOfWords(
  lines: number,
  definitions: readonly Definition[],
  eachWord: (visit: (word: string, line: number, field: TokenField) => void) => void,
): FileForm {
  const pieces: Piece[] = [fileOf(lines)];
  const pieceOfDefinition = addDefinitions(definitions, pieces);
  const owner = new Uint32Array(lines);
  for (const [index, { startLine, endLine }] of pieces.entries()) owner.fill(index, startLine - 1, endLine);
  const { rows, add } = openRows(pieces);
  eachWord((word, line, field) => addToken(word, field, owner[line - 1] ?? 0, add));
  addNames(definitions, pieceOfDefinition, add);
  return packRows(pieces, rows, lines);
}

function openRows(pieces: readonly Piece[]): { readonly rows: Map<number, number>[]; readonly add: AddTerm } {
  const rows = pieces.map(() => new Map<number, number>());
  const add = (piece: number, term: number, field: keyof typeof fieldShift, times = 1): void => {
    const row = rows[piece];
    if (row === undefined) return;
    const before = row.get(term) ?? 0;
    const shift = fieldShift[field];
    const count = Math.min(mostCounted, ((before >>> shift) & 255) + times);
    row.set(term, ((before & ~(255 << shift)) | (count << shift)) >>> 0);
  };
  return { rows, add };
}

function addNames(
  definitions: readonly Definition[],
  pieceOfDefinition: readonly number[],
  add: AddTerm,
): void {
  for (const [index, definition] of definitions.entries()) {
    const terms = identifierTerms(definition.name);
    for (const term of [...terms.words, terms.whole]) add(pieceOfDefinition[index] ?? 0, term, "name");
  }
}

function fileOf(lines: number): Piece {
  return {
    kind: "file",
    name: "",
    qualified: "",
    startLine: 1,
    endLine: lines,
    signature: "",
    isTest: false,
  };
}

/**
 * The piece of each definition. Fields, variables, constants and short definitions inside functions belong to the
 * surrounding piece.
 */
function addDefinitions(definitions: readonly Definition[], pieces: Piece[]): number[] {
  const pieceOf: number[] = [];
  for (const [index, one] of definitions.entries()) {
    const { kind, name, startLine, endLine, signature } = one;
    const around = containersOf(definitions, one);
    const isNested = around.some(isCallable);
    const isSmall = endLine - startLine < 5;
    if (!pieceKinds.has(kind) || (isNested && isSmall)) {
      pieceOf[index] = pieceOf[one.container] ?? 0;
      continue;
    }
    pieceOf[index] = pieces.length;
    const owner = around.length === 0 && one.owner !== undefined ? [one.owner] : [];
    const qualified = [...owner, ...around.map((container) => container.name).reverse(), name].join(".");
    pieces.push({
      kind,
      name,
      qualified,
      startLine,
      endLine,
      signature,
      isTest: [one, ...around].some(isTest),
    });
  }
  return pieceOf;
}

/** The containers of a definition, innermost first. A Rust method may come before its type. */
function containersOf(definitions: readonly Definition[], one: Definition): Definition[] {
  const around: Definition[] = [];
  for (
    let container = definitions[one.container];
    container !== undefined && around.length < deepest;
    container = definitions[container.container]
  )
    around.push(container);
  return around;
}

const deepest = 20;

function isTest(definition: Definition): boolean {
  return definition.isTest === true || (definition.kind === "module" && /^tests?$/.test(definition.name));
}

function isCallable({ kind }: Definition): boolean {
  return ["function", "method", "constructor", "test"].includes(kind);
}

export function startsOfLines(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** The innermost piece of each line (from 0). The comment and the attributes above a definition belong to it. */
function ownerOfLines(text: string, lineStarts: readonly number[], pieces: readonly Piece[]): Uint32Array {
  const owner = new Uint32Array(lineStarts.length);
  for (const [index, piece] of pieces.entries()) {
    if (index === 0) continue;
    let first = piece.startLine - 1;
    while (first > 0 && isAbove(text, lineStarts, first - 1)) first--;
    for (let line = first; line < Math.min(piece.endLine, owner.length); line++) owner[line] = index;
  }
  return owner;
}

function isAbove(text: string, lineStarts: readonly number[], line: number): boolean {
  const start = lineStarts[line] ?? 0;
  const end = Math.min(start + 60, lineStarts[line + 1] ?? text.length);
  return /^\s*(?:\/\/|\/\*|\*|#\[|#!?\[|@|# |--)/.test(text.slice(start, end));
}

type AddTerm = (piece: number, term: number, field: keyof typeof fieldShift, times?: number) => void;

function addToken(token: string, field: TokenField, piece: number, add: AddTerm): void {
  if (field === "code") {
    const { words, whole, stems } = identifierTerms(token);
    for (const word of words) add(piece, word, "code");
    add(piece, whole, "code");
    addPairs(stems, (term) => add(piece, term, "code"));
    return;
  }
  let before: readonly string[] = [];
  for (const [word] of token.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
    if (word.length > 64) continue;
    const { words, whole, stems } = identifierTerms(word);
    for (const one of words) add(piece, one, field);
    if (stems.length > 1 || field === "string") add(piece, whole, field);
    addPairs([...before, ...stems], (term) => add(piece, term, field));
    before = stems.slice(-1);
  }
}

/**
 * Adds the pairs of adjacent stems, except pairs of two stop words. `readFile` in code and "read file" in a sentence
 * give the same pair, so that they match.
 */
export function addPairs(stems: readonly string[], add: (term: number) => void): void {
  for (let at = 1; at < stems.length; at++) {
    const [first = "", second = ""] = [stems[at - 1], stems[at]];
    if (!(stopWords.has(first) && stopWords.has(second))) add(hashTerm(`${first} ${second}`, "pair"));
  }
}

function packRows(pieces: readonly Piece[], rows: readonly Map<number, number>[], lines: number): FileForm {
  const total = rows.reduce((sum, row) => sum + row.size, 0);
  const form = {
    pieces,
    lines,
    terms: new Uint32Array(total),
    pieceOf: new Uint32Array(total),
    counts: new Uint32Array(total),
  };
  let at = 0;
  for (const [piece, row] of rows.entries()) {
    for (const [term, counts] of row) {
      form.terms[at] = term;
      form.pieceOf[at] = piece;
      form.counts[at] = counts;
      at++;
    }
  }
  return form;
}
