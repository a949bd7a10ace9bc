/** Finds fixes that a statement describes in prose: the place to change, and the new code. Pure. */
import { literally } from "../../base/literal-pattern.ts";
import { partsOfStatement } from "../../graph/retrieval/statement-parts.ts";
import type { Split } from "../contract.ts";
import { changedLines, isComment, linesOfFiles } from "./patch-lines.ts";

type Told = Pick<Split, "goldPatch" | "codeFiles" | "testPatch" | "testFiles">;

/** Words of an instruction to a programmer. A wish uses other words. */
const instructing =
  /\b(?:instead of|in place of|rather than|replac(?:e|ing)|swap(?:ping)?|chang(?:e|ing)|switch(?:ing)? (?:to|from)|wrap(?:ping)?|mov(?:e|ing)|insert(?:ing)?|remov(?:e|ing)|drop(?:ping)?|delet(?:e|ing)|guard(?:ing)?|is enough|suffices?|the (?:fix|solution|remedy|cure) (?:is|was)|fix(?:ed)? by)\b/i;
/** Words that instruct only at the beginning of a clause. Reports also use them for the behaviour of a program. */
const imperative =
  /(?:^|[,;:]\s+|\b(?:and|then|by|just)\s+)(?:us(?:e|ing)|call(?:ing)?|add(?:ing)?|skip(?:ping)?|check(?:ing)?|pars(?:e|ing)|read(?:ing)?|return(?:ing)?|pass(?:ing)?|set(?:ting)?|initiali[sz](?:e|ing)|extend(?:ing)?|compar(?:e|ing)|apply(?:ing)?)\b|\b(?:should|must|needs? to|ha(?:s|ve) to|could|can) (?:use|call|check|compare|apply|extend)\b/im;

/** Forms of expressions that no user of a program mentions. */
const codeForms =
  /\b(?:class(?:es)?|groups?|patterns?|regular expressions?|regex(?:es|ps?)?|quantifiers?|operators?|comparisons?|conditions?|bounds?|constants?|literals?)\b/i;

function isInstruction(sentence: string): boolean {
  return instructing.test(sentence) || imperative.test(sentence);
}

/**
 * Returns the statement's prose: without code blocks, and without outputs such as a traceback's frames and code lines.
 */
function proseOf(statement: string): string {
  const kinds = new Set(["title", "prose"]);
  const text = statement.replaceAll(/^\s*File "[^"\n]+", line \d+.*\n.*$/gm, "");
  const parts = partsOfStatement(text).filter(({ kind }) => kinds.has(kind));
  return parts.map((part) => part.text).join("\n");
}

/**
 * Minimum shares of the fix's own words in the prose: with the fix's place; with a second inner name; without a name.
 */
const least = { told: 0.5, withInner: 0.3, names: 2 };

/**
 * Returns the part of the fix that a statement describes; undefined if none. A description names a place inside the
 * code that no test uses, and the change at this place.
 */
export function findToldFix(statement: string, split: Told): string | undefined {
  const { added, removed } = changedLines(split.goldPatch, split.codeFiles);
  const code = [added, removed].map((lines) => lines.filter((line) => !isComment(line)).join("\n"));
  const [plus = "", minus = ""] = code;
  const tested = new Set(readHunks(split.testPatch).flatMap(({ text }) => namesIn(text)));
  const own = differingNames(plus, minus).filter((name) => !tested.has(name));
  const prose = proseOf(statement);
  const hunks = readHunks(split.goldPatch, split.codeFiles);
  const siblings = untouchedBy(hunks);
  const isPlace = (name: string): boolean =>
    isCodeName(name) && !tested.has(name) && !siblings.has(name) && namedIn(prose, name);
  const placesIn = (text: string): string[] => definedIn(text).filter(isPlace);
  const places = [...new Set(hunks.flatMap(({ text }) => placesIn(text)))];
  const [place] = places;
  const sentences = prose.split(/(?<=[.!?:;])\s+|\n{2,}/).filter(isInstruction);
  const parts = [...new Set(own.flatMap(wordsOf))].filter((word) => word.length > 2);
  if (place === undefined || sentences.length === 0) return undefined;
  const tell = (words: readonly string[]): string =>
    `the statement describes the place and the change of the code: ${words.slice(0, 5).join(", ")}`;
  if (parts.length === 0) {
    // Only numbers, operators or patterns change: the fix has no words that could tell how.
    const isWhole = hunks.every(({ text }) => placesIn(text).length > 0);
    const isTold = sentences.some(
      (each) => codeForms.test(each) && places.some((name) => namedIn(each, name)),
    );
    return isWhole && isTold ? tell(places) : undefined;
  }
  const told = parts.filter((word) => tells(sentences.join(" "), word));
  const share = told.length / parts.length;
  const isTold = share >= least.told || (places.length >= least.names && share >= least.withInner);
  return isTold ? tell([...places, ...told]) : undefined;
}

interface HunkLine {
  /** The line's mark: " ", "+", "-", or "@" for git's function context. */
  readonly sign: string;
  readonly text: string;
}

interface Hunk {
  /** The hunk's lines, without comments and blank lines. */
  readonly lines: readonly HunkLine[];
  readonly text: string;
}

/** Reads the changed lines, the lines around them, and the function context that git shows. */
function readHunks(patch: string, files?: readonly string[]): Hunk[] {
  const hunks: HunkLine[][] = [];
  for (const line of files === undefined ? patch.split("\n") : linesOfFiles(patch, files)) {
    if (/^(?:diff |index |\+\+\+ |--- )/.test(line)) continue;
    if (line.startsWith("@@") || hunks.length === 0) hunks.push([]);
    const text = line.replace(/^@@[^@]*@@ ?/, "").replace(/^[-+ ]/, "");
    if (text.trim() === "" || isComment(text.trim())) continue;
    hunks.at(-1)?.push({ sign: line.slice(0, 1), text });
  }
  return hunks
    .filter((lines) => lines.some(({ sign }) => sign === "+" || sign === "-"))
    .map((lines) => ({ lines, text: lines.map(({ text }) => text).join("\n") }));
}

function namesIn(code: string): string[] {
  return code.match(/[A-Za-z_$][\w$]*/g) ?? [];
}

/** Matches the head of a function or type. */
const block =
  /^[ \t]*(?:[\w@]+(?:\([^)\n]*\))?[ \t]+)*(?:def|func|fn|function|class|struct)\s+(?:\([^)\n]*\)\s*)?(?:self\.)?([A-Za-z_$][\w$]*)|^[ \t]*(?:public |private |protected |static |async )*(?!(?:if|for|while|switch|catch|return)\b)([A-Za-z_$][\w$]*)\([^)\n]*\)[^;\n]*\{\s*$|^[ \t]*(?:export[ \t]+)?(?:const|let|var)[ \t]+([A-Za-z_$][\w$]*)[^=\n]*=[ \t]*(?:async[ \t]+)?(?:function\b|[\w$]+[ \t]*=>|\([^\n]*=>)/;
/** Matches lines that are indented like the head of their function, but do not end it. */
const withinBlock = /^\s*(?:[)\]{]|else\b|elif\b|elsif\b|except\b|finally\b|rescue\b|ensure\b|when\b|case\b)/;

/**
 * Returns functions and types that a patch shows but does not change, such as siblings of a new function. Includes new
 * public ones, because a statement may ask for them.
 */
function untouchedBy(hunks: readonly Hunk[]): ReadonlySet<string> {
  const [shown, old, changed] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { lines } of hunks) {
    let open: { name: string; margin: number }[] = [];
    for (const { sign, text } of lines) {
      const margin = text.search(/\S/);
      if (!withinBlock.test(text)) open = open.filter((each) => each.margin < margin);
      const [, ...names] = block.exec(text) ?? [];
      const name = names.find((each) => each !== undefined);
      if (name !== undefined) {
        open.push({ name, margin });
        shown.add(name);
        if (sign !== "+" || isPrivate(name, text)) old.add(name);
      }
      if (sign === "+" || sign === "-") for (const each of open) changed.add(each.name);
    }
  }
  return new Set([...shown].filter((name) => !old.has(name) || !changed.has(name)));
}

/**
 * True for a private name, judged only by its own line: `_read`, `fn read`, `function read` without `export`, `private
 * int read(`.
 */
function isPrivate(name: string, line: string): boolean {
  const hidden = /\bprivate\b|^(?:static|fn|function|async f\w+) |^func (?:\([^)]*\) )?[a-z]/;
  return name.startsWith("_") || hidden.test(line.trim());
}

/** Matches definitions of functions and of their variables. A user of the project does not call or set them. */
const definition =
  /(?:\b(?:def|func|fn|function|const|let|var|class|struct)\s+(?:\([^)\n]*\)\s*)?(?:self\.)?|^[ \t]*(?=[\w$]+[ \t]*(?::=|=(?!=)))|^[ \t]*(?:public |private |protected |static |async )*(?=[\w$]+\([^)\n]*\)[ \t]*\{))([A-Za-z_$][\w$]*)/gm;

function definedIn(code: string): string[] {
  return [...code.matchAll(definition)].map(([, name = ""]) => name);
}

/** True for names that do not look like words: `comparePrePart`, `read_all`, `_base`. */
function isCodeName(name: string): boolean {
  return name.length > 4 && /[a-z][A-Z]|\w_\w|^_|\d/.test(name);
}

function namedIn(statement: string, name: string): boolean {
  return new RegExp(String.raw`(?<![\w$])${literally(name)}(?![\w$])`).test(statement);
}

/** Returns the names that only one side has. */
function differingNames(plus: string, minus: string): string[] {
  const [after, before] = [namesIn(plus), namesIn(minus)];
  const [isAfter, isBefore] = [new Set(after), new Set(before)];
  return [...after.filter((name) => !isBefore.has(name)), ...before.filter((name) => !isAfter.has(name))];
}

/** Names that every author of this language writes. */
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

/** The long forms of programmers' abbreviations. */
const long: ReadonlyMap<string, readonly string[]> = new Map([
  ["uint", ["unsigned"]],
  ["int", ["integer", "signed"]],
  ["str", ["string", "text"]],
  ["len", ["length"]],
  ["bool", ["boolean"]],
  ["idx", ["index"]],
  ["regexp", ["regular expression", "regex", "pattern"]],
  ["regex", ["regular expression", "pattern"]],
  ["char", ["character"]],
  ["args", ["arguments"]],
  ["kwargs", ["keyword"]],
  ["prev", ["previous"]],
  ["cur", ["current"]],
  ["curr", ["current"]],
  ["num", ["number"]],
  ["max", ["maximum", "largest"]],
  ["min", ["minimum", "smallest"]],
  ["dict", ["dictionary", "map"]],
  ["isinstance", ["type", "instance"]],
]);

function tells(text: string, word: string): boolean {
  const stem = word.length > 5 ? word.replace(/(?:ing|ed|es|s)$/, "") : word;
  const plain = text.toLowerCase();
  return [stem, ...(long.get(word) ?? [])].some((one) => new RegExp(String.raw`\b${one}`).test(plain));
}
