/**
 * A text without the parts that do not affect its meaning: comments, documentation, formatting, import order, names of
 * local variables. Two candidates with the same normal form count as one.
 *
 * Equal normal forms mean equal programs, but equal programs may have different normal forms. Parameters that callers
 * may name keep their names.
 */
import { hashText } from "../base/hash.ts";
import { renamedLocals } from "./normal-form/rename.ts";
import { renderTree } from "./normal-form/render.ts";
import { parseUntil } from "./parser.ts";
import { outlineOf } from "./symbols/choose-outline.ts";
import { loadOutline } from "./symbols/load-outline.ts";
import { findMatches } from "./symbols/matches.ts";
import { nest } from "./symbols/regions.ts";

/** Maximum milliseconds for one text. */
const longestTime = 10_000;

/**
 * Macros leave unparsable places in valid programs. Strings end with their line, so the code around such a place is
 * read correctly.
 */
const hasMacros: ReadonlySet<string> = new Set(["c", "cpp"]);

/**
 * Returns the normal form of a text. If the text has no outline, does not parse, or takes too long, returns the text
 * without trailing spaces. C and C++ are an exception, because of their macros. If such a text does not parse, the
 * function still normalises it, but keeps the names of local variables.
 */
export async function normalForm(path: string, text: string): Promise<string> {
  const outline = outlineOf(path, text);
  if (outline === undefined) return plainForm(text);
  const { parser, query } = await loadOutline(outline);
  const deadline = Date.now() + longestTime;
  const tree = parseUntil(parser, text, deadline);
  if (tree === undefined) return plainForm(text);
  try {
    const { hasError } = tree.rootNode;
    if (hasError && hasMacros.has(outline.language))
      return renderTree({ outline, path, text, tree, rename: () => undefined });
    const found = hasError ? undefined : findMatches({ outline, path, text, query, tree, deadline });
    if (found === undefined) return plainForm(text);
    const rename = renamedLocals(outline.language, text, found, nest(found, text));
    return renderTree({ outline, path, text, tree, rename });
  } finally {
    tree.delete();
  }
}

/** Returns a key for comparing texts: two texts have equal keys exactly if their normal forms are equal. */
export async function normalKey(path: string, text: string): Promise<string> {
  return hashText(await normalForm(path, text));
}

function plainForm(text: string): string {
  return text.replaceAll(/[ \t\r]+$/gm, "").trimEnd();
}
