import type { SyntaxNode } from "../../syntax/node.ts";
import { callOf, operandText, partOf, roleOf } from "../../syntax/reading.ts";
import { defineTemplate, type Edit, replaceNode, type Site, textAt } from "../template.ts";

export default defineTemplate({
  name: "shift-range",
  description:
    "Shifts both bounds of a range or a counting loop by one: `range(n)` becomes `range(1, n + 1)`.",
  source: "two faults at once, in both bounds of the loop: TBar FP9 and FP11, PAR's range checker",
  prior: 0.35,
  at: ["call", "for", "for-each"],
  *apply(site): Generator<Edit | undefined> {
    if (site.role === "call") yield* shiftCall(site);
    else if (site.role === "for") yield shiftHeader(site);
    else {
      const iterable = partOf(site.source, site.node, "iterable");
      if (iterable !== undefined) yield shiftOperator(site, iterable);
    }
  },
});

/** Shifts the bounds of `range(n)` and `range(a, b)`. */
function* shiftCall(site: Site): Generator<Edit> {
  const call = callOf(site.source, site.node);
  const [first, second, third] = call?.arguments ?? [];
  if (call?.name !== "range" || call.receiver !== undefined || first === undefined || third !== undefined)
    return;
  if (roleOf(site.source, call.list) !== "arguments") return;
  const [start, end] = second === undefined ? [undefined, first] : [first, second];
  for (const step of [1, -1]) {
    if (start === undefined && step < 0) continue;
    const shifted = [start === undefined ? "1" : shift(site, start, step), shift(site, end, step)];
    yield replaceNode(call.list, `(${shifted.join(", ")})`);
  }
}

function shift(site: Site, node: SyntaxNode, step: number): string {
  const text = textAt(site, node);
  if (/^\d{1,9}$/.test(text)) return String(Number(text) + step);
  const [, base, sign, amount] = /^(.+) ([+-]) (\d{1,9})$/.exec(text) ?? [];
  if (base === undefined) return `${operandText(site.source, node)} ${step > 0 ? "+" : "-"} 1`;
  const sum = Number(`${sign}${amount}`) + step;
  return sum === 0 ? base : `${base} ${sum > 0 ? "+" : "-"} ${Math.abs(sum)}`;
}

/** Shifts the head of a loop: `for (i = 0; i < n;` and `for i := 1; i <= n;`. */
function shiftHeader({ source, node }: Site): Edit | undefined {
  const { text } = source.tree;
  const header = text.slice(node.start, Math.min(node.end, node.start + 200)).split("\n")[0] ?? "";
  const found = /= ?([01]) ?; ?\w+ ?(<=?)(?= ?[\w(])/.exec(header);
  const isUpTo = found?.[2] === "<=";
  if (found === null || (found[1] === "1") !== isUpTo) return undefined;
  const whole = found[0];
  const replacement = isUpTo
    ? whole.replace("1", "0").replace(/<=$/, "<")
    : whole.replace("0", "1").replace(/<$/, "<=");
  const start = node.start + found.index;
  return { start, end: start + whole.length, replacement };
}

/** Shifts a range with an operator: `0..n` and `1..=n`. */
function shiftOperator(site: Site, iterable: SyntaxNode): Edit | undefined {
  const text = textAt(site, iterable);
  if (/^0\.\.[^=.]/.test(text)) return replaceNode(iterable, `1..=${text.slice(3)}`);
  return text.startsWith("1..=") ? replaceNode(iterable, `0..${text.slice(4)}`) : undefined;
}
