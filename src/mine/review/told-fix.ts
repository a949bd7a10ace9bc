/** Finds fixes that a statement tells in prose: where to change the code, and to what. Pure. */
import { literally } from "../../base/literal-pattern.ts";
import { partsOfStatement } from "../../graph/retrieval/statement-parts.ts";
import type { Split } from "../contract.ts";
import { changedLines, linesOfFiles } from "./patch-lines.ts";

type Told = Pick<Split, "goldPatch" | "codeFiles" | "testPatch" | "testFiles">;

/** Words of an instruction to a programmer, in contrast to those of a wish. */
const instructing =
  /\b(?:instead of|rather than|replac(?:e|ing)|swap(?:ping)?|chang(?:e|ing)|switch(?:ing)? (?:to|from)|wrap(?:ping)?|mov(?:e|ing)|insert(?:ing)?|remov(?:e|ing)|drop(?:ping)?|delet(?:e|ing)|guard(?:ing)?|is enough|suffices?|the (?:fix|solution|remedy|cure) (?:is|was)|fix(?:ed)? by)\b/i;
/** Reports also use these for what a program does: only a clause that begins with one instructs. */
const imperative =
  /(?:^|[,;:]\s+|\b(?:and|then|by|just)\s+)(?:us(?:e|ing)|call(?:ing)?|add(?:ing)?|skip(?:ping)?|check(?:ing)?|pars(?:e|ing)|read(?:ing)?|return(?:ing)?|pass(?:ing)?|set(?:ting)?|initiali[sz](?:e|ing)|extend(?:ing)?|compar(?:e|ing)|apply(?:ing)?)\b|\b(?:should|must|needs? to|ha(?:s|ve) to|could|can) (?:use|call|check|compare|apply|extend)\b/im;

function isInstruction(sentence: string): boolean {
  return instructing.test(sentence) || imperative.test(sentence);
}

/** Without code blocks, and outputs such as the frames of a traceback with their code lines. */
function proseOf(statement: string): string {
  const kinds = new Set(["title", "prose"]);
  const text = statement.replaceAll(/^\s*File "[^"\n]+", line \d+.*\n.*$/gm, "");
  const parts = partsOfStatement(text).filter(({ kind }) => kinds.has(kind));
  return parts.map((part) => part.text).join("\n");
}

/** Shares of the fix's own words that prose tells: with its place; with a second inner name; without any. */
const least = { told: 0.5, withInner: 0.3, names: 2 };

/**
 * Tells what part of the fix a statement describes; undefined if it describes none. A description names a place inside
 * the code, which no test uses, and says what to change there.
 */
export function findToldFix(statement: string, split: Told): string | undefined {
  const { added, removed } = changedLines(split.goldPatch, split.codeFiles);
  const code = [added, removed].map((lines) => lines.filter((line) => !isComment(line)).join("\n"));
  const [plus = "", minus = ""] = code;
  const tested = new Set(namesIn(changedTexts(split.testPatch)));
  const own = differingNames(plus, minus).filter((name) => !tested.has(name));
  const prose = proseOf(statement);
  const places = [...new Set(definedIn(changedTexts(split.goldPatch, split.codeFiles)))].filter(
    (name) => isCodeName(name) && !tested.has(name) && namedIn(prose, name),
  );
  const [place] = places;
  const sentences = prose.split(/(?<=[.!?:;])\s+|\n{2,}/);
  const parts = [...new Set(own.flatMap(wordsOf))].filter((word) => word.length > 2);
  if (place === undefined || parts.length === 0) return undefined;
  const instructions = sentences.filter(isInstruction).join(" ");
  const told = parts.filter((word) => tells(instructions, word));
  const share = told.length / parts.length;
  const isTold = share >= least.told || (places.length >= least.names && share >= least.withInner);
  if (instructions === "" || !isTold) return undefined;
  return `the statement tells where to change the code and how: ${[...places, ...told].slice(0, 5).join(", ")}`;
}

function isComment(line: string): boolean {
  return /^(?:#(?!\[)|\/\/|\*|\/\*|"""|''')/.test(line);
}

/** Changed lines, those around them, and what git shows of the function. */
function changedTexts(patch: string, files?: readonly string[]): string {
  const lines: string[] = [];
  for (const line of files === undefined ? patch.split("\n") : linesOfFiles(patch, files)) {
    if (/^(?:diff |index |\+\+\+ |--- )/.test(line)) continue;
    const text = line.replace(/^@@[^@]*@@/, "").replace(/^[-+ ]/, "");
    if (!isComment(text.trim())) lines.push(text);
  }
  return lines.join("\n");
}

function namesIn(code: string): string[] {
  return code.match(/[A-Za-z_$][\w$]*/g) ?? [];
}

/** Functions, and variables of functions: not what a user of the project calls or sets. */
const definition =
  /(?:\b(?:def|func|fn|function|const|let|var|class|struct)\s+(?:\([^)\n]*\)\s*)?(?:self\.)?|^[ \t]*(?=[\w$]+[ \t]*(?::=|=(?!=)))|^[ \t]*(?:public |private |protected |static |async )*(?=[\w$]+\([^)\n]*\)[ \t]*\{))([A-Za-z_$][\w$]*)/gm;

function definedIn(code: string): string[] {
  return [...code.matchAll(definition)].map(([, name = ""]) => name);
}

/** Names of code look different from words: `comparePrePart`, `read_all`, `_base`. */
function isCodeName(name: string): boolean {
  return name.length > 4 && /[a-z][A-Z]|\w_\w|^_|\d/.test(name);
}

function namedIn(statement: string, name: string): boolean {
  return new RegExp(String.raw`(?<![\w$])${literally(name)}(?![\w$])`).test(statement);
}

/** The names of one side only. */
function differingNames(plus: string, minus: string): string[] {
  const [after, before] = [namesIn(plus), namesIn(minus)];
  const [isAfter, isBefore] = [new Set(after), new Set(before)];
  return [...after.filter((name) => !isBefore.has(name)), ...before.filter((name) => !isAfter.has(name))];
}

/** Written by every author of this language. */
const common = new Set(
  "the and for not var let const def end else elif elsif then return func function self this new nil null none true false undefined case when err val value result".split(
    " ",
  ),
);

function wordsOf(name: string): string[] {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/);
  return words.filter((word) => !common.has(word));
}

/** Abbreviations of programmers. */
const long: Readonly<Record<string, readonly string[]>> = {
  uint: ["unsigned"],
  int: ["integer", "signed"],
  str: ["string", "text"],
  len: ["length"],
  bool: ["boolean"],
  idx: ["index"],
  regexp: ["regular expression", "regex", "pattern"],
  regex: ["regular expression", "pattern"],
  char: ["character"],
  args: ["arguments"],
  kwargs: ["keyword"],
  prev: ["previous"],
  cur: ["current"],
  curr: ["current"],
  num: ["number"],
  max: ["maximum", "largest"],
  min: ["minimum", "smallest"],
  dict: ["dictionary", "map"],
  isinstance: ["type", "instance"],
};

function tells(text: string, word: string): boolean {
  const stem = word.length > 5 ? word.replace(/(?:ing|ed|es|s)$/, "") : word;
  const plain = text.toLowerCase();
  return [stem, ...(long[word] ?? [])].some((one) => new RegExp(String.raw`\b${one}`).test(plain));
}
