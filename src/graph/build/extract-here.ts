import { openKnownFacts } from "../store/known-facts.ts";
import type { Store } from "../store/open-store.ts";
import { type ExtractedFile, extractFile } from "./extract-file.ts";
import type { ScannedFile } from "./scan.ts";

/**
 * Extracts on this thread. Keeps the file's tree for its next change. Loads all modules for extraction, which threads
 * load themselves.
 */
export function extractHere(store: Store, { path, hostPath }: ScannedFile): Promise<ExtractedFile> {
  return extractFile({ path, hostPath, known: openKnownFacts(store.database), keeps: true });
}
