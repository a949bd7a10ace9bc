import { openKnownFacts } from "../store/known-facts.ts";
import type { Store } from "../store/open-store.ts";
import { type ExtractedFile, type ExtractionRequest, extractFile } from "./extract-file.ts";
import type { ScannedFile } from "./scan.ts";

export { tooSlow } from "../../syntax/symbols/extract-symbols.ts";

/**
 * Extracts a file on this thread. Keeps the file's syntax tree, because it speeds up the extraction after the next
 * change. Importing this module loads all modules for extraction, so callers import it late.
 */
export function extractHere(
  store: Store,
  { path, hostPath }: ScannedFile,
  options: Pick<ExtractionRequest, "timeMs"> = {},
): Promise<ExtractedFile> {
  return extractFile({ path, hostPath, known: openKnownFacts(store.database), keeps: true, ...options });
}
