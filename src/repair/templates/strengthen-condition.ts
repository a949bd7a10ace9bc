import { once } from "../../base/once.ts";
import { type SyntaxNode, walk } from "../../syntax/node.ts";
import { callOf } from "../../syntax/reading.ts";
import { decidingRoles, decisionAt, join, operandsOf } from "../conditions.ts";
import { declaredShapes } from "../declared-types.ts";
import { namesIn, type SeenCondition } from "../file-context.ts";
import { defineTemplate, type Edit, replaceNode, type Site, textAt } from "../template.ts";
import { testsOfAbsence } from "../written-types.ts";

export default defineTemplate({
  name: "strengthen-condition",
  description:
    "Extends a condition by `and` or `or` with another condition of the file, or with a test for null or emptiness.",
  source: "PAR's expression adder (Kim et al., ICSE 2013); SPR's condition refinement; TBar FP6.3",
  prior: 0.4,
  at: decidingRoles,
  *apply(site): Generator<Edit> {
    const condition = decisionAt(site);
    if (condition === undefined) return;
    const { and, or } = site.source.dialect.operators;
    const written = textAt(site, condition);
    const edit = (left: string, operator: string, right: string, weight: number): Edit =>
      replaceNode(condition, join(site.source, left, operator, right), weight);
    for (const { test, safe, weight } of guards(site, condition)) {
      yield edit(test, or, written, weight);
      yield edit(safe, and, written, weight);
    }
    for (const operand of operandsOf(site.source, condition)) yield* guardReceivers(site, operand);
    for (const { text, weight } of seenConditions(site, condition)) {
      yield edit(written, and, text, weight);
      yield edit(written, or, text, weight);
    }
  },
});

/** For `a().b()`: edits that make the condition true, or false, if `a()` returns null. */
function* guardReceivers(site: Site, operand: SyntaxNode): Generator<Edit> {
  const { spelling, operators } = site.source.dialect;
  for (const node of walk(operand)) {
    const receiver = callOf(site.source, node)?.receiver;
    const made = receiver && callOf(site.source, receiver);
    if (receiver === undefined || made === undefined || made.arguments.length > 0) continue;
    const [text, written] = [textAt(site, receiver), textAt(site, operand)];
    const [missing, present] = [spelling.isNull(text), spelling.isNotNull(text)];
    if (missing !== undefined) yield replaceNode(operand, `(${missing} ${operators.or} ${written})`, 0.9);
    if (present !== undefined) yield replaceNode(operand, `(${present} ${operators.and} ${written})`, 0.9);
  }
}

interface Guard {
  /** The condition that is true if the value is missing, and its opposite. */
  readonly test: string;
  readonly safe: string;
  readonly weight: number;
}

/** Missing values of names in the condition, and emptiness of variables outside it. */
function guards(site: Site, condition: SyntaxNode): Guard[] {
  const { spelling } = site.source.dialect;
  const read = namesIn(site.source, condition).filter((name) =>
    site.variables.some((variable) => variable.name === name),
  );
  const others = site.variables.map((variable) => variable.name).filter((name) => !read.includes(name));
  if (site.source.dialect.types !== undefined) {
    return [...read.slice(0, 4), ...others.slice(0, 4)].flatMap((name) =>
      testsOfAbsence(site, name).flatMap(([test, safe]) =>
        safe === undefined ? [] : [{ test, safe, weight: read.includes(name) ? 0.75 : 0.45 }],
      ),
    );
  }
  const isObject = (name: string): number => (site.context.shapes.get(name)?.has("object") ? 1 : 0.6);
  return [
    ...read.slice(0, 3).flatMap((name) => {
      const [test, safe] = [spelling.isNull(name), spelling.isNotNull(name)];
      return test === undefined || safe === undefined ? [] : [{ test, safe, weight: isObject(name) }];
    }),
    ...[...read.slice(0, 3), ...others.slice(0, 3)].flatMap((name) => {
      const weight = site.context.shapes.get(name)?.has("sequence") ? 0.75 : 0.45;
      return emptinessOf(site, name).map((tests) => ({ ...tests, weight }));
    }),
  ];
}

/**
 * Tests of whether a variable is empty. In a language with declared types, only a boolean can be a condition by itself.
 */
function emptinessOf(site: Site, name: string): { test: string; safe: string }[] {
  const { spelling, operators, shapeOfType } = site.source.dialect;
  const shape = declaredShapes(site).get(name);
  const test = spelling.isEmpty(name, shape);
  if (shapeOfType === undefined || shape === undefined || shape === "boolean")
    return [{ test: `${operators.not}${name}`, safe: name }];
  if (test === undefined || shape === "number" || shape === "object") return [];
  const [equal, unequal] = [` ${operators.equal} `, ` ${operators.notEqual} `];
  return [{ test, safe: test.includes(equal) ? test.replace(equal, unequal) : `${operators.not}${test}` }];
}

/** The share of the words with which both begin: 2/3 for `token.type === eq` and `token.type === comma`. */
function commonShare(first: readonly string[], second: readonly string[]): number {
  let common = 0;
  while (common < first.length && first[common] === second[common]) common++;
  return common / Math.max(first.length, second.length, 1);
}

function wordsOf(code: string): readonly string[] {
  return code.match(/\w+|[^\w\s]+/g) ?? [];
}

/** The condition's words. Cached, because many sites compare with the same condition. */
const wordsOfSeen = once(({ text }: SeenCondition) => wordsOf(text));

/** Other conditions whose names are all in scope: those of the same function first. */
function seenConditions(site: Site, condition: SyntaxNode): { text: string; weight: number }[] {
  const usable = new Set(site.variables.map((variable) => variable.name));
  const written = textAt(site, condition);
  const around = site.context.conditions.filter(
    (seen) => seen.names.every((name) => usable.has(name)) && !written.includes(seen.text),
  );
  const isHere = (seen: (typeof around)[number]): boolean =>
    seen.function !== undefined &&
    seen.function.start <= condition.start &&
    condition.end <= seen.function.end;
  const operands = operandsOf(site.source, condition).map((operand) => wordsOf(textAt(site, operand)));
  const texts = new Map<string, number>();
  for (const seen of around) {
    const alike = Math.max(...operands.map((operand) => commonShare(operand, wordsOfSeen(seen))));
    const weight = (isHere(seen) ? 0.6 : 0.35) + 0.4 * alike;
    texts.set(seen.text, Math.max(texts.get(seen.text) ?? 0, weight));
  }
  return [...texts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 8)
    .map(([text, weight]) => ({ text, weight }));
}
