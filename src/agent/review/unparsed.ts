/** Finds changed files that no parser reads. Such a text hides its code from every check. */
import { extname } from "node:path";
import { languageOf } from "../../languages/source-files.ts";
import { dialectOf } from "../../syntax/dialects/index.ts";
import { canParse } from "../../syntax/parser.ts";
import { outlineOf } from "../../syntax/symbols/choose-outline.ts";
import type { ChangedFile } from "../code/change.ts";
import { symbolsOf } from "../code/symbols-of.ts";
import { listRead } from "./too-large.ts";

/** Describes the first file that is too large, takes too long to parse or nests too deeply. "" if there is none. */
export async function tellUnparsed(files: readonly ChangedFile[]): Promise<string> {
  for (const { path, before, after } of listRead(files)) {
    if (after === undefined || after === before) continue;
    for (const grammar of grammarsOf(path, after))
      if (!(await canParse(grammar, after)))
        return `${path} takes too long to parse, or nests too deeply. The checks do not read such a patch.`;
    const skipped = languageOf(path) === undefined ? undefined : (await symbolsOf(path, after))?.skipped;
    if (skipped !== undefined)
      return `The text of ${path} was not read (${skipped}). The checks do not read such a patch.`;
  }
  return "";
}

function grammarsOf(path: string, text: string): ReadonlySet<string> {
  const language = languageOf(path);
  const hasDialect = language !== undefined && dialectOf(language.name) !== undefined;
  const outline = outlineOf(path, text);
  return new Set([
    ...(hasDialect ? [language.grammar(extname(path))] : []),
    ...(outline === undefined ? [] : [outline.grammar]),
  ]);
}
