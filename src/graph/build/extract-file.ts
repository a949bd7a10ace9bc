/** One file's content to what the store keeps of it. Pure work of one thread: the main one for single files, workers for many. */
import { createHash } from "node:crypto";
import { extname } from "node:path";
import { extractSymbols } from "../../syntax/symbols/extract-symbols.ts";
import { readManifest } from "../manifests.ts";
import { type EncodedFacts, encodeFacts } from "../store/facts.ts";
import { countTerms } from "../terms.ts";
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
  readonly body: string;
  /** JSON of `readManifest`, where the file is one. */
  readonly manifest?: string;
}

/** More of one term says nothing more to BM25. */
const mostOfOneTerm = 8;

export interface ExtractionRequest {
  readonly path: string;
  readonly hostPath: string;
  readonly isKnown: (hash: string) => boolean;
}

export async function extractFile(request: ExtractionRequest): Promise<ExtractedFile> {
  const { path } = request;
  const source = readSource(request.hostPath, path);
  const nothing = { path, bytes: source?.bytes ?? 0, lines: 0, flags: 0, hash: "", body: "" };
  if (source === undefined) return { ...nothing, gone: true };
  if (source.kind === "skipped") return { ...nothing, skipped: source.reason };
  const { text, lines, flags } = source;
  const hash = hashContent(path, text);
  const manifest = readManifest(path, text);
  const said = manifest === undefined ? {} : { manifest: JSON.stringify(manifest) };
  const found = { ...nothing, ...said, lines, flags, hash, body: termsOf(text) };
  if (request.isKnown(hash)) return found;
  const symbols = await extractSymbols(path, text);
  if (symbols === undefined) return { ...found, hash: "" };
  if (symbols.skipped !== undefined) return { ...nothing, skipped: symbols.skipped };
  return { ...found, facts: encodeFacts(symbols) };
}

/** Contents of one extension with one hash have the same facts. */
function hashContent(path: string, text: string): string {
  return createHash("sha256")
    .update(`${extractionVersion}\0${extname(path)}\0`)
    .update(text)
    .digest("base64url")
    .slice(0, 27);
}

function termsOf(text: string): string {
  const counts = countTerms(text);
  let terms = "";
  for (const [term, count] of counts) terms += `${term} `.repeat(Math.min(count, mostOfOneTerm));
  return terms;
}
