import type { SyntaxNode } from "../../syntax/node.ts";
import { binaryOf, callOf, negatedOf, partOf, roleOf } from "../../syntax/reading.ts";
import { functionAbove } from "../../syntax/statements.ts";
import { decidingRoles, decisionAt, isLogical, operandsOf } from "../conditions.ts";
import { nameLikeness } from "../likeness.ts";
import { defineTemplate, type Edit, replaceNode, type Site, textAt } from "../template.ts";

export default defineTemplate({
  name: "sibling-operand",
  description:
    "Adds a second form of an operand to a condition: `kind == t.word` becomes `kind == t.word or kind == t.name`.",
  source:
    "Copied operands of conditions: Prophet's condition templates (Long, Rinard: POPL 2016); TBar FP6.3",
  prior: 0.45,
  at: decidingRoles,
  *apply(site): Generator<Edit> {
    const condition = decisionAt(site);
    if (condition === undefined) return;
    for (const operand of operandsOf(site.source, condition).slice(0, 4))
      for (const { text, operator, weight } of siblingsOf(site, operand))
        yield replaceNode(operand, joined(site, operand, operator, text), weight);
  },
});

interface Sibling {
  readonly text: string;
  readonly operator: string;
  readonly weight: number;
}

/** `a == b` joins by `or`, `a != b` by `and`: the other operator would make the condition constant. */
function siblingsOf(site: Site, operand: SyntaxNode): Sibling[] {
  const { source } = site;
  const { and, or, opposite, equalities } = source.dialect.operators;
  const binary = binaryOf(source, operand);
  if (binary !== undefined && isEquality(site, binary.sign)) {
    const isPositive = /^(?:=+|is|equals)$/.test(binary.sign);
    const head = source.tree.text.slice(operand.start, binary.right.start);
    return othersFor(site, binary.right)
      .slice(0, 6)
      .map(({ text, weight }) => ({ text: head + text, operator: isPositive ? or : and, weight }));
  }
  if (binary !== undefined && (opposite[binary.sign] !== undefined || equalities.includes(binary.sign)))
    return [];
  const negated = negatedOf(source, operand);
  const call = callOf(source, negated ?? operand);
  if (call === undefined || call.receiver !== undefined) return [];
  const [start, end] = [operand.start, operand.end];
  const { text } = source.tree;
  return functionsLike(site, call.name, call.arguments.length).flatMap(({ name, weight }) => {
    const other = text.slice(start, call.callee.start) + name + text.slice(call.callee.end, end);
    return (negated === undefined ? [or, and] : [and]).map((operator) => ({ text: other, operator, weight }));
  });
}

function isEquality({ source }: Site, sign: string): boolean {
  const { equal, notEqual, equalities, twins } = source.dialect.operators;
  return [equal, notEqual, ...equalities, ...twins.flat()].includes(sign) && !/[<>]/.test(sign);
}

/** Values that the file compares or uses like this one: other members of its object, other texts, the empty text. */
function othersFor(site: Site, value: SyntaxNode): { text: string; weight: number }[] {
  const { source, context } = site;
  const written = textAt(site, value);
  const role = roleOf(source, value);
  if (role === "attribute") {
    const [object, member] = [partOf(source, value, "object"), partOf(source, value, "member")];
    if (object === undefined || member === undefined) return [];
    const name = textAt(site, member);
    const head = source.tree.text.slice(value.start, member.start);
    const around = functionAbove(source, value);
    const home = around === undefined ? "" : textAt(site, around);
    return [...(context.members.get(textAt(site, object)) ?? [])]
      .filter((other) => other !== name)
      .map((other) => ({
        text: head + other,
        weight: 0.4 + 0.4 * nameLikeness(other, name) + (home.includes(head + other) ? 0.2 : 0),
      }))
      .sort((a, b) => b.weight - a.weight);
  }
  if (role !== "string" || written.length > 20) return [];
  const quote = written.at(-1) ?? "";
  const swapped = written === written.toLowerCase() ? written.toUpperCase() : written.toLowerCase();
  const near = context.strings
    .filter((text) => text !== written && text.at(-1) === quote && text.length <= 20)
    .map((text) => ({ text, weight: 0.4 + 0.4 * nameLikeness(text, written) }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, 4);
  const isLetter = /^.[a-zA-Z].$/.test(written);
  return [
    ...(isLetter ? [{ text: swapped, weight: 1 }] : []),
    ...near,
    ...(quote === '"' && written !== '""' ? [{ text: '""', weight: 0.5 }] : []),
  ];
}

/** The file's functions that take as many arguments, those with similar names first. */
function functionsLike({ context }: Site, name: string, arity: number): { name: string; weight: number }[] {
  return context.functions
    .filter((one) => one.name !== name && one.least <= arity && arity <= one.most)
    .map((one) => ({ name: one.name, weight: 0.3 + 0.7 * nameLikeness(one.name, name) }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, 3);
}

function joined(site: Site, operand: SyntaxNode, operator: string, text: string): string {
  const outer = operand.parent;
  const isInside = outer !== undefined && isLogical(site.source, outer);
  const isMixed = isInside && binaryOf(site.source, outer)?.sign !== operator;
  const code = `${textAt(site, operand)} ${operator} ${text}`;
  return isMixed ? `(${code})` : code;
}
