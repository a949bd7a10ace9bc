/** Lists the values that a patch adds to the code, and the words that may ask for them. Pure. */
import { literally } from "../../../base/literal-pattern.ts";
import type { TestRegions } from "../../../judging/test-regions.ts";
import { linesOfSpans } from "../../../judging/test-regions.ts";
import { languageOf } from "../../../languages/source-files.ts";
import { namedChildren, type SyntaxNode, walk } from "../../../syntax/node.ts";
import { roleOf, type Source } from "../../../syntax/reading.ts";
import { isFunction } from "../../../syntax/statements.ts";
import { addedLines, type ChangedFile, linesOf, readSource, removedLines } from "../../code/change.ts";
import { listDocumentation, readNamed } from "../statement/named-values.ts";
import { isCommonKey, keyOf, listShownKeys, type ValueKey } from "../texts/value-keys.ts";
import { isReplaced } from "./special-cases.ts";

export interface NewValues {
  /** Keys of literals, and `d:PATH` for a data file. */
  readonly keys: readonly ValueKey[];
  /** The sentences of the statement, and of the changed code's documentation before the change. */
  readonly prose: string;
  /** Added texts of one character, except ASCII letters and digits. */
  readonly signs: readonly string[];
  /** The members of `signs` that only separate the parts of a text: `split(",")`. */
  readonly separators: readonly string[];
  /** The texts of each table of the base that contains one of the added texts. */
  readonly tables: readonly (readonly string[])[];
  /** True if an added line tests whether a number is whole. */
  readonly asksWhole: boolean;
}

export interface NewValuesSources {
  readonly files: readonly ChangedFile[];
  readonly statement: string;
  readonly regions: Pick<TestRegions, "spansIn">;
}

/** True for a message for people, which has several words. */
const isProse = (key: ValueKey): boolean => /\p{L}{2,}\s+\p{L}{2,}/u.test(key);
const document = /\.(?:md|rst|adoc)$|(?:^|\/)(?:CHANGE|NEWS|HISTORY)[^/]*$/i;

/**
 * Returns the literals of added lines that occur more often than before. Omits common values, messages, corrected
 * constants, and new entries of an existing table. The number in a new name (`w7`) and a changed data file also count
 * as values.
 */
export async function listNewValues({ files, statement, regions }: NewValuesSources): Promise<NewValues> {
  const [keys, signs] = [new Set<ValueKey>(), new Set<string>()];
  const tables: string[][] = [];
  let asksWhole = false;
  const addedCode: string[] = [];
  const words = [statement];
  for (const file of files) {
    const { path, before, after, isTest } = file;
    if (isTest || after === undefined) continue;
    const source = await readSource(path, after);
    if (source === undefined) {
      if (languageOf(path) === undefined && !document.test(path)) keys.add(`d:${path}`);
      continue;
    }
    const old = await readSource(path, before);
    if (old !== undefined) words.push(...listDocumentation(old));
    const tests = linesOfSpans(after, await regions.spansIn(path, after));
    const values = valuesOf(file, source, old, tests);
    for (const key of values) if (isOwnValue(key)) keys.add(key);
    for (const key of values) if (/^t:[^\sa-zA-Z\d]$/u.test(key)) signs.add(key.slice(2));
    if (old !== undefined) tables.push(...listTables(old, new Set(values)));
    const lines = linesOf(after);
    const added = addedLines(file).flatMap((line) => (tests.has(line) ? [] : [lines[line - 1] ?? ""]));
    addedCode.push(...added);
    asksWhole ||= added.some((line) => wholeness.test(line));
  }
  const { prose } = readNamed(words.join("\n"));
  const code = addedCode.join("\n");
  const separators = [...signs].filter((sign) => isSeparator(sign, code));
  return { keys: [...keys], prose, signs: [...signs], separators, tables, asksWhole };
}

/** True if the code uses the sign only to split texts, and does not join the parts with another text. */
function isSeparator(sign: string, code: string): boolean {
  const quoted = String.raw`["'\x60]${literally(sign)}["'\x60]`;
  const count = (pattern: string): number => [...code.matchAll(new RegExp(pattern, "gi"))].length;
  const splits = count(String.raw`(?:split|partition|explode)(?:N|_once)?\((?:[\w.]+,\s*)?${quoted}`);
  const joins = count(String.raw`${quoted}\.join\(|(?:join|implode)\((?:[\w.]+,\s*)?${quoted}`);
  return splits > 0 && count(quoted) === splits + joins && count("join|implode") === joins;
}

/** Code that tests whether a number is whole. */
const wholeness =
  /\bisinstance\(\s*[\w.[\]]+\s*,\s*\(?\s*int\b(?![^)]*\bfloat\b)|\btype\([\w.]+\)\s*(?:is|==)\s*int\b|\bNumber\.isInteger\(|\bis_int(?:eger)?\(|\binstanceof\s+(?:Integer|Long)\b|\b(?:is_a|kind_of|instance_of)\?[ (]\s*Integer\b|\bInteger\s*===/;

/** Maximum entries of a table of kinds. Larger tables are word lists. */
const largestTable = 30;

function listTables(source: Source, added: ReadonlySet<ValueKey>): string[][] {
  return [...walk(source.tree.root)].flatMap((node) => {
    if (roleOf(source, node) !== "collection") return [];
    const entries = namedChildren(node);
    const keys = entries
      .slice(0, largestTable + 1)
      .flatMap((entry) => keyOf(source, namedChildren(entry)[0] ?? entry) ?? []);
    const isAsked = keys.length <= largestTable && keys.some((key) => key.startsWith("t:") && added.has(key));
    return isAsked ? [keys.flatMap((key) => (key.startsWith("t:") ? [key.slice(2)] : []))] : [];
  });
}

function valuesOf(
  file: ChangedFile,
  source: Source,
  old: Source | undefined,
  tests: ReadonlySet<number>,
): ValueKey[] {
  const added = new Set(addedLines(file).filter((line) => !tests.has(line)));
  const left = new Set([...listCorrected(file, added), ...listEntries(source, added)]);
  const isOwn = (line: number): boolean => added.has(line) && !left.has(line);
  const now = countKeys(listShownKeys(source, () => true));
  const then = countKeys(old === undefined ? [] : listShownKeys(old, () => true));
  const written = listShownKeys(source, isOwn).filter((key) => (now.get(key) ?? 0) > (then.get(key) ?? 0));
  const named = linesOf(file.after).flatMap((line, at) =>
    isOwn(at + 1) ? numbersInNames(line, file.before ?? "") : [],
  );
  return [...written, ...named];
}

function isOwnValue(key: ValueKey): boolean {
  return (key === "n:2" || !isCommonKey(key)) && !isProse(key);
}

/** Maximum pairs of lines to compare. A larger change is not the correction of a constant. */
const mostPairs = 20_000;

function listCorrected(file: ChangedFile, added: ReadonlySet<number>): number[] {
  if (added.size * removedLines(file).length > mostPairs) return [];
  return [...added].filter((line) => isReplaced(file, { line }));
}

/** Lists added lines that only contain entries of a table with unchanged lines. */
function listEntries(source: Source, added: ReadonlySet<number>): number[] {
  const isAdded = ({ startLine, endLine }: SyntaxNode): boolean => {
    for (let line = startLine; line <= endLine; line += 1) if (!added.has(line)) return false;
    return true;
  };
  const isPlain = (entry: SyntaxNode): boolean =>
    ![...walk(entry)].some((node) => isFunction(source, node) || codeRoles.has(roleOf(source, node) ?? ""));
  return [...walk(source.tree.root)].flatMap((node) => {
    if (node.endLine - node.startLine < 2 || roleOf(source, node) !== "collection") return [];
    const entries = namedChildren(node);
    if (entries.every(isAdded)) return [];
    return entries
      .filter((entry) => isAdded(entry) && isPlain(entry))
      .flatMap(({ startLine, endLine }) =>
        Array.from({ length: endLine - startLine + 1 }, (_, at) => startLine + at),
      );
  });
}

const codeRoles: ReadonlySet<string> = new Set([
  "call",
  "binary",
  "conditional",
  "if",
  "comprehension",
  "function-expression",
]);

function numbersInNames(line: string, before: string): ValueKey[] {
  const names = [...line.matchAll(/\b[A-Za-z_]+?(\d+)\b/g)];
  return names.flatMap(([name, digits]) => (before.includes(name) ? [] : [`n:${Number(digits)}`]));
}

function countKeys(keys: readonly ValueKey[]): Map<ValueKey, number> {
  const counts = new Map<ValueKey, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
