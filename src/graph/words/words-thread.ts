/**
 * The body of a thread that reads files by their words. It takes the next files from a counter that all threads share.
 */
import { parentPort, workerData } from "node:worker_threads";
import { createNames } from "../../syntax/lexical/names.ts";
import { createWordReader } from "../../syntax/lexical/read-words.ts";
import { outlineOf } from "../../syntax/outlines/index.ts";
import { isCppHeader } from "../../syntax/symbols/signs-of-cpp.ts";
import { readBytes } from "../build/read-bytes.ts";
import { createColumns } from "./definition-columns.ts";
import { createSegment } from "./segment.ts";
import type { NamedFile, WordBatch, WordFile, WordsThreadData } from "./words-threads.ts";

const { shared } = workerData as WordsThreadData;
/** Number of files that a thread takes and answers at once. */
const batch = 32;

const names = createNames();
const reader = createWordReader(names);
const segment = createSegment(names);
const columns = createColumns();
const ignoredOf = new Map<string, Uint8Array>();
const decoder = new TextDecoder();

parentPort?.on("message", (files: readonly NamedFile[]) => {
  for (let from = take(); from < files.length && Atomics.load(shared, 1) === 0; from = take()) {
    const read = files.slice(from, from + batch).flatMap((file) => readFile(file) ?? []);
    parentPort?.postMessage({ files: read, columns: columns.take() } satisfies WordBatch);
  }
  const parts = segment.finish();
  const buffers = [
    ...new Set(Object.values(parts).flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : []))),
  ];
  parentPort?.postMessage({ parts }, buffers);
});

function take(): number {
  return Atomics.add(shared, 0, batch);
}

function readFile({ path, hostPath, languages }: NamedFile): WordFile | undefined {
  const source = readBytes(hostPath, path, true);
  if (source?.kind !== "bytes") return undefined;
  const { bytes, size, isGenerated } = source;
  const language =
    languages.length > 1 && isCppHeader(decoder.decode(bytes.subarray(0, size)))
      ? "cpp"
      : (languages[0] ?? "");
  const words = reader.read(language, bytes, size);
  if (words === undefined) return undefined;
  const { definitions, tokens } = words;
  segment.add(tokens, ignoredIn(language));
  columns.add(definitions);
  return {
    path,
    language,
    number: segment.files - 1,
    bytes: size,
    lines: Math.max(1, tokens.lines - (bytes[size - 1] === 10 ? 1 : 0)),
    isGenerated,
    definitions: definitions.length,
  };
}

/** A table with 1 for each keyword's number. It is short, because the first names get the smallest numbers. */
function ignoredIn(language: string): Uint8Array {
  const known = ignoredOf.get(language);
  if (known !== undefined) return known;
  const numbers = (outlineOf(language)?.words?.keywords ?? "").split(" ").map((word) => names.add(word));
  const ignored = new Uint8Array(Math.max(...numbers) + 1);
  for (const number of numbers) ignored[number] = 1;
  ignoredOf.set(language, ignored);
  return ignored;
}
