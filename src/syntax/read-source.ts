import type { Language } from "../languages/contract.ts";
import { dialectOf } from "./dialects/index.ts";
import { parseSyntax } from "./node.ts";
import type { Source } from "./reading.ts";

export type LanguageOf = (file: string) => Pick<Language, "name" | "grammar"> | undefined;

/** Returns a file's tree with its dialect; undefined for an unknown language, or one without a dialect. */
export async function readSource(
  file: string,
  text: string,
  languageOf: LanguageOf,
): Promise<Source | undefined> {
  const language = languageOf(file);
  const dialect = language && dialectOf(language.name);
  if (language === undefined || dialect === undefined) return undefined;
  const extension = file.slice(file.lastIndexOf("."));
  return { file, dialect, tree: await parseSyntax(language.grammar(extension), text) };
}
