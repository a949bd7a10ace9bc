/**
 * Computes the version of the extraction, which includes the versions of the grammars. The facts extracted from a text
 * depend on both.
 */

import { readFileSync } from "node:fs";
import { textOf } from "../../base/fields.ts";
import { hashText } from "../../base/hash.ts";
import { grammarFile } from "../../base/own-files.ts";
import type { Outline } from "../../syntax/outline.ts";
import { outlines } from "../../syntax/outlines/index.generated.ts";
import { formVersion } from "../forms/form-codec.ts";

/**
 * Raise it when extraction, resolution or encoding gives another result for the same text, with the same queries and
 * grammars.
 */
const extractionRevision = 6;

/**
 * The version of the extraction: a hash of everything that determines the rows. Millwright rebuilds an index that has
 * another version.
 */
export const extractionVersion = hashText(
  [extractionRevision, formVersion, ...outlines.map(describeOutline)].join("\n"),
).slice(0, 16);

function describeOutline({ language, extensions, grammar, query }: Outline): string {
  return [language, extensions.join(), grammar, versionOf(grammar), query].join("\0");
}

function versionOf(grammar: string): string {
  const name = grammar.split("/", grammar.startsWith("@") ? 2 : 1).join("/");
  try {
    const manifest = readFileSync(grammarFile(`${name}/package.json`), "utf8");
    return textOf(JSON.parse(manifest), "version") ?? "unknown";
  } catch {
    return "unknown";
  }
}
