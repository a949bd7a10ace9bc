/** Finds changed files that no parser can read. Such a file hides its code from every check. */
import { extname } from "node:path";
import { languageOf } from "../../../languages/source-files.ts";
import { dialectOf } from "../../../syntax/dialects/index.ts";
import { canParse } from "../../../syntax/parser.ts";
import { outlineOf } from "../../../syntax/symbols/choose-outline.ts";
import { tooSlow } from "../../../syntax/symbols/extract-symbols.ts";
import type { ChangedFile } from "../../code/change.ts";
import { symbolsOf } from "../../code/symbols-of.ts";
import { listRead } from "./too-large.ts";

/** Describes the first file that is too large, takes too long to parse or nests too deeply; "" if none. */
export async function tellUnparsed(files: readonly ChangedFile[]): Promise<string> {
  for (const { path, before, after } of listRead(files)) {
    if (after === undefined || after === before) continue;
    const skipped = languageOf(path) === undefined ? undefined : (await symbolsOf(path, after))?.skipped;
    if (skipped === tooSlow || !(await canParseIn(grammarsOf(path, after), after)))
      return `${path} takes too long to parse, or nests too deeply. The checks do not read such a patch.`;
    if (skipped !== undefined)
      return `The text of ${path} was not read (${skipped}). The checks do not read such a patch.`;
  }
  return "";
}

async function canParseIn(grammars: ReadonlySet<string>, text: string): Promise<boolean> {
  for (const grammar of grammars) if (!(await canParse(grammar, text))) return false;
  return true;
}

/**
 * Returns the grammars with which the checks parse the text. For a known language, omits the outline's grammar, because
 * it has already parsed the text.
 */
function grammarsOf(path: string, text: string): ReadonlySet<string> {
  const language = languageOf(path);
  const outline = outlineOf(path, text)?.grammar;
  if (language === undefined) return new Set(outline === undefined ? [] : [outline]);
  const dialect = dialectOf(language.name) === undefined ? outline : language.grammar(extname(path));
  return new Set(dialect === undefined || dialect === outline ? [] : [dialect]);
}
