/** Chooses among patches that pass every test: the tests cannot distinguish them, but their form can. */
import { contradictsDocumentation } from "./documented-numbers.ts";
import { changedLength, identifiersIn } from "./likeness.ts";
import type { Proposal } from "./proposal.ts";
import { linesOfChange, type TextChange } from "./syntax-check.ts";

export interface PlausiblePatch {
  readonly proposal: Proposal;
  /** The file's text before the change. */
  readonly text: string;
}

export interface RankedPatch {
  readonly patch: PlausiblePatch;
  /** The patch's score, from 0 to 1. Scores are comparable only between patches for the same fault. */
  readonly score: number;
  /** Objections for people; empty for a patch without any. */
  readonly doubts: readonly string[];
  /** True if the patch deletes or neutralises code. Choose it only if no other patch passes. */
  readonly isLastResort: boolean;
}

interface Doubt {
  readonly says: string;
  /** A factor for the score. */
  readonly factor: number;
  /**
   * True for a sign that a tenth of real fixes also have. The sign then affects only the ranking of patches.
   */
  readonly common?: boolean;
  /** `line`: the whole line where the change begins. */
  readonly applies: (before: string, after: string, line: { before: string; after: string }) => boolean;
}

/**
 * Signs of a patch that fits the tests rather than the specification. Sources: Qi et al. (ISSTA 2015) on patches that
 * only remove functionality; Xiong et al. (ICSE 2018) and Tan et al. (FSE 2016) on forms that are mostly wrong.
 */
const doubts: readonly Doubt[] = [
  {
    says: "removes code without a replacement",
    factor: 0.5,
    applies: (before, after) => /^\s*(pass)?;?\s*$/.test(after) && before.trim() !== "",
  },
  {
    says: "makes a condition constant",
    factor: 0.4,
    applies: (before, after) =>
      /^(true|false)$/i.test(after.trim()) && !/^(true|false)$/i.test(before.trim()) && before.trim() !== "",
  },
  {
    says: "hides an error",
    factor: 0.25,
    applies: (before, after) => errors.test(before) && !errors.test(after) && !returnsWhole(before, after),
  },
  {
    says: "compares a value with itself",
    factor: 0.15,
    applies: (_, __, line) => selfComparison.test(line.after) && !selfComparison.test(line.before),
  },
  {
    says: "assigns a variable to itself",
    factor: 0.15,
    applies: (_, __, line) => selfAssignment.test(line.after) && !selfAssignment.test(line.before),
  },
  {
    says: "moves a loop's counter away from its bound",
    factor: 0.15,
    applies: (_, __, line) => runsAway(line.after) && !runsAway(line.before),
  },
  {
    says: "leaves the variable of a loop or function unused",
    factor: 0.3,
    applies: (_, __, line) => boundIn(line.before).some((name) => isLeftUnused(name, line)),
  },
  {
    says: "uses a whole value instead of a part of it",
    factor: 0.4,
    applies: (before, after, line) => isWholeForPart(before, after) && handsOn.test(line.after),
  },
  {
    says: "always exits early",
    factor: 0.4,
    applies: (before, after) => startsWithJump.test(after) && countOf(jumps, before) === 0,
  },
  {
    says: "replaces a literal with a variable or expression",
    factor: 0.4,
    applies: (before, after) => isUnlikeSwap(before, after) || isUnlikeSwap(after, before),
  },
  {
    says: "leaves early",
    factor: 0.6,
    applies: (before, after) => countOf(jumps, after) > countOf(jumps, before),
  },
  {
    says: "compares with one particular value",
    factor: 0.5,
    common: true,
    applies: (before, after) => countOf(literalTests, after) > countOf(literalTests, before),
  },
  {
    says: "adds a constant",
    factor: 0.8,
    applies: (before, after) => newLiterals(before, after) > 0,
  },
  {
    says: "drops a computed value",
    factor: 0.85,
    applies: (before, after) => after.length < before.length / 2 && identifiersIn(before).length > 1,
  },
];

/** `left = left;`, without effect in every language. */
const selfAssignment = /^\s*(\$?[A-Za-z_][\w.]*)\s*=\s*\1\s*;?\s*$/;

/** The comparison and the step of a loop with three clauses: `i >= 0; i++` never reaches its bound. */
const loopHeader =
  /\bfor\b[^;{]*;\s*(\$?\w+)\s*([<>])=?[^;=]*;\s*(?:\1\s*([-+])(?:\3|=)|([-+])\4\s*\1(?!\w))/;

function runsAway(line: string): boolean {
  const [, , comparison, after, before] = loopHeader.exec(line) ?? [];
  const step = after ?? before;
  return (comparison === "<" && step === "-") || (comparison === ">" && step === "+");
}

/** Names that an expression binds: `x` in `f(x) for x in xs`, `lambda x: f(x)`, `x => f(x)`, `|x| f(x)`. */
function boundIn(line: string): string[] {
  const binders = line.matchAll(/\bfor\s+(\w+)\s+in\b|\blambda\s+(\w+):|(?<![\w.])(\w+)\s*=>|\|(\w+)\|/g);
  return [...binders].flatMap(([, ...names]) => names.filter((name) => name !== undefined));
}

function isLeftUnused(name: string, line: { before: string; after: string }): boolean {
  const uses = new RegExp(`\\b${name}\\b`, "g");
  return countOf(uses, line.before) > 1 && countOf(uses, line.after) === 1;
}

const jumps = /\b(return|break|continue)\b/g;
const startsWithJump = /^\s*(?:return|break|continue)\b/;
/** Words that report a failure in any language. */
const errors = /\b(?:err|error|raise|throw|Err)\b/;

/** True if the new text returns the result of the call that gave the error: `return copy(w, r)` passes it on. */
function returnsWhole(before: string, after: string): boolean {
  const calls = [...before.matchAll(/\berr(?:or)?\s*:?=\s*(\S.*\))\s*;?\s*$/gm)].map(([, call = ""]) => call);
  return calls.length > 0 && calls.every((call) => after.includes(`return ${call}`));
}

/** `a[i] != a[i]`, without further operands on either side. */
const selfComparison =
  /(?<![\w.)\]]|[-+*/%] ?)([A-Za-z_][\w.]*(?:\[[^\]]*\])?) (?:[=!]==?|[<>]=?|is|is not) \1(?![\w.([]| ?[-+*/%])/;
/** A line that returns or assigns a name without a computation. */
const handsOn =
  /^\s*(?:return\s+|(?:(?:let|const|var|final|auto)\s+)?[A-Za-z_][\w.]*\s*:?=\s*)[A-Za-z_][\w.]*\s*;?\s*(?:#.*|\/\/.*)?$/;
const slice = /^(?:\[[^\]]*:[^\]]*\]|\[[^\]]*\.\.[^\]]*\]|\.(?:slice|substring|subList)\([^)]*\))$/;

/**
 * True for `word` in place of `word[:-1]`. The patch removes the computation, and a test with a single input may accept
 * that.
 */
function isWholeForPart(before: string, after: string): boolean {
  return after !== "" && before.startsWith(after) && slice.test(before.slice(after.length).trim());
}

/** Arguments that begin with a literal, followed by another argument. */
const literalFirst = /^\s*("[^"]*"|'[^']*'|`[^`]*`|\d+(?:\.\d+)?)(\s*,\s*)(\S.*?)\s*$/s;
const literalTests = /[=!]=+\s*(-?\d+|["'`])/g;
const literals = /"[^"]*"|'[^']*'|\b\d+(?:\.\d+)?\b/g;

/**
 * True if the patch swaps a literal with another argument. Programmers seldom swap such arguments by mistake, and a
 * callee with the wrong kind often does nothing.
 */
function isUnlikeSwap(before: string, after: string): boolean {
  const [, literal, between, other] = literalFirst.exec(before) ?? [];
  if (literal === undefined || other === undefined || literalFirst.test(`${other}, 0`)) return false;
  return after.trim() === `${other}${between}${literal}`;
}

function countOf(pattern: RegExp, code: string): number {
  return code.match(pattern)?.length ?? 0;
}

function newLiterals(before: string, after: string): number {
  const had = new Set(before.match(literals) ?? []);
  // Most programs contain 0 and 1.
  return (after.match(literals) ?? []).filter((literal) => !had.has(literal) && !/^[01]$/.test(literal))
    .length;
}

/**
 * Ranks patches. Prefers patches that are small, similar to the code around them, and not special-cased. Orders patches
 * with equal scores by their place in the text. Patches that delete or neutralise code come last.
 */
export function rankPlausible(patches: readonly PlausiblePatch[]): RankedPatch[] {
  return patches
    .map((patch): RankedPatch => {
      const { proposal, text } = patch;
      const change = proposal.one ?? proposal;
      const before = text.slice(change.start, change.end);
      const line = linesOfChange(text, change);
      const against = doubts.filter((doubt) => doubt.applies(before, change.replacement, line));
      const size = 1 / (1 + changedLength(before, change.replacement) / 40);
      const form = against.reduce((factor, doubt) => factor * doubt.factor, 1);
      const score = proposal.likeness * Math.sqrt(proposal.prior) * size * form;
      return {
        patch,
        score,
        doubts: against.map((doubt) => doubt.says),
        isLastResort: against.some(isStrong),
      };
    })
    .sort(
      (a, b) =>
        Number(a.isLastResort) - Number(b.isLastResort) ||
        b.score - a.score ||
        inOrder(a.patch.proposal, b.patch.proposal),
    );
}

/** A doubt is strong if its factor is at most this. */
const strong = 0.5;

function isStrong({ factor, common = false }: Doubt): boolean {
  return factor <= strong && !common;
}

/**
 * Lists strong objections to a change by its form alone. Only one of 107 real fixes has such an objection. This count
 * excludes `uses a whole value instead of a part of it`.
 */
export function listStrongDoubts(text: string, change: TextChange): string[] {
  const before = text.slice(change.start, change.end);
  const line = linesOfChange(text, change);
  const found = doubts
    .filter((doubt) => isStrong(doubt) && doubt.applies(before, change.replacement, line))
    .map(({ says }) => says);
  if (returnsArgument(text, change.start, line)) found.push("returns an argument instead of a result");
  if (contradictsDocumentation(text, change.start, line))
    found.push("changes a number that the documentation names");
  if (belowZero.test(line.after) && !belowZero.test(line.before))
    found.push("tests for a length below zero, which is impossible");
  if (
    line.after !== line.before &&
    lengths.some((length) => line.before.replace(length, "$1") === line.after)
  )
    found.push("compares a whole value instead of its length");
  return found;
}

const returned = /^\s*return\s+(\$?\w+)\s*;?\s*$/;

/**
 * True if the patch returns a parameter instead of a variable. The function starts this variable with a new collection
 * or number, so it is probably the result.
 */
function returnsArgument(text: string, start: number, line: { before: string; after: string }): boolean {
  const [, before] = returned.exec(line.before) ?? [];
  const [, after] = returned.exec(line.after) ?? [];
  if (before === undefined || after === undefined || before === after) return false;
  const above = text.slice(0, start);
  const name = (word: string): string => `(?<![\\w$.])${word.replace("$", "\\$")}(?!\\w)`;
  const head = "(?<!\\b(?:if|while|for|foreach|switch|catch|with)\\s*)";
  const headers = [
    ...above.matchAll(new RegExp(`${head}\\([^()=]*${name(after)}[^()=]*\\)[^;\\n]*[{:]\\s*$`, "gm")),
  ];
  const header = headers.at(-1);
  if (header === undefined) return false;
  const made = new RegExp(`${name(before)}[^=\\n]*:?=\\s*(?:new\\b|[\\[{]|\\w*\\(\\)|make\\(|\\d)`);
  return made.test(above.slice(header.index));
}

const lengths = [
  /\blen\(([^()]*)\)(?=\s*[=!<>]=?\s*\d)/,
  /\b([\w$]+)\.(?:length|(?:size|len|count)\(\))(?=\s*[=!<>]=?=?\s*\d)/,
];

/** Comparisons of a length with a number below 0. They are always true or always false, like a constant condition. */
const belowZero =
  /(?:\blen\([^()]*\)|\.(?:length|(?:size|len|count)\(\)))\s*(?:(?:[=!]==?|[<>]=?)\s*-\s*\d|(?:<|>=)\s*0(?![\w.]))/;

function inOrder(a: Proposal, b: Proposal): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.start - b.start || (a.replacement < b.replacement ? -1 : 1);
}
