/** Checks whether a statement contains the fix: its lines, or its description. */
import { countOf } from "../../base/count.ts";
import { squeeze } from "../../edit/text-lines.ts";
import type { Change, Finding, Split } from "../contract.ts";
import { jaccard } from "./jaccard.ts";
import { changedLines } from "./patch-lines.ts";
import { findToldFix } from "./told-fix.ts";

/** Minimum number of characters of a telling line. Many texts contain shorter lines (`return null;`). */
const leastCharacters = 16;
/**
 * Minimum number of characters if all lines of a fix are shorter than `leastCharacters`. Then a line counts only as a
 * whole line of the statement.
 */
const leastOfWhole = 8;
const mostShare = 0.3;

export function judgeLeakage(change: Change, split: Split): Finding {
  const { statement } = change;
  const { goldPatch, codeFiles } = split;
  const { added } = changedLines(goldPatch, codeFiles);
  const long = added.filter((line) => line.length >= leastCharacters);
  const lines = long.length > 0 ? long : added.filter((line) => line.length >= leastOfWhole);
  const told = squeeze(statement);
  const whole = new Set(statement.split("\n").map(squeeze));
  const known = new Set(linesBefore(goldPatch));
  const near = longSpans(statement).filter((span) => !known.has(span.trim()));
  const leaked = lines.filter((line) => {
    const plain = squeeze(line);
    return (long.length > 0 ? told.includes(plain) : whole.has(plain)) || isNear(line, near, known);
  });
  const share = lines.length === 0 ? 0 : leaked.length / lines.length;
  const [first] = leaked;
  const prose = share >= mostShare ? undefined : findToldFix(statement, split);
  if (prose !== undefined) return { check: "leakage", score: 0, isBad: true, reason: prose };
  return {
    check: "leakage",
    score: 1 - share,
    isBad: share >= mostShare,
    reason:
      first === undefined
        ? "the statement contains no distinctive line of the fix"
        : `the statement contains ${leaked.length} of ${countOf(lines.length, "distinctive line")} of the fix: ${squeeze(first).slice(0, 100)}`,
  };
}

/** Returns the code of the base that a patch shows. */
function linesBefore(patch: string): string[] {
  return patch.split("\n").flatMap((line) => (/^[- ](?!-- )/.test(line) ? [line.slice(1).trim()] : []));
}

const leastTokens = 6;
const leastNear = 0.8;

/** Returns the lines and the quoted code of a statement. */
function longSpans(statement: string): string[] {
  const quoted = [...statement.matchAll(/`+([^`]+)`+/g)].map(([, code = ""]) => code);
  return [...statement.split("\n"), ...quoted].filter((span) => tokensOf(span).length >= leastTokens);
}

/**
 * True if a line almost equals a span of the statement, for example with another name. False if a line of the base is
 * closer to the span.
 */
function isNear(line: string, spans: readonly string[], known: ReadonlySet<string>): boolean {
  const tokens = tokensOf(line);
  if (tokens.length < leastTokens || spans.length === 0) return false;
  const best = Math.max(...spans.map((span) => likeness(tokens, tokensOf(span))));
  if (best < leastNear) return false;
  return ![...known].some((other) => likeness(tokens, tokensOf(other)) >= best);
}

function tokensOf(code: string): string[] {
  return code.match(/\w+|[^\w\s]/g) ?? [];
}

/** Computes the similarity of two lists; 0 if their lengths differ too much to reach `leastNear`. */
function likeness(one: readonly string[], other: readonly string[]): number {
  const isFar = Math.min(one.length, other.length) < leastNear * Math.max(one.length, other.length);
  return isFar ? 0 : jaccard(one, other);
}
