import { binaryOf, callOf, roleOf } from "../../syntax/reading.ts";
import { defineTemplate, type Edit, replaceNode, type Site, textAt } from "../template.ts";
import { differencesOf, type TextDifference } from "../text-differences.ts";

export default defineTemplate({
  name: "expected-text",
  description:
    "Changes one place of a text as a failing test expects it: `is no number` becomes `is not a number` if the test has the second text.",
  source: "The difference of expected and actual values, as in test-based synthesis (SemFix, ICSE 2013)",
  prior: 0.6,
  at: ["string"],
  *apply(site): Generator<Edit> {
    if (decides(site)) return;
    const written = textAt(site);
    const edits = piecesOf(written).flatMap(({ piece, at, isFirst, isLast }) =>
      site.context.words.wanted.flatMap((text) =>
        differencesOf(piece, text)
          .filter(({ start }) => (start > 0 || isFirst) && (start < piece.length || isLast))
          .filter((difference) => !addsInput(site, piece, difference, text))
          .map(({ start, end, inserted, common }) =>
            replaceNode(site.node, written.slice(0, at + start) + inserted + written.slice(at + end), common),
          ),
      ),
    );
    yield* edits.sort((a, b) => (b.weight ?? 1) - (a.weight ?? 1));
  },
});

/** True for a text that the code compares, looks up or labels: the test's text may be an input that it must refuse. */
function decides({ source, node }: Site): boolean {
  const parent = node.parent;
  if (parent === undefined) return false;
  const role = roleOf(source, parent);
  const sign = binaryOf(source, parent)?.sign;
  if (sign !== undefined && sign !== "+" && sign !== "." && sign !== "%") return true;
  if (role === "subscript" || role === "collection") return true;
  if (parent.parent !== undefined && asks.test(callOf(source, parent.parent)?.name ?? "")) return true;
  return /^\s*(?:=>|->|:)/.test(source.tree.text.slice(node.end, node.end + 20)) && role !== "conditional";
}

const asks = /^(?:is|has|in|contains|starts|ends|equals|match|test|find|index|get|split)/i;

/** Placeholders of formats and interpolations: `%5.2f`, `${name}`, `{name!r}`. */
const placeholder = /(%(?:\(\w+\))?[-+#0 ]*\d*(?:\.\d+)?[a-zA-Z%]|[$#]?\{[^{}]*\}|\\\([^()]*\))/;
const shortest = 4;

interface Piece {
  readonly piece: string;
  readonly at: number;
  /** True for the beginning, or the end, of the whole text. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** The constant pieces of a string literal, between its placeholders. */
function piecesOf(written: string): Piece[] {
  const [, head, , body] = /^(\w{0,2}#?("""|'''|["'`]))([\s\S]*)\2#?$/.exec(written) ?? [];
  if (head === undefined || body === undefined) return [];
  let at = head.length;
  const parts = body.split(placeholder).map((piece, index, all) => {
    const own = { piece, at, isFirst: index === 0, isLast: index === all.length - 1 };
    at += piece.length;
    return own;
  });
  return parts.filter(
    ({ piece }, index) => index % 2 === 0 && piece.length >= shortest && /[a-zA-Z]{2}/.test(piece),
  );
}

/** True if the difference inserts a value that the test only passes in, or a number. */
function addsInput(
  { context: { words } }: Site,
  piece: string,
  { inserted, start, end }: TextDifference,
  text: string,
): boolean {
  if (/["'`\n]|[{}$%]/.test(inserted)) return true;
  if (/\d/.test(inserted) && !/\d/.test(piece.slice(start, end))) return true;
  return words.literals.some(
    (other) => other.length > 1 && other !== text && inserted.includes(other) && !piece.includes(other),
  );
}
