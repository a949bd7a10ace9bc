/**
 * Finds patches that weaken the tested code, if the statement does not mention the change:
 * - a changed equality of a type
 * - a class that becomes a value
 * - only entries removed from a collection
 *
 * Pure except for the parser.
 */
import { type Definition, typeKinds } from "../../../domain/code-symbols.ts";
import { type CodeToken, readCodeTokens } from "../../../syntax/code-tokens.ts";
import { addedLines, type ChangedFile, linesOf, removedLines } from "../../code/change.ts";
import { symbolsOf } from "../../code/symbols-of.ts";
import type { Finding } from "../contract.ts";

const equality = /^(?:__eq__|__ne__|equals|eq|Equals?|eql\?|===?|operator\s*==)$/;
/** Go's `errors.Is` calls this method of an error. */
const errorEquality = /^Is$/;
const takesError = /\(\s*\w+\s+error\s*\)/;
const aboutErrors = /\b[Ee]rrors?\b|\bsentinel|\b[Ww]rap|\bIs\b/;
const aboutEquality =
  /\bequal|\bcompar|==|\bhash|\bdiffer|\bdistinct|\buniq|\bduplicat|\bidenti|\bmatch|\bsets?\b|\bkeys?\b|__eq__|\bPartialEq\b|\bEq\b|\bsort|\border/i;
const aboutType = /\balias|\bdeprecat|\brenam|\bremov|\bmerg|\btypes?\b/i;
const aboutEntries =
  /\bremov|\bdrop|\bdelet|\bno longer|\bobsolete|\bunused|\bduplicat|\bextra\b|\bexclud|\bomit|\bnot\b(?! give)|\bwithout\b|\bunsupported|\bleft ?over|\btwice|\bwrongly|\bdisallow|\bforbid|\breject|\bvalid|\binvalid|\baccept|\ballow|\binclud|\blist|\bcontain|\btreat|\bconsider|\brecogni|\bsupport|\bdisabl|\btoo many|\bunnecessar/i;

/**
 * Objects to a patch that weakens code, for example by a changed equality. `subjects`: the part of the statement that
 * contains the request.
 */
export async function judgeWeakened(files: readonly ChangedFile[], subjects: string): Promise<Finding[]> {
  const code = files.filter(({ isTest }) => !isTest);
  const told: string[] = [];
  for (const file of code) {
    const owner = aboutEquality.test(subjects)
      ? undefined
      : await findEquality(file, !aboutErrors.test(subjects));
    if (owner !== undefined)
      told.push(`${file.path} changes the equality of \`${owner}\`, which the statement does not mention.`);
    const type = aboutType.test(subjects) ? undefined : findLostClass(file);
    if (type !== undefined) told.push(`${file.path} replaces the class \`${type}\` with a value.`);
  }
  if (!aboutEntries.test(subjects) && onlyDropsEntries(code))
    told.push("The patch only removes entries from a collection, which the statement does not ask for.");
  return told.map((text) => ({ weight: "objection", text }));
}

/** Returns the name of a base type with a new or changed equality; undefined if none. */
async function findEquality(file: ChangedFile, ofErrors: boolean): Promise<string | undefined> {
  const { path, before, after } = file;
  if (before === undefined || after === undefined) return undefined;
  const lines = linesOf(after);
  const excluded = addedLines(file).find((line) =>
    /\b(?:compare|eq)\s*=\s*False\b/.test(lines[line - 1] ?? ""),
  );
  const looks = /__eq__|__ne__|\bequals\b|\beq\b|\beql\?|\bdef\s+==|operator\s*==|\)\s*(?:Equals?|Is)\(/;
  if (excluded === undefined && !looks.test(after)) return undefined;
  const [old, now] = [await symbolsOf(path, before), await symbolsOf(path, after)];
  const types = (old?.definitions ?? []).filter(({ kind }) => isType(kind)).map(({ name }) => name);
  if (excluded !== undefined) {
    const around = now?.definitions.findLast(
      ({ kind, startLine, endLine }) => isType(kind) && startLine <= excluded && excluded <= endLine,
    );
    return around !== undefined && types.includes(around.name) ? around.name : undefined;
  }
  const equalities = async (text: string, definitions: readonly Definition[]): Promise<Map<string, string>> =>
    equalitiesOf(definitions, await readCodeTokens(path, text), ({ name, startLine }) => {
      const isOfError = errorEquality.test(name) && takesError.test(linesOf(text)[startLine - 1] ?? "");
      return equality.test(name) || (ofErrors && path.endsWith(".go") && isOfError);
    });
  const known = await equalities(before, old?.definitions ?? []);
  const own = await equalities(after, now?.definitions ?? []);
  const changed = [...own].find(([owner, text]) => types.includes(owner) && known.get(owner) !== text);
  return changed?.[0];
}

const isType = (kind: string): boolean => typeKinds.some((each) => each === kind);

/** Maps each type to the code of its equality, without types and parameters. */
function equalitiesOf(
  definitions: readonly Definition[],
  tokens: readonly CodeToken[],
  isEquality: (definition: Definition) => boolean,
): Map<string, string> {
  const found = new Map<string, string>();
  for (const definition of definitions) {
    const { container, owner, startLine, endLine } = definition;
    const type = owner ?? definitions[container]?.name;
    if (!isEquality(definition) || type === undefined) continue;
    const own = tokens.filter(({ line, isHead }) => !isHead && startLine <= line && line <= endLine);
    found.set(type, `${found.get(type) ?? ""}\n${own.map(({ text }) => text).join(" ")}`);
  }
  return found;
}

/**
 * Finds a class that a patch replaces with a value. `SettingsError = (ValueError, KeyError)` then also accepts other
 * errors.
 */
function findLostClass({ before = "", after = "" }: ChangedFile): string | undefined {
  const classes = [...before.matchAll(/^(?:export\s+(?:default\s+)?)?class\s+([A-Z]\w*)/gm)].map(
    ([, name = ""]) => name,
  );
  return classes.find(
    (name) =>
      !new RegExp(`\\bclass\\s+${name}\\b`).test(after) &&
      new RegExp(`^(?:export\\s+)?(?:const\\s+|let\\s+|var\\s+)?${name}\\s*=(?!=)`, "m").test(after),
  );
}

/** True if the patch only removes entries from a collection. Tests that iterate over it then omit the failing entry. */
function onlyDropsEntries(files: readonly ChangedFile[]): boolean {
  const removed = files.flatMap((file) => {
    const lines = linesOf(file.before);
    return removedLines(file).map((line) => (lines[line - 1] ?? "").trim());
  });
  const dropped = removed.filter((line) => line !== "" && !/^(?:#|\/\/|\*|\/\*)/.test(line));
  const isChanged = files.some((file) => addedLines(file).length > 0);
  return !isChanged && dropped.length > 0 && dropped.every((line) => /^[\w"'`([{:-].*,$/.test(line));
}
