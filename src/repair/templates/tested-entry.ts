import { namedChildren } from "../../syntax/node.ts";
import { binaryOf, roleOf } from "../../syntax/reading.ts";
import { decidingRoles, decisionAt, operandsOf } from "../conditions.ts";
import { defineTemplate, type Edit, type Site, textAt } from "../template.ts";

export default defineTemplate({
  name: "tested-entry",
  description:
    "Adds a word of the failing test to a list, a table, the labels of a case or compared texts, if it has the form of the other entries.",
  source: "A missing entry: values of the failing test as ingredients (ACS: Xiong et al., ICSE 2017)",
  prior: 0.4,
  at: ["collection", "string", "statement", ...decidingRoles],
  *apply(site): Generator<Edit> {
    if (site.role === "collection") yield* moreEntries(site);
    else if (site.role === "string") yield* moreAlternatives(site);
    else if (site.node === site.statement.node && site.role === "statement") yield* moreLabels(site);
    else yield* moreComparisons(site);
  },
});

/** Maximum number of words for one place. */
const mostWords = 5;

/** Entries of a list of texts, and pairs that repeat their key: `'level' => $record['level']`. */
function* moreEntries(site: Site): Generator<Edit> {
  const { source, node } = site;
  const entries = namedChildren(node).filter((child) => roleOf(source, child) !== "comment");
  const [previous, last] = entries.slice(-2);
  if (previous === undefined || last === undefined) return;
  const written = entries.map((entry) => textAt(site, entry));
  const between = source.tree.text.slice(previous.end, last.start);
  const models = written.map(keyOf);
  if (models.some((model) => model === undefined)) return;
  const keys = models.flatMap((model) => model ?? []);
  const isSorted = keys.length > 2 && keys.every((key, at) => at === 0 || (keys[at - 1] ?? "") <= key);
  for (const { word, weight } of newWords(site, keys)) {
    const entry = (written.at(-1) ?? "").replaceAll(keys.at(-1) ?? "", () => word);
    const next = isSorted ? entries[keys.findIndex((key) => key > word)] : undefined;
    if (next === undefined) yield { start: last.end, end: last.end, replacement: between + entry, weight };
    else yield { start: next.start, end: next.start, replacement: entry + between, weight };
  }
}

const literal = /^(?:\w?(["'`]))((?:\\.|[^\\])*?)\1$/;
const pair = /^(["'`]?)([\w.-]+)\1\s*(?::|=>)\s*(.+)$/s;

/** The text of a literal or word; the key of a pair whose value repeats it. */
function keyOf(entry: string): string | undefined {
  const [, , inner] = literal.exec(entry) ?? [];
  if (inner !== undefined) return inner;
  if (/^[\w-]+$/.test(entry)) return undefined;
  const [, , key, value] = pair.exec(entry) ?? [];
  return key !== undefined && value?.includes(key) === true ? key : undefined;
}

/** `(?:get|head)` in a regular expression. */
function* moreAlternatives(site: Site): Generator<Edit> {
  const written = textAt(site);
  for (const found of written.matchAll(/(?<=[(:`"'/])(?:[\w-]{2,}\|)+[\w-]{2,}(?=[)`"'/])/g)) {
    const end = site.node.start + found.index + found[0].length;
    for (const { word, weight } of newWords(site, found[0].split("|")))
      yield { start: end, end, replacement: `|${word}`, weight };
  }
}

const oneLiteral = String.raw`b?(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')`;
const labels = new RegExp(
  String.raw`^(case\s+|(?=["'b]))(${oneLiteral}(?:\s*[,|]\s*${oneLiteral})*)\s*(?::|->|=>)`,
);
const label = new RegExp(String.raw`\bcase\s+${oneLiteral}\s*:\s*$`);

/** `case 'a', 'b':`, `case 'a': case 'b':`, `b'a' | b'b' =>`. */
function* moreLabels(site: Site): Generator<Edit> {
  const { source, node } = site;
  const [, start, list] = labels.exec(textAt(site)) ?? [];
  if (start === undefined || list === undefined) return;
  const entries = [...list.matchAll(new RegExp(oneLiteral, "g"))];
  const [previous, last] = entries.slice(-2);
  const before = source.tree.text.slice(Math.max(0, node.start - 200), node.start);
  const shape = last?.[0] ?? previous?.[0] ?? "";
  const keys = entries.map(([text]) => text.slice(text.startsWith("b") ? 2 : 1, -1));
  for (const { word, weight } of newWords(site, keys)) {
    const text = shape.replace(keys.at(-1) ?? "", () => escaped(word, shape));
    if (previous !== undefined && last !== undefined) {
      const end = node.start + start.length + list.length;
      const between = list.slice(previous.index + previous[0].length, last.index);
      yield { start: end, end, replacement: between + text, weight };
    } else if (label.test(before)) {
      const [indent] = /\s*$/.exec(before) ?? [""];
      yield { start: node.start, end: node.start, replacement: `case ${text}:${indent}`, weight };
    }
  }
}

/** `a == "b" || a == "c"`. */
function* moreComparisons(site: Site): Generator<Edit> {
  const condition = decisionAt(site);
  if (condition === undefined) return;
  const { source } = site;
  const { or, and } = source.dialect.operators;
  const compared = operandsOf(source, condition).flatMap((operand) => {
    const binary = binaryOf(source, operand);
    const value = binary === undefined ? undefined : keyOf(textAt(site, binary.right));
    const isEquality = binary !== undefined && /^[=!]==?$/.test(binary.sign);
    return isEquality && value !== undefined ? [{ operand, binary, value }] : [];
  });
  const alike = Map.groupBy(compared, ({ binary }) => `${textAt(site, binary.left)} ${binary.sign}`);
  for (const group of alike.values()) {
    const last = group.at(-1);
    if (group.length < 2 || last === undefined) continue;
    for (const { word, weight } of newWords(
      site,
      group.map(({ value }) => value),
    )) {
      const text = textAt(site, last.operand).replace(textAt(site, last.binary.right), (right) =>
        right.replace(last.value, () => escaped(word, right)),
      );
      const operator = last.binary.sign.startsWith("!") ? and : or;
      yield { start: last.operand.end, end: last.operand.end, replacement: ` ${operator} ${text}`, weight };
    }
  }
}

function escaped(word: string, quotedLike: string): string {
  return word === "\\" || word === quotedLike.at(-1) ? `\\${word}` : word;
}

/**
 * Words of the failing tests in the form of the entries, likeliest first: whole literals before names, and words that
 * are new to the file before others.
 */
function newWords(site: Site, entries: readonly string[]): { word: string; weight: number }[] {
  const { words, frequency, source } = site.context;
  const forms = new Set(entries.map(formOf));
  const known = new Set(entries);
  const weighed = new Map<string, number>();
  const add = (word: string, weight: number): void => {
    if (known.has(word) || weighed.has(word) || !forms.has(formOf(word))) return;
    if (source.dialect.keywords.includes(word)) return;
    const isNew = !frequency.has(word) && !source.tree.text.includes(word);
    weighed.set(word, weight * (isNew ? 1 : 0.5));
  };
  for (const word of words.literals) add(word, 1);
  for (const word of words.marks) add(word, 0.7);
  for (const word of words.names) add(word, 0.5);
  return [...weighed]
    .map(([word, weight]) => ({ word, weight }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, mostWords);
}

/** The form of a word: letters in lower and upper case, digits, other characters. `reverse_name` is like `my_own_name`. */
function formOf(word: string): string {
  return word
    .replaceAll(/[a-z]+/g, "a")
    .replaceAll(/[A-Z]+/g, "A")
    .replaceAll(/\d+/g, "0")
    .replaceAll(/[^\w\s]/g, ".")
    .replaceAll(/((?:[_.]a)|(?:Aa)|(?:[_.]A))\1+/g, "$1");
}
