/** Replaces a whole function, method or class by its name. */
import type { Definition } from "../domain/code-symbols.ts";
import { extractSymbols } from "../syntax/symbols/extract-symbols.ts";
import type { FunctionEdit, LineRange } from "./contract.ts";
import type { NotReplaced, Replaced } from "./replace-text.ts";
import { indentOf, isBlank, linesOf } from "./text-lines.ts";

const kinds: ReadonlySet<string> = new Set([
  "function",
  "method",
  "constructor",
  "class",
  "struct",
  "trait",
  "interface",
  "enum",
  "macro",
  "test",
]);

export async function replaceFunction(
  path: string,
  file: readonly string[],
  edit: FunctionEdit,
): Promise<Replaced | NotReplaced> {
  const symbols = await extractSymbols(path, `${file.join("\n")}\n`);
  if (symbols === undefined)
    return problem(
      "no-match",
      "Functions cannot be found by name in this language: give the lines to be replaced.",
    );
  const named = symbols.definitions.filter(({ kind }) => kinds.has(kind));
  const wanted = partsOf(edit.name);
  const found = named.filter((each) => endsWith(namesOf(symbols.definitions, each), wanted));
  const [only] = found;
  const names = (list: readonly Definition[]): string =>
    list
      .slice(0, 20)
      .map((each) => `${namesOf(symbols.definitions, each).join(".")} (line ${each.startLine})`)
      .join(", ");
  if (only === undefined)
    return problem(
      "no-match",
      `The file has no ${edit.name}. Its definitions, at most 20: ${names(named) || "none"}.`,
    );
  const isOverloaded = new Set(found.map((each) => namesOf(symbols.definitions, each).join("."))).size === 1;
  const meant =
    found.length === 1 ? only : isOverloaded ? await overloadOf(path, file, found, edit) : undefined;
  if (meant === undefined)
    return problem(
      "ambiguous",
      `Several definitions have the name ${edit.name}: ${names(found)}. Give a longer name, or the lines to replace.`,
      found.map(rangeOf),
    );
  return putInPlace(file, meant, edit.text);
}

/**
 * Of several functions with one name, returns the only one with the parameters of the new text. Parses the new text in
 * place of the first function.
 */
async function overloadOf(
  path: string,
  file: readonly string[],
  found: readonly Definition[],
  { text }: FunctionEdit,
): Promise<Definition | undefined> {
  const [first] = found;
  if (first === undefined) return undefined;
  const tried = putInPlace(file, first, text);
  if (!tried.ok) return tried.kind === "no-change" ? first : undefined;
  const [splice] = tried.splices;
  if (splice === undefined) return undefined;
  const { start, count, lines } = splice;
  const symbols = await extractSymbols(path, `${file.toSpliced(start, count, ...lines).join("\n")}\n`);
  const fresh = symbols?.definitions.find(
    ({ name, at }) => name === first.name && at.line > start && at.line <= start + lines.length,
  );
  const fitting = found.filter(({ parameters }) => parameters === fresh?.parameters);
  return fresh !== undefined && fitting.length === 1 ? fitting[0] : undefined;
}

/** Splits a qualified name: `Zone::find`, `Zone#find`, `Zone:find`, `Zone.find()`. */
function partsOf(name: string): string[] {
  return name
    .replace(/\(.*$/s, "")
    .split(/[.#/:]/)
    .filter((part) => part !== "");
}

function endsWith(names: readonly string[], wanted: readonly string[]): boolean {
  return (
    wanted.length > 0 &&
    wanted.length <= names.length &&
    wanted.every((part, index) => names[names.length - wanted.length + index] === part)
  );
}

function namesOf(definitions: readonly Definition[], definition: Definition): string[] {
  const names = [definition.name];
  const { owner } = definition;
  let outer = definitions[definition.container];
  if (owner !== undefined && outer?.name !== owner) names.unshift(owner);
  for (; outer !== undefined; outer = definitions[outer.container]) names.unshift(outer.name);
  return names;
}

function rangeOf({ startLine, endLine }: Definition): LineRange {
  return { startLine, endLine };
}

function putInPlace(
  file: readonly string[],
  definition: Definition,
  replacement: string,
): Replaced | NotReplaced {
  const { startLine, endLine } = definition;
  const old = file.slice(startLine - 1, endLine);
  const fresh = trimBlank(linesOf(replacement));
  if (fresh.length === 0)
    return problem(
      "no-match",
      "The new text is empty. To remove a function, give an edit that replaces its lines with an empty text.",
    );
  const isShared = !startsAlone(old, definition) || sharesEnd(file, definition);
  if (isShared)
    return problem("unclear", "The function shares its lines with other code: give the lines to replace.", [
      rangeOf(definition),
    ]);
  // Attributes and decorators stay if the new text has none.
  const kept = keptAttributes(old, fresh, definition);
  if (kept === undefined)
    return problem(
      "unclear",
      "It is unclear which decorators or attributes to keep: write all of them above the function.",
      [rangeOf(definition)],
    );
  const start = startLine - 1 + kept;
  const own = indentOf(file[start] ?? "");
  const lines = shift(fresh, indentOf(fresh[0] ?? ""), own);
  if (lines === undefined)
    return problem(
      "unclear",
      "The indentation of the new text is unclear: indent it like the function in the file.",
      [rangeOf(definition)],
    );
  const count = endLine - start;
  const isSame = count === lines.length && lines.every((line, index) => line === file[start + index]);
  if (isSame) return problem("no-change", "The function already equals the new text.", [rangeOf(definition)]);
  return {
    ok: true,
    splices: [{ start, count, lines }],
    place: { startLine: start + 1, endLine },
    rung: "exact",
  };
}

function trimBlank(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => !isBlank(line));
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => !isBlank(line)) + 1);
}

/** True if no other statement or block precedes the definition on its first line. */
function startsAlone(old: readonly string[], { at, startLine }: Definition): boolean {
  if (at.line !== startLine) return true;
  return !/[;{}]/.test((old[0] ?? "").slice(0, at.column));
}

/** True if the last line continues with another statement. */
function sharesEnd(file: readonly string[], { startLine, endLine }: Definition): boolean {
  return startLine === endLine && /[;}]\s*\S/.test((file[endLine - 1] ?? "").replace(/\{.*\}/, "{}"));
}

const attribute = /^\s*(?:@|#\[|#!\[|\[)/;

/** The number of lines above the function that Millwright keeps; undefined if unknown. */
function keptAttributes(
  old: readonly string[],
  fresh: readonly string[],
  { at, startLine }: Definition,
): number | undefined {
  const above = old.slice(0, at.line - startLine);
  if (!attribute.test(above[0] ?? "") || attribute.test(fresh[0] ?? "")) return 0;
  return above.every((line) => attribute.test(line)) ? above.length : undefined;
}

function shift(lines: readonly string[], from: string, to: string): string[] | undefined {
  if (from === to) return [...lines];
  const shifted = lines.map((line) => {
    if (isBlank(line)) return line;
    return line.startsWith(from) ? to + line.slice(from.length) : undefined;
  });
  return shifted.every((line) => line !== undefined) ? shifted : undefined;
}

function problem(kind: NotReplaced["kind"], message: string, ranges: readonly LineRange[] = []): NotReplaced {
  return { ok: false, kind, message, ranges };
}
