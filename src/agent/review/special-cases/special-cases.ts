/**
 * Finds special cases. Such code singles out an input of the failing tests, or returns their expected results instead
 * of computing them. Works on syntax trees. Compares the added equalities, cases, table keys and literal results with
 * the literals of the failing tests. A value is not a special case if the statement names it, or the code already
 * branches on it elsewhere. Exception: the statement names a number, with a number as result, only as a sample of a
 * rule.
 */

import { literally } from "../../../base/literal-pattern.ts";
import { once } from "../../../base/once.ts";
import type { TestRegions } from "../../../judging/test-regions.ts";
import { linesOfSpans } from "../../../judging/test-regions.ts";
import { isSourceFile } from "../../../languages/source-files.ts";
import type { SyntaxNode } from "../../../syntax/node.ts";
import type { Source } from "../../../syntax/reading.ts";
import { addedLines, type ChangedFile, linesOf, readSource, removedLines } from "../../code/change.ts";
import type { Finding } from "../contract.ts";
import { isOnlyExample } from "../statement/example-values.ts";
import { isNamed, listDocumentation, type Named, readNamed } from "../statement/named-values.ts";
import { type BaseFiles, mostSearched } from "../texts/base-files.ts";
import { isCommonKey, listShownKeys, spelledKeys, type ValueKey } from "../texts/value-keys.ts";
import { isBuiltFromBase } from "./built-code.ts";
import { declaresName } from "./declared-names.ts";
import { listTableRows } from "./special-tables.ts";
import { isPieceOfInput, listPlaced, type PlacedValue } from "./special-values.ts";

export interface SpecialCaseInput {
  readonly files: readonly ChangedFile[];
  /** Maps each value to the failing test that has it. */
  readonly shown: ReadonlyMap<ValueKey, string>;
  readonly statement: string;
  readonly base: BaseFiles;
  readonly regions: Pick<TestRegions, "spansIn" | "isWhole">;
  /**
   * True if the tests belong to the patch, and may use its new words and settings. Then only a number or a list counts,
   * and only together with its result.
   */
  readonly isFeature?: boolean;
}

/** Maximum findings per patch. */
const mostFindings = 6;

/**
 * Objects to each value that only the failing tests explain. If the base or the statement uses the value in another
 * role, the finding is only a doubt. Returns at most `mostFindings`, objections first.
 */
export async function judgeSpecialCases(input: SpecialCaseInput): Promise<Finding[]> {
  if (input.shown.size === 0) return [];
  const named = readNamed([input.statement, ...(await readDocumentation(input.files))].join("\n"));
  const found: Suspect[] = [];
  for (const file of input.files) found.push(...(await listSuspects(file, input)));
  const findings: Finding[] = [];
  const told = new Set<string>();
  for (const suspect of found) {
    const finding = await weigh(suspect, input, named);
    const key = `${suspect.file.path} ${suspect.value.key}`;
    if (finding === undefined || told.has(key)) continue;
    told.add(key);
    findings.push(finding);
  }
  if (input.isFeature !== true)
    findings.push(...input.files.flatMap((file) => weighTable(file, input, named)));
  const objections = findings.filter(({ weight }) => weight === "objection");
  return [...objections, ...findings.filter(({ weight }) => weight === "doubt")].slice(0, mostFindings);
}

/** Reads the code's documentation on the base. */
async function readDocumentation(files: readonly ChangedFile[]): Promise<string[]> {
  const texts: string[] = [];
  for (const file of files) {
    const source = file.isTest ? undefined : await readSource(file.path, file.before);
    if (source !== undefined) texts.push(...listDocumentation(source));
  }
  return texts;
}

interface Suspect {
  readonly file: ChangedFile;
  readonly value: PlacedValue;
  readonly test: string;
  /** Another literal of these tests in the same branch, which the branch compares or returns. */
  readonly partner: PlacedValue | undefined;
  /** The same function or table already branches on other values. */
  readonly hasSiblings: boolean;
}

async function listSuspects(file: ChangedFile, input: SpecialCaseInput): Promise<Suspect[]> {
  if (file.isTest || file.after === undefined) return [];
  const source = await readSource(file.path, file.after);
  if (source === undefined) return [];
  const spans = await input.regions.spansIn(file.path, file.after);
  const tests = linesOfSpans(file.after, spans);
  const added = new Set(addedLines(file));
  const placed = listPlaced(source, (line) => added.has(line) && !tests.has(line));
  const before = await listBefore(file);
  const isNew = ({ key, place }: PlacedValue): boolean =>
    !before.some((old) => old.key === key && old.place === place);
  const shown = placed.flatMap((value) => {
    // Only one of several words or limits that a loop compares with.
    if (value.among?.some((each) => !isCommonKey(each) && shownBy(each, input.shown) === undefined))
      return [];
    const test = shownBy(value.key, input.shown) ?? shownInPart(value, input.shown);
    return test === undefined || !isNew(value) || isReplaced(file, value) ? [] : [{ value, test }];
  });
  return shown.map(({ value, test }): Suspect => {
    const partner = shown.find(
      (other) =>
        value.branch !== undefined &&
        other.value.branch === value.branch &&
        other.value.place !== value.place,
    );
    const hasSiblings = decidesAlready(source, value, before);
    return { file, value, test, partner: partner?.value, hasSiblings };
  });
}

async function listBefore(file: ChangedFile): Promise<PlacedValue[]> {
  const source = await readSource(file.path, file.before);
  return source === undefined ? [] : listPlaced(source, () => true);
}

/** Returns the test that shows the value. A list counts if the tests contain its elements in any form. */
function shownBy(key: ValueKey, shown: ReadonlyMap<ValueKey, string>): string | undefined {
  for (const each of spelledKeys(key)) {
    const test = shown.get(each);
    if (test !== undefined) return test;
  }
  const parts = key.startsWith("l:") ? key.slice(2).split(/,(?=[ntl]:)/) : [];
  const known = parts.map((part) => shown.get(part.replace(/^(?:l:)+/, "")));
  const isOwn = parts.some((part) => !isCommonKey(part)) && known.every((test) => test !== undefined);
  return isOwn ? known[0] : undefined;
}

/**
 * Returns the test that shows the value as a piece of an input. Such a piece counts as the input if code compares with
 * it: `endswith("b = 2 # two")`.
 */
function shownInPart({ key, place }: PlacedValue, shown: ReadonlyMap<ValueKey, string>): string | undefined {
  const piece = key.slice(2);
  if (place !== "compared" || !key.startsWith("t:") || !isPieceOfInput(piece)) return undefined;
  for (const [each, test] of shown) if (each.startsWith("t:") && each.includes(piece)) return test;
  return undefined;
}

/** True if the base has the line with another literal: a corrected constant. */
export function isReplaced(file: ChangedFile, { line }: Pick<PlacedValue, "line">): boolean {
  const own = tokensOf(linesOf(file.after)[line - 1] ?? "");
  const old = linesOf(file.before);
  return removedLines(file).some((number) => {
    const tokens = tokensOf(old[number - 1] ?? "");
    const changed = own.flatMap((token, index) => (token === tokens[index] ? [] : [index]));
    const [at = 0] = changed;
    const isLiteral = (token = ""): boolean => /^["'`\d]/.test(token);
    return (
      tokens.length === own.length && changed.length === 1 && isLiteral(own[at]) && isLiteral(tokens[at])
    );
  });
}

function tokensOf(line: string): string[] {
  return line.match(/"[^"]*"|'[^']*'|`[^`]*`|\d[\w.]*|\w+|\S/g) ?? [];
}

const placedWithin = once(({ startLine, endLine }: SyntaxNode, source: Source) =>
  listPlaced(
    source,
    (line) => startLine <= line && line <= endLine,
    () => true,
  ),
);

/**
 * True if the base's code compares with a literal of the same kind. The two are in the same function and table or
 * chain.
 */
function decidesAlready(source: Source, value: PlacedValue, before: readonly PlacedValue[]): boolean {
  if (value.place !== "compared" || value.within === undefined) return false;
  const known = new Set(before.filter(({ place }) => place === "compared").map(({ key }) => key));
  return placedWithin(value.within, source).some(
    (other) =>
      other.place === "compared" &&
      other.key[0] === value.key[0] &&
      other.subject === value.subject &&
      known.has(other.key) &&
      !isCommonKey(other.key),
  );
}

async function weigh(
  { file, value, test, partner, hasSiblings }: Suspect,
  input: SpecialCaseInput,
  named: Named,
): Promise<Finding | undefined> {
  const { key, place } = value;
  if (isCommonKey(key)) return undefined;
  const isPair = partner !== undefined;
  // Judges a branch's result together with the values that the branch compares with.
  if (place === "returned" && partner !== undefined && !isCommonKey(partner.key)) return undefined;
  const isText = key.startsWith("t:");
  const isWord = isText && /\p{L}/u.test(key.slice(2));
  if (input.isFeature === true && (isWord || !isPair || place === "returned")) return undefined;
  // A returned string is a message or a name, unless it answers an input of the tests or replaces an error.
  if (isText && place === "returned" && !isPair && !value.isHandler) return undefined;
  // A field's name, not an input.
  if (isText && value.isEntry && !isPair) return undefined;
  if (isNamed(key, named.prose) && (hasSiblings || !isSample({ file, value, partner }, input, named)))
    return undefined;
  const isExample = isNamed(key, named.all);
  if (isExample && isText && (hasSiblings || !isPair)) return undefined;
  const isKnown = (isText || !isPair) && (await isInBase(input, value, isPair));
  if (isKnown && isExample) return undefined;
  if (await isBuiltFromBase({ file, value, partner }, input)) return undefined;
  const isField = isText && !isPair && place === "compared" && (await declaresName(file, key.slice(2)));
  const weight = isKnown || isField || (hasSiblings && (isText || !isPair)) ? "doubt" : "objection";
  const [where, names] = isExample
    ? ["which only the statement's example and", "name"]
    : ["which only", "names"];
  const other = partner === undefined ? "" : ` and ${tell(partner)}`;
  return {
    weight,
    text: `${file.path}:${value.line} ${tell(value)}${other}, ${where} the failing test ${test} ${names}${
      weight === "doubt" ? "" : " (a special case; if it is intended, the statement must say so)"
    }.`,
  };
}

/** True if prose names the number only as a sample of the fault. */
function isSample(
  { file, value, partner }: Pick<Suspect, "file" | "value" | "partner">,
  { statement }: Pick<SpecialCaseInput, "statement">,
  { prose }: Named,
): boolean {
  if (partner === undefined || !value.key.startsWith("n:") || !partner.key.startsWith("n:")) return false;
  const name = operandOf(file, value);
  const asked = { result: partner.key, isQuantity: isQuantity(file, value, name), name };
  return isOnlyExample(value.key, prose, statement, asked);
}

/** Returns the name that the code compares with the value. */
function operandOf({ after = "" }: ChangedFile, { subject, text, line }: PlacedValue): string {
  const equality = new RegExp(String.raw`([\w$.]+)\s*={2,3}\s*${literally(text)}(?![\w.])`);
  return subject === "" ? (equality.exec(linesOf(after)[line - 1] ?? "")?.[1] ?? "") : subject;
}

/** True if the function computes with the compared input, or compares it by order. */
function isQuantity({ after = "" }: ChangedFile, { isEntry, within }: PlacedValue, name: string): boolean {
  // A computed condition such as `6 < weight < 8` has no single operand.
  if (name === "") return !isEntry;
  const own = literally(name);
  return new RegExp(
    String.raw`(?<![\w.])${own}\s*(?:[-+*/%]|<=?|>=?)(?!=?[>=])|(?:[-+*/%]|[<>]=?)\s*${own}(?!\w)`,
  ).test(after.slice(within?.start ?? 0, within?.end));
}

/**
 * Judges a data file that maps the tests' inputs to their expected results. In an existing file, an added row is
 * normal.
 */
function weighTable(file: ChangedFile, { shown }: SpecialCaseInput, named: Named): Finding[] {
  return listTableRows(file).flatMap(({ line, key, value, text }): Finding[] => {
    const test = shownBy(key, shown);
    const isShown = test !== undefined && shownBy(value, shown) !== undefined;
    const isOwn = [key, value].some((each) => !isCommonKey(each) && !isNamed(each, named.all));
    if (!isShown || !isOwn) return [];
    return [
      {
        weight: file.before === undefined ? "objection" : "doubt",
        text: `${file.path}:${line} has \`${text}\`, a table row with values that only the failing test ${test} names.`,
      },
    ];
  });
}

function tell({ place, text }: PlacedValue): string {
  return `${place === "compared" ? "compares with" : "returns"} ${text}`;
}

/** Documents that list options and values. */
const document = /\.(?:md|rst|txt|adoc)$/;
/** Minimum characters of a string. Shorter strings occur in documents and code by chance. */
const longEnough = { document: 4, literal: 3 };

/**
 * True if the code branches on the value elsewhere. For a string without a partner, it is also enough that the code or
 * a document contains the string.
 */
async function isInBase(
  { base, regions }: SpecialCaseInput,
  { key, text: written }: PlacedValue,
  isPair: boolean,
): Promise<boolean> {
  const isText = key.startsWith("t:");
  const word = isText ? key.slice(2) : written;
  const isLoose = isText && !isPair;
  const isDocument = (path: string): boolean =>
    isLoose && word.length >= longEnough.document && document.test(path);
  const paths = (await base.list()).filter(
    (path) => !regions.isWhole(path) && (isSourceFile(path) || isDocument(path)),
  );
  for (const path of paths.slice(0, mostSearched)) {
    const text = await base.read(path);
    if (text?.includes(word) !== true) continue;
    const lines = linesOf(text);
    const isOnLine = (line: number): boolean => hasWord(lines[line - 1] ?? "", word);
    if (!lines.some((line) => hasWord(line, word))) continue;
    if (isDocument(path)) return true;
    const source = await readSource(path, text);
    if (source === undefined) continue;
    const tests = linesOfSpans(text, await regions.spansIn(path, text));
    const isCode = (line: number): boolean => isOnLine(line) && !tests.has(line);
    if (listPlaced(source, isCode).some((each) => each.key === key)) return true;
    const isAnywhere = isLoose && word.length >= longEnough.literal;
    if (isAnywhere && listShownKeys(source, isCode).includes(key)) return true;
  }
  return false;
}

function hasWord(line: string, word: string): boolean {
  const at = line.indexOf(word);
  return at >= 0 && !/[\w.]/.test(line[at - 1] ?? "") && !/\w/.test(line[at + word.length] ?? "");
}
