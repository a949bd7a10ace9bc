/** Reads one file of a repository as it is found there: links are not followed, and what is no text is said, not read. */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { isSystemError } from "../../base/errors.ts";
import { isTestFile, languageOf } from "../../languages/source-files.ts";
import { fileFlags } from "../store/schema.ts";

export interface SourceText {
  readonly kind: "text";
  readonly text: string;
  readonly bytes: number;
  readonly lines: number;
  /** See `fileFlags`. */
  readonly flags: number;
}

export interface SkippedSource {
  readonly kind: "skipped";
  readonly reason: string;
  readonly bytes: number;
}

const mebibyte = 1024 * 1024;
/** Of source code; nobody writes more by hand, and a tree takes some fifty times the text. */
const longestCode = 5 * mebibyte;
/** Of text in no language: tables and locks are longer, and say nothing in words. */
const longestText = mebibyte / 4;
const sniffed = 8192;
const longestLine = 5000;

const data =
  /\.(?:lock|map|svg|csv|tsv|snap|po|pot|ipynb|log)$|(?:^|\/)(?:package-lock|npm-shrinkwrap|pnpm-lock)\.\w+$|[.-]min\.\w+$/;
const documents = /\.(?:md|markdown|mdx|rst)$/;
const generatedMark =
  /@generated\b|\bcode generated\b.{0,80}\bdo not edit\b|\bauto-?generated\b.{0,80}\bdo not (?:edit|modify)\b|\bthis file (?:was|is) (?:auto(?:matically)?[- ]?)?generated\b/i;

/** Undefined where there is no such file any more. */
export function readSource(hostPath: string, path: string): SourceText | SkippedSource | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(hostPath, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    return readOpened(descriptor, path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    const reason = error.code === "ELOOP" ? "symbolic link" : `cannot be read (${error.code})`;
    return { kind: "skipped", reason, bytes: 0 };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function readOpened(descriptor: number, path: string): SourceText | SkippedSource {
  const status = fstatSync(descriptor);
  const skip = (reason: string): SkippedSource => ({ kind: "skipped", reason, bytes: status.size });
  if (!status.isFile()) return skip("no regular file");
  const isCode = languageOf(path) !== undefined || documents.test(path);
  if (data.test(path)) return skip("data or lock file");
  const limit = isCode ? longestCode : longestText;
  if (status.size > limit) return skip(`larger than ${limit / mebibyte} MiB`);
  const bytes = readBytes(descriptor, status);
  if (bytes.subarray(0, sniffed).includes(0)) return skip("binary");
  const text = bytes.toString("utf8");
  const lines = countLines(text);
  if (text.length > 2 * longestLine && text.length / lines > longestLine / 10) return skip("minified");
  const isGenerated = generatedMark.test(text.slice(0, 2048));
  const flags = (isTestFile(path) ? fileFlags.test : 0) | (isGenerated ? fileFlags.generated : 0);
  return { kind: "text", text, bytes: bytes.length, lines, flags };
}

/** At most the size that was seen: a file that grows meanwhile is read again later, its status has changed. */
function readBytes(descriptor: number, { size }: Stats): Buffer {
  const buffer = Buffer.allocUnsafe(size);
  let filled = 0;
  while (filled < size) {
    const count = readSync(descriptor, buffer, filled, size - filled, null);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}

function countLines(text: string): number {
  let lines = text.endsWith("\n") || text === "" ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return Math.max(lines, 1);
}
