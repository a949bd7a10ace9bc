/**
 * Extracts a file's definitions, names and imports from its syntax. Supports documents, and all languages with an
 * outline.
 */
import type { Parser, Tree } from "web-tree-sitter";
import type { FileSymbols } from "../../domain/code-symbols.ts";
import type { Outline } from "../outline.ts";
import { countErrors, longestParse, parseUntil } from "../parser.ts";
import { outlineOf } from "./choose-outline.ts";
import { buildDefinitions } from "./definitions.ts";
import type { Found, FoundImport } from "./found.ts";
import { keepReading, readAgain } from "./kept-readings.ts";
import { loadOutline } from "./load-outline.ts";
import { readMarkdown } from "./markdown.ts";
import { findMatches, type Reading } from "./matches.ts";
import { buildReferences } from "./references.ts";
import { nest } from "./regions.ts";
import { readRestructuredText } from "./restructured-text.ts";

/** In UTF-16 code units. Larger texts are generated, and their trees would exhaust the memory. */
const longestText = 8 * 1024 * 1024;
/** The reason to skip a text whose time is over. */
export const tooSlow = "takes too long to parse";

const documents = [
  { files: /\.(?:md|markdown|mdx)$/i, language: "markdown", read: readMarkdown },
  { files: /\.rst$/i, language: "restructuredtext", read: readRestructuredText },
] as const;

export interface ExtractionOptions {
  /** Time limit in milliseconds for the file. Ordinary files take a few. */
  readonly timeMs?: number;
  /** True to keep the tree, because the file may be read again with few changes. */
  readonly keeps?: boolean;
  /**
   * True to read also a text that looks binary or minified. An author can give a text this look with one character or a
   * few comments.
   */
  readonly whole?: boolean;
}

/**
 * Extracts the symbols of a file; undefined for an unknown language. Never throws because of the text. If the function
 * did not read the text, `skipped` gives the reason.
 */
export async function extractSymbols(
  path: string,
  text: string,
  options: ExtractionOptions = {},
): Promise<FileSymbols | undefined> {
  const document = documents.find(({ files }) => files.test(path));
  const outline = outlineOf(path, text);
  const skipped = reasonToSkip(text, options.whole);
  if (document !== undefined)
    return skipped === undefined ? document.read(text) : nothing(document.language, skipped);
  if (outline === undefined) return undefined;
  if (skipped !== undefined) return nothing(outline.language, skipped);
  return await readSymbols(outline, path, text, options);
}

function nothing(language: string, skipped: string): FileSymbols {
  return { language, definitions: [], references: [], imports: [], syntaxErrors: 0, skipped };
}

function reasonToSkip(text: string, whole = false): string | undefined {
  if (text.length > longestText) return `larger than ${longestText / 1024 / 1024} MiB`;
  if (whole) return undefined;
  if (text.slice(0, 8192).includes("\0")) return "binary";
  if (text.length > 20_000 && isMinified(text)) return "minified";
  return undefined;
}

/** True for minified code: over 20,000 characters with an average line above 500, which no person writes. */
function isMinified(text: string): boolean {
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return text.length / lines > 500;
}

async function readSymbols(
  outline: Outline,
  path: string,
  text: string,
  { keeps = false, timeMs = longestParse }: ExtractionOptions,
): Promise<FileSymbols> {
  const { parser, query } = await loadOutline(outline);
  const given = { outline, path, text, query, deadline: Date.now() + timeMs };
  const again = keeps ? readAgain(parser, given) : undefined;
  if (again !== undefined) return symbolsOf(given, again);
  const tree = parseBest(parser, outline, text, given.deadline);
  if (tree === undefined) return nothing(outline.language, tooSlow);
  const found = findMatches({ ...given, tree });
  if (keeps && found !== undefined && !tree.rootNode.hasError)
    keepReading(path, { outline, text, tree, found });
  else tree.delete();
  return found === undefined ? nothing(outline.language, tooSlow) : symbolsOf(given, found);
}

type Given = Omit<Reading, "tree">;

/** The tree of the text, or of a reading of it (`Outline.readings`) with less than half the errors. */
function parseBest(parser: Parser, outline: Outline, text: string, deadline: number): Tree | undefined {
  let best = parseUntil(parser, text, deadline);
  const { readings = [] } = outline;
  if (best === undefined || readings.length === 0 || !best.rootNode.hasError) return best;
  let fewest = countErrors(best);
  for (const read of readings) {
    const other = parseUntil(parser, read(text), deadline);
    if (other === undefined) break;
    const errors = countErrors(other);
    const isBetter = errors * 2 < fewest;
    (isBetter ? best : other).delete();
    if (!isBetter) continue;
    best = other;
    fewest = errors;
  }
  return best;
}

function symbolsOf({ outline, path, text }: Given, found: Found): FileSymbols {
  const nesting = nest(found, text);
  const definitions = buildDefinitions(outline, path, text, found, nesting.definitions);
  const [name] = found.packages;
  return {
    language: outline.language,
    definitions,
    references: buildReferences(outline, text, found, nesting, definitions),
    imports: outermost(found.imports).flatMap(({ imports }) => imports),
    ...(name === undefined ? {} : { module: text.slice(name.start, name.end) }),
    syntaxErrors: found.errors.length,
  };
}

/** Drops imports nested in another, which add nothing. */
function outermost(imports: readonly FoundImport[]): FoundImport[] {
  let reached = -1;
  return imports.filter(({ start, end }) => {
    const isInside = start < reached;
    reached = Math.max(reached, end);
    return !isInside;
  });
}
