import { extname } from "node:path";
import type { Language } from "../languages/contract.ts";
import { languages } from "../languages/languages.generated.ts";
import { canCount, insertCounters } from "./insert-counters.ts";

export interface FileText {
  /** The path, relative to the repository and with `/`, as in coverage reports. */
  readonly path: string;
  readonly text: string;
}

/** Returns the files that get counters, with their new texts. */
export async function instrumentFiles(files: readonly FileText[]): Promise<FileText[]> {
  const changed: FileText[] = [];
  for (const { path, text } of files) {
    const language = languageOf(path);
    if (language === undefined || !canCount(language)) continue;
    const counted = await insertCounters(path, text, language);
    if (counted !== text) changed.push({ path, text: counted });
  }
  return changed;
}

function languageOf(path: string): Language | undefined {
  const extension = extname(path);
  return languages.find((language: Language) => language.extensions.includes(extension));
}
