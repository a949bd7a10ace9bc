/**
 * Converts one file's content to the form that the index stores. Runs on the main thread for a few files, and on worker
 * threads for many.
 */
import { createHash } from "node:crypto";
import { extname } from "node:path";
import type { Definition } from "../../domain/code-symbols.ts";
import { extractSymbols } from "../../syntax/symbols/extract-symbols.ts";
import { buildFileForm } from "../forms/file-form.ts";
import { fileKindOf } from "../forms/file-kind.ts";
import { encodeForm } from "../forms/form-codec.ts";
import { readManifest } from "../manifests.ts";
import { decodeFacts, type EncodedFacts, encodeFacts } from "../store/facts.ts";
import { readSource } from "./read-source.ts";
import { extractionVersion } from "./version.ts";

/** The extracted data of a file, in the form that a thread can send: no syntax trees. */
export interface ExtractedFile {
  readonly path: string;
  /** True if the file no longer exists. */
  readonly gone?: true;
  readonly skipped?: string;
  readonly bytes: number;
  readonly lines: number;
  readonly flags: number;
  /** A hash of the content and of the extractor's version; "" if the file has no facts. */
  readonly hash: string;
  /** The result of `encodeFacts`; undefined if the file has no facts, or the store already has the hash. */
  readonly facts?: EncodedFacts;
  /** The result of `encodeForm`, for the search; undefined if searches skip the file. */
  readonly form?: Uint8Array;
  /** The result of `readManifest` as JSON, if the file is a manifest. */
  readonly manifest?: string;
}

export interface ExtractionRequest {
  readonly path: string;
  readonly hostPath: string;
  /** The `EncodedFacts.head` of a content that the store already has. */
  readonly known: (hash: string) => string | undefined;
  /** True to keep the syntax tree for the next change, as in `ExtractionOptions` of src/syntax. */
  readonly keeps?: boolean;
  readonly timeMs?: number;
}

export async function extractFile(request: ExtractionRequest): Promise<ExtractedFile> {
  const { path } = request;
  const source = readSource(request.hostPath, path);
  const nothing = { path, bytes: source?.bytes ?? 0, lines: 0, flags: 0, hash: "" };
  if (source === undefined) return { ...nothing, gone: true };
  if (source.kind === "skipped") return { ...nothing, skipped: source.reason };
  const { text, lines, flags } = source;
  const hash = hashContent(path, text);
  const manifest = readManifest(path, text);
  const said = manifest === undefined ? {} : { manifest: JSON.stringify(manifest) };
  const found = { ...nothing, ...said, lines, flags, hash };
  const formOf = (definitions: readonly Definition[]): { form?: Uint8Array } =>
    fileKindOf(path) === "generated" ? {} : { form: encodeForm(buildFileForm(path, text, definitions)) };
  const head = request.known(hash);
  if (head !== undefined) return { ...found, ...formOf(decodeFacts(head).definitions) };
  const symbols = await extractSymbols(path, text, request);
  if (symbols === undefined) return { ...found, ...formOf([]), hash: "" };
  if (symbols.skipped !== undefined) return { ...nothing, skipped: symbols.skipped };
  return { ...found, ...formOf(symbols.definitions), facts: encodeFacts(symbols) };
}

/** Hashes a content with the path's extension. Contents with equal hashes have the same facts. */
function hashContent(path: string, text: string): string {
  return createHash("sha256")
    .update(`${extractionVersion}\0${extname(path)}\0`)
    .update(text)
    .digest("base64url")
    .slice(0, 27);
}
