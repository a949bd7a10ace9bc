/** Encodes a form as the bytes that an index stores, and decodes them. */
import type { FileForm, Piece } from "./file-form.ts";

/**
 * The version of forms. Raise it when the meaning of forms changes: Millwright then rebuilds indexes with other
 * versions.
 */
export const formVersion = 4;

export function encodeForm(form: FileForm): Uint8Array {
  const head = Buffer.from(JSON.stringify({ lines: form.lines, pieces: form.pieces }));
  const rows = form.terms.length;
  const padded = Math.ceil(head.length / 4) * 4;
  const bytes = new Uint8Array(8 + padded + rows * 12);
  new Uint32Array(bytes.buffer, 0, 2).set([head.length, rows]);
  bytes.set(head, 8);
  const body = new Uint32Array(bytes.buffer, 8 + padded);
  body.set(form.terms, 0);
  body.set(form.pieceOf, rows);
  body.set(form.counts, rows * 2);
  return bytes;
}

/** Decodes a form; undefined if the bytes are not a form. */
export function decodeForm(stored: Uint8Array): FileForm | undefined {
  if (stored.length < 8) return undefined;
  const bytes = new Uint8Array(stored); // a copy, aligned for 32 bits
  const [headLength = 0, rows = 0] = new Uint32Array(bytes.buffer, 0, 2);
  const padded = Math.ceil(headLength / 4) * 4;
  if (bytes.length !== 8 + padded + rows * 12) return undefined;
  const head: { lines: number; pieces: Piece[] } = JSON.parse(
    Buffer.from(bytes.buffer, 8, headLength).toString(),
  );
  const part = (number: number): Uint32Array =>
    new Uint32Array(bytes.buffer, 8 + padded + number * rows * 4, rows);
  return { lines: head.lines, pieces: head.pieces, terms: part(0), pieceOf: part(1), counts: part(2) };
}
