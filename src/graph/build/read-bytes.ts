/** Reads the bytes of one file of a repository. Follows no symbolic links, and skips binary files. */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { isSystemError } from "../../base/errors.ts";

export interface SourceBytes {
  readonly kind: "bytes";
  /** The content of length `size`, followed by a 0. */
  readonly bytes: Buffer;
  readonly size: number;
  readonly isGenerated: boolean;
}

export interface SkippedSource {
  readonly kind: "skipped";
  readonly reason: string;
  readonly bytes: number;
}

const mebibyte = 1024 * 1024;
/**
 * Limit in bytes for source code. Nobody writes longer files by hand, and a syntax tree takes about fifty times the
 * memory of its text.
 */
export const longestCode = 5 * mebibyte;
/** Limit in bytes for text in no known language. Tables and lock files are longer, and contain few words. */
const longestText = mebibyte / 4;
const sniffed = 8192;
const sniffedText = 2048;
const longestLine = 5000;

const data =
  /\.(?:lock|map|svg|csv|tsv|snap|po|pot|ipynb|log)$|(?:^|\/)(?:package-lock|npm-shrinkwrap|pnpm-lock)\.\w+$|[.-]min\.\w+$/;
const generatedMark =
  /@generated\b|\bcode generated\b.{0,80}\bdo not edit\b|\bauto-?generated\b.{0,80}\bdo not (?:edit|modify)\b|\bthis file (?:was|is) (?:auto(?:matically)?[- ]?)?generated\b/i;

/**
 * Returns the bytes of a file, or the reason why it was skipped; undefined if it no longer exists. `isCode`: true for
 * `longestCode` as the limit, false for a smaller limit.
 */
export function readBytes(
  hostPath: string,
  path: string,
  isCode: boolean,
): SourceBytes | SkippedSource | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(hostPath, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    return readOpened(descriptor, path, isCode);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    const reason = error.code === "ELOOP" ? "symbolic link" : `cannot be read (${error.code})`;
    return { kind: "skipped", reason, bytes: 0 };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function readOpened(descriptor: number, path: string, isCode: boolean): SourceBytes | SkippedSource {
  const status = fstatSync(descriptor);
  const skip = (reason: string): SkippedSource => ({ kind: "skipped", reason, bytes: status.size });
  if (!status.isFile()) return skip("not a regular file");
  if (data.test(path)) return skip("data or lock file");
  const limit = isCode ? longestCode : longestText;
  if (status.size > limit) return skip(`larger than ${limit / mebibyte} MiB`);
  const { bytes, size } = fillBytes(descriptor, status);
  const found = bytes.subarray(0, sniffed).indexOf(0);
  if (found !== -1 && found < size) return skip("binary");
  if (size > 2 * longestLine && size / countBreaks(bytes, size) > longestLine / 10) return skip("minified");
  const isGenerated = generatedMark.test(bytes.toString("latin1", 0, Math.min(size, sniffedText)));
  return { kind: "bytes", bytes, size, isGenerated };
}

/** Reads at most the known size. A file that grows meanwhile gets a new status, so Millwright reads it again later. */
function fillBytes(descriptor: number, { size }: Stats): { readonly bytes: Buffer; readonly size: number } {
  const buffer = Buffer.allocUnsafe(size + 1);
  let filled = 0;
  while (filled < size) {
    const count = readSync(descriptor, buffer, filled, size - filled, null);
    if (count === 0) break;
    filled += count;
  }
  buffer[filled] = 0;
  return { bytes: buffer, size: filled };
}

function countBreaks(bytes: Buffer, size: number): number {
  let breaks = 1;
  for (let at = bytes.indexOf(10); at !== -1 && at < size; at = bytes.indexOf(10, at + 1)) breaks++;
  return breaks;
}
