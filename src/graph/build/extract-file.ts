/** One file's content to what the store keeps of it. Pure work of one thread: the main one for single files, workers for many. */
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

/** What crosses from a worker: strings and numbers, no trees. */
export interface ExtractedFile {
  readonly path: string;
  /** The file is not there any more. */
  readonly gone?: true;
  readonly skipped?: string;
  readonly bytes: number;
  readonly lines: number;
  readonly flags: number;
  /** Of the content and what extracts it; "" where nothing is extracted. */
  readonly hash: string;
  /** `encodeFacts`; undefined where nothing is extracted, or the store has the hash already. */
  readonly facts?: EncodedFacts;
  /** `encodeForm`: what is searched of it; undefined where nothing is. */
  readonly form?: Uint8Array;
  /** JSON of `readManifest`, where the file is one. */
  readonly manifest?: string;
}

export interface ExtractionRequest {
  readonly path: string;
  readonly hostPath: string;
  /** `EncodedFacts.head` of a content that the store has already. */
  readonly known: (hash: string) => string | undefined;
  /** See `ExtractionOptions` of the syntax. */
  readonly keeps?: boolean;
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

/** Contents of one extension with one hash have the same facts. */
function hashContent(path: string, text: string): string {
  return createHash("sha256")
    .update(`${extractionVersion}\0${extname(path)}\0`)
    .update(text)
    .digest("base64url")
    .slice(0, 27);
}
