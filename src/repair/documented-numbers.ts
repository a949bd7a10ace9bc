/**
 * Detects a changed number or bound that contradicts the documentation of its function. In that case the test may be
 * wrong, and not the code. Works on lines. Pure.
 */

interface ChangedLine {
  readonly before: string;
  readonly after: string;
}

const words =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(
    " ",
  );
const header =
  /^\s*(?:@?\w[\w<>[\], ]*\s+)?(?:def|func|fn|function|class|public|private|protected|static|export|const|let|int|void|double|long|bool|boolean|String)\b.*[({:]/;
const comment = /^\s*(?:#|\/\/|\/?\*)/;
const mostLines = 80;

/**
 * True if the change contradicts a number in the documentation, or the side to which the documentation puts a bound.
 * `at`: the offset of the change in the text.
 */
export function contradictsDocumentation(text: string, at: number, line: ChangedLine): boolean {
  const changed = changedNumber(line);
  const moved = changed === undefined ? movedBound(line) : undefined;
  if (changed === undefined && moved === undefined) return false;
  const told = documentationAbove(text, at);
  if (changed !== undefined) return names(told, changed.from) && !names(told, changed.to);
  if (moved === undefined) return false;
  const beside = `${told}\n${commentAbove(text, at)}`;
  const sides = new Set(spellingsOf(moved.bound, text).flatMap((bound) => toldSides(beside, bound)));
  return sides.size === 1 && sides.has(moved.from);
}

/** The side to which the bound itself belongs: `x <= 4` and `x > 4` put it on the side of smaller values. */
type Side = "less" | "more";

const comparison = /([\w$.)\]]+)\s*(<=|>=|<(?![<=])|(?<![<=>-])>(?![>=])|[!=]==?)\s*([\w$.]+)/g;
const plainBound = /^(?:\d+(?:\.\d+)?|[A-Z][A-Z\d_]*)$/;

/**
 * The bound (a number or a constant) that a change of one comparison moves to the other side. Undefined if the line
 * differs in anything else.
 */
function movedBound({ before, after }: ChangedLine): { bound: string; from: Side } | undefined {
  const [old, now] = [[...before.matchAll(comparison)], [...after.matchAll(comparison)]];
  const same = (match: RegExpExecArray | undefined): string => `${match?.[1]} ${match?.[3]}`;
  const at = old.flatMap((match, index) => (match[2] === now[index]?.[2] ? [] : [index]));
  const [first] = at;
  if (old.length !== now.length || at.length !== 1 || first === undefined) return undefined;
  const isSame = old.every((match, index) => same(match) === same(now[index]));
  if (!isSame || before.replaceAll(comparison, "") !== after.replaceAll(comparison, "")) return undefined;
  const [from, to] = [sideOf(old[first]), sideOf(now[first])];
  return from === undefined || from.side === to?.side ? undefined : { bound: from.bound, from: from.side };
}

function sideOf(match: RegExpExecArray | undefined): { bound: string; side: Side } | undefined {
  const [, left = "", sign = "", right = ""] = match ?? [];
  if (!/[<>]/.test(sign)) return undefined;
  const isLess = /^(?:<=|>)$/.test(sign);
  if (plainBound.test(right)) return { bound: right, side: isLess ? "less" : "more" };
  // `4 >= x` means `x <= 4`.
  return plainBound.test(left) ? { bound: left, side: isLess ? "more" : "less" } : undefined;
}

/** Possible forms in documentation: `4`, `four`, and the name of the constant. */
function spellingsOf(bound: string, text: string): string[] {
  const [, value] =
    new RegExp(`^[^\\n=]*\\b${bound}\\b[^\\n=]*=\\s*(\\d+(?:\\.\\d+)?)\\s*;?\\s*$`, "m").exec(text) ?? [];
  const number = Number(value ?? bound);
  const spelled = Number.isInteger(number) ? words[number] : undefined;
  return [bound, ...(value === undefined ? [] : [value]), ...(spelled === undefined ? [] : [spelled])];
}

const withLess = {
  before:
    /\b(?:at most|up to|(?:no|not) (?:more|longer|larger|greater|higher|later) than|(?:a )?maximum (?:of|is)|more than|over|above|exceed(?:s|ing)?|beyond|after|(?:larger|greater|longer|higher) than|between [\w.]+ and)$/i,
  after: /^(?:[^\S\n]+\w+)?\s+(?:or (?:fewer|less|smaller|below)|at most|at the most)\b/i,
};
const withMore = {
  before:
    /\b(?:at least|(?:no|not) (?:fewer|less|shorter|smaller|lower|earlier) than|(?:a )?minimum (?:of|is)|fewer than|less than|below|under|(?:smaller|shorter|lower) than|from|between)$/i,
  after: /^(?:[^\S\n]+\w+)?\s+(?:or (?:more|greater|larger|longer|above)|at least|at the least)\b/i,
};
function toldSides(told: string, bound: string): Side[] {
  const plain = told.replaceAll(/\s*\n\s*(?:#|\/\/|\*(?!\/))?\s*/g, " ").replaceAll("`", "");
  const found = plain.matchAll(new RegExp(`(?<![\\w.])${bound.replaceAll(".", "\\.")}(?!\\.?\\w)`, "gi"));
  return [...found].flatMap(({ 0: word, index }): Side[] => {
    const head = plain.slice(0, index).replace(/\s+(?:the\s+|its\s+)?$/, "");
    const tail = plain.slice(index + word.length);
    if (withMore.after.test(tail)) return ["more"];
    if (withLess.after.test(tail)) return ["less"];
    if (withLess.before.test(head)) return ["less"];
    return withMore.before.test(head) ? ["more"] : [];
  });
}

/** The only differing token, if it is a number before and after. Ignores 0 and 1, which most sentences contain. */
function changedNumber({ before, after }: ChangedLine): { from: number; to: number } | undefined {
  const [old, now] = [tokensOf(before), tokensOf(after)];
  const at = old.flatMap((token, index) => (token === now[index] ? [] : [index]));
  const [first] = at;
  if (old.length !== now.length || at.length !== 1 || first === undefined) return undefined;
  const [from, to] = [Number(old[first]), Number(now[first])];
  return Number.isNaN(from) || Number.isNaN(to) || Math.abs(from) < 2 ? undefined : { from, to };
}

function tokensOf(line: string): string[] {
  return line.match(/"[^"]*"|'[^']*'|`[^`]*`|\d[\w.]*|[A-Za-z_$][\w$]*|\S/g) ?? [];
}

/** The comment that ends on the line before the offset. */
function commentAbove(text: string, at: number): string {
  const lines = text.slice(0, at).split("\n").slice(0, -1);
  const code = lines.findLastIndex((line) => !comment.test(line));
  return lines.slice(code + 1).join("\n");
}

/** The comment above the enclosing function, and the text at the start of its body. */
function documentationAbove(text: string, at: number): string {
  const lines = text.split("\n");
  const own = text.slice(0, at).split("\n").length - 1;
  let start = own;
  while (start > Math.max(0, own - mostLines) && !header.test(lines[start] ?? "")) start -= 1;
  let above = start - 1;
  while (above >= 0 && (comment.test(lines[above] ?? "") || /^\s*@/.test(lines[above] ?? ""))) above -= 1;
  const inside = lines.slice(start + 1, own).join("\n");
  const [, documented = ""] = /^\s*[rR]?(?:"""|''')([\s\S]*?)(?:"""|''')/.exec(inside) ?? [];
  return [...lines.slice(above + 1, start), documented].join("\n");
}

function names(text: string, value: number): boolean {
  const spelled = [String(value), ...(Number.isInteger(value) && words[value] ? [words[value]] : [])];
  return spelled.some((each) =>
    new RegExp(`(?<![\\w.])${each.replaceAll(".", "\\.")}(?!\\.?\\w)`, "i").test(text),
  );
}
