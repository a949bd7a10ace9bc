/** Reads one file of a repository as text. */
import { isTestFile, languageOf } from "../../languages/source-files.ts";
import { fileFlags } from "../store/schema.ts";
import { readBytes, type SkippedSource } from "./read-bytes.ts";

export interface SourceText {
  readonly kind: "text";
  readonly text: string;
  readonly bytes: number;
  readonly lines: number;
  /** A sum of `fileFlags`. */
  readonly flags: number;
}

const documents = /\.(?:md|markdown|mdx|rst)$/;

/** Reads a file's text and its properties, or the reason why it was skipped. Undefined if the file no longer exists. */
export function readSource(hostPath: string, path: string): SourceText | SkippedSource | undefined {
  const isCode = languageOf(path) !== undefined || documents.test(path);
  const read = readBytes(hostPath, path, isCode);
  if (read?.kind !== "bytes") return read;
  const text = read.bytes.toString("utf8", 0, read.size);
  return {
    kind: "text",
    text,
    bytes: read.size,
    lines: countLines(text),
    flags: flagsOf(path, read.isGenerated),
  };
}

/** Returns the file's flags: a sum of `fileFlags`. */
export function flagsOf(path: string, isGenerated: boolean): number {
  return (isTestFile(path) ? fileFlags.test : 0) | (isGenerated ? fileFlags.generated : 0);
}

function countLines(text: string): number {
  let lines = text.endsWith("\n") || text === "" ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return Math.max(lines, 1);
}
