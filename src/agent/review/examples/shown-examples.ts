/**
 * Reads examples of a call and its result, which Millwright can run: `>>> fee(7)` followed by 15, `fee(7) // => 15`,
 * "`fee(7)` returns 15". Takes only calls with literal arguments and literal results. Omits calls that depend on an
 * earlier line. Pure.
 */

import { ofForm, ordering, replacing, showing } from "../statement/stated-results.ts";
import {
  isSameValue,
  type Literal,
  type LiteralCall,
  listLiteralCalls,
  readLiteral,
} from "../texts/literal-values.ts";

export interface ShownExample {
  readonly call: LiteralCall;
  readonly wanted: Literal;
  /** True if the example shows the printed result, which hides its type. */
  readonly isPrinted: boolean;
  /** True if the statement says that the current result differs. */
  readonly isChanged: boolean;
}

/** Words before a result in documentation and code: `===`, `# =>`, "returns". */
const shown = new RegExp(
  String.raw`^[\`)}\s;]*?(?:${showing}|evaluates to\s*|(?:\/\/|#)\s*(?:=>|->|→|==?|returns|prints|outputs)?:?\s*)\`?`,
);
const expected =
  /^[`)\s;]*(?:#|\/\/|--)\s*(?:expected|expect|should (?:be|return|give|print)|want(?:ed)?|correct)\b[:\s]*`?/i;
const isDoctest = /^\s*(?:\*\s*)?>>>\s*(?:print\()?$/;
const isPrinting = /(?:\bprint|\bconsole\.log|\bputs|\bp|\bprintln!?|\becho|\bPrintln)[ (]\s*$/;
/** Text that may follow a result. Before other text, the literal is only the beginning of the result. */
const endOfResult =
  /^[`'")\]*]*(?:\s*$|\s*[.,;:!?)—–](?!\d)|\s*(?:\n|\/\/|#|\*\/)|\s+(?:and|but|not|instead|rather|because|as|since|while it)\b)/;
const condition =
  /\b(?:if|when|whenever|unless|while|after|once|before|until|with|without|provided|given|assuming|under)\b/i;
const conditioned = new RegExp(`^[\`'")*\\s,;]*${condition.source}`, "i");

/** Reads the examples in documentation. */
export function readDocumented(text: string): ShownExample[] {
  return withoutDisputed(listLiteralCalls(text).flatMap((call) => readOne(text, call)));
}

function readOne(text: string, call: LiteralCall): ShownExample[] {
  const { before, after } = around(text, call);
  if (isPrepared(text, call)) return [];
  const isPrinted = isPrinting.test(before);
  const following = isDoctest.test(before) ? readNextLine(text, call) : undefined;
  const wanted = following ?? readAfter(after, shown);
  return wanted === undefined ? [] : [{ call, wanted, isPrinted, isChanged: false }];
}

/** Returns the parts of the call's line before and after the call. */
function around(text: string, { start, end }: LiteralCall) {
  const lineEnd = text.indexOf("\n", end);
  return {
    before: text.slice(text.lastIndexOf("\n", start - 1) + 1, start),
    after: text.slice(end, lineEnd === -1 ? text.length : lineEnd),
  };
}

function readAfter(after: string, sign: RegExp): Literal | undefined {
  const found = sign.exec(after);
  const wanted = found === null ? undefined : readLiteral(after, found[0].length);
  const rest = wanted && after.slice(wanted.end);
  return rest !== undefined && endOfResult.test(rest) && !conditioned.test(rest) ? wanted : undefined;
}

/** Reads the result on the next line: `>>> fee(7)`, then 15 alone on a line. */
function readNextLine(text: string, { end }: LiteralCall): Literal | undefined {
  const [rest = "", line, next = ""] = text.slice(end).split("\n");
  if (line === undefined || !/^[)\s]*$/.test(rest)) return undefined;
  const own = line.replace(/^\s*\*?\s*/, "").trimEnd();
  const wanted = readLiteral(own, 0);
  const isLast = /^\s*\*?\s*(?:>>>.*|```|"""|'''|\*\/)?\s*$/.test(next);
  return wanted?.end === own.length && isLast ? wanted : undefined;
}

const isImport = /^\s*(?:from\s+\S+\s+import\b|import\b|use\s|(?:const|let|var)\b.*\brequire\()/;
const isCode =
  /[;{}]\s*$|^\s*(?:const|let|var|await|new|return|for|if|with)\b|[^=!<>]=[^=>]|^[\w.$]+\(.*\)\s*;?\s*$/;

/** True if the result may depend on an earlier line of the same block. */
function isPrepared(text: string, call: LiteralCall): boolean {
  const lines = text
    .slice(0, text.lastIndexOf("\n", call.start - 1) + 1)
    .split("\n")
    .slice(0, -1);
  const block = lines.slice(lines.findLastIndex((line) => /@example\b|^\s*\*?\s*```/.test(line)) + 1);
  const isPrompted = text.includes(">>>");
  return block.some((line) => {
    const [, code] = /^\s*\*?\s*(?:>>>|\.\.\.)\s?(.*)$/.exec(line) ?? [];
    if (isPrompted && code === undefined) return false;
    const own = (code ?? line.replace(/^\s*\*\s?/, "")).trim();
    if (isImport.test(own)) return false;
    const [first] = listLiteralCalls(own);
    const isExample = first !== undefined && /^(?:print\(|console\.log\()?$/.test(own.slice(0, first.start));
    return isPrompted ? !isExample : isCode.test(own) && !(isExample && shown.test(own.slice(first.end)));
  });
}

/** Maximum number of characters between a call and its required result. */
const farthest = 120;
const ordered = new RegExp(`(?:${ordering})\`?`, "i");
const replaced = new RegExp(`(?:${replacing})\`?`, "i");
const formed = new RegExp(`${ofForm}\`?`, "im");
const isWish = /^\W*(?:expected|desired|correct|wanted|should)\b/i;
const isReport = /^\W*(?:actual|current|observed|got|wrong|instead|today|now)\b/i;

/**
 * Reads the examples of a statement. `isNew`: the statement asks for new code, so code must give each shown result.
 */
export function readStated(statement: string, isNew: boolean): ShownExample[] {
  const calls = listLiteralCalls(statement);
  const found = calls.flatMap((call, at): ShownExample[] => {
    const { before, after } = around(statement, call);
    const isPrinted = isPrinting.test(before);
    const make = (wanted: Literal | undefined, isChanged = false): ShownExample[] =>
      wanted === undefined ? [] : [{ call, wanted, isPrinted, isChanged }];
    const remark = readAfter(after, expected);
    if (remark !== undefined) return make(remark);
    if (isPrepared(statement, call)) return [];
    if (isDoctest.test(before)) {
      const heading = headingBefore(statement, call.start);
      const isWanted = isNew ? !isReport.test(heading) : isWish.test(heading);
      return isWanted ? make(readNextLine(statement, call)) : [];
    }
    const to = Math.min(call.end + farthest, calls[at + 1]?.start ?? statement.length);
    const [clause = ""] = statement.slice(call.end, to).split(/\n\s*\n|(?<=\D)\.(?=\s|$)/);
    const order = readWithin(clause, ordered);
    if (order !== undefined) return make(order);
    const change = readWithin(clause, replaced);
    if (change !== undefined) return make(change, true);
    return isNew ? make(readAfter(after, shown)) : [];
  });
  const [only] = calls;
  const isOnly = only !== undefined && calls.every(({ text }) => text === only.text);
  if (found.length > 0 || !isOnly) return withoutDisputed(found);
  const form = formed.exec(statement);
  const line = form === null ? "" : (statement.slice(form.index + form[0].length).split("\n")[0] ?? "");
  const wanted = form === null ? undefined : readLiteral(line, 0);
  return wanted === undefined || !/^\W*$/.test(line.slice(wanted.end))
    ? []
    : [{ call: only, wanted, isPrinted: true, isChanged: false }];
}

function readWithin(clause: string, sign: RegExp): Literal | undefined {
  const found = sign.exec(clause);
  if (found === null || condition.test(clause.slice(0, found.index))) return undefined;
  return readAfter(clause.slice(found.index + found[0].length), /^/);
}

/** Returns the last line before the offset that contains words but no code. */
function headingBefore(text: string, at: number): string {
  const lines = text.slice(0, at).split("\n").slice(0, -1);
  return lines.findLast((line) => /\p{L}/u.test(line) && !/^\s*(?:>>>|```|[\d'"[({])/.test(line)) ?? "";
}

/** Omits calls with two different results: such a result depends on something else. */
function withoutDisputed(examples: readonly ShownExample[]): ShownExample[] {
  const same = (one: ShownExample, other: ShownExample): boolean => one.call.text === other.call.text;
  return examples.filter(
    (one, at) =>
      examples.every((other) => !same(one, other) || isSameValue(one.wanted, other.wanted.value)) &&
      examples.findIndex((other) => same(one, other)) === at,
  );
}
