import type { SyntaxNode } from "../../syntax/node.ts";
import { namedChildren } from "../../syntax/node.ts";
import { binaryOf, roleOf } from "../../syntax/reading.ts";
import { isReturned, negate } from "../conditions.ts";
import { defineTemplate, type Edit, replaceNode, type Site, textAt } from "../template.ts";
import { resultTypes, typeOfName } from "../written-types.ts";

export default defineTemplate({
  name: "return-value",
  description:
    "Returns another value: a variable, a condition, an empty value, a truth value, the negation, or a collection of one value.",
  source: "TBar FP12, mutate return statement (Liu et al., ISSTA 2019); Kali's constant returns",
  prior: 0.4,
  at: ["return"],
  *apply(site): Generator<Edit | undefined> {
    const value = isReturned(site)
      ? site.node
      : namedChildren(site.node).find((child) => child.kind !== "comment");
    if (value === undefined) return;
    const results = resultTypes(site);
    if (results !== undefined) {
      yield* typedValues(
        site,
        roleOf(site.source, value) === "values" ? namedChildren(value) : [value],
        results,
      );
      return;
    }
    const { spelling, selves } = site.source.dialect;
    const written = textAt(site, value);
    const variables = site.variables
      .map((variable) => variable.name)
      .filter((name) => !selves.includes(name));
    for (const [rank, name] of variables.slice(0, 6).entries()) {
      yield replaceNode(value, name, 1 / (1 + rank / 6));
    }
    const isTruth = written === spelling.true || written === spelling.false;
    if (isTruth) yield* conditionsInstead();
    for (const constant of spelling.empties) yield replaceNode(value, constant, 0.55);
    if (isTruth || binaryOf(site.source, value) !== undefined) {
      yield replaceNode(value, spelling.true, 0.5);
      yield replaceNode(value, spelling.false, 0.5);
      if (!isTruth) yield replaceNode(value, negate(site.source, value), 0.4);
    }
    const isEmpty = spelling.empties.includes(written);
    const holding = (one: string): string | undefined =>
      spelling.holding?.(written, one) ?? (isEmpty ? `[${one}]` : undefined);
    for (const name of variables.slice(0, 4)) yield replaceNode(value, holding(name), 0.6);
    // An enumeration that begins with nothing has one solution, the empty one.
    if (written === "[]" || spelling.holding !== undefined) yield replaceNode(value, holding(written), 0.5);

    function* conditionsInstead(): Generator<Edit | undefined> {
      for (const name of variables.slice(0, 6)) {
        const shapes = site.context.shapes.get(name);
        if (shapes?.has("number")) {
          yield replaceNode(value ?? site.node, `${name} ${site.source.dialect.operators.equal} 0`, 0.8);
        } else {
          yield replaceNode(value ?? site.node, spelling.isEmpty(name), 0.6);
        }
      }
      const usable = new Set(variables);
      const seen = site.context.conditions.filter((one) => one.names.every((n) => usable.has(n)));
      for (const text of new Set(seen.map((one) => one.text)))
        yield replaceNode(value ?? site.node, text, 0.4);
    }
  },
});

/** Candidates for each result: variables of its type, the type's initial value, booleans, the opposite. */
function* typedValues(
  site: Site,
  values: readonly SyntaxNode[],
  results: readonly string[],
): Generator<Edit | undefined> {
  const { spelling, types } = site.source.dialect;
  if (values.length !== results.length) return;
  for (const [index, value] of values.entries()) {
    const type = results[index] ?? "";
    const names = site.variables.filter((variable) => (variable.type ?? type) === type);
    for (const [rank, { name, type: known }] of names.slice(0, 8).entries()) {
      yield replaceNode(value, name, (known === type ? 1 : 0.4) / (1 + rank / 6));
    }
    yield replaceNode(value, types?.zero(type), 0.6);
    if (type !== "bool") continue;
    for (const constant of [spelling.true, spelling.false]) yield replaceNode(value, constant, 0.5);
    yield replaceNode(value, negate(site.source, value), 0.4);
    for (const { name } of site.variables.filter((variable) => variable.type !== undefined).slice(0, 6)) {
      for (const test of types?.missing(typeOfName(site, name) ?? "", name) ?? []) {
        for (const one of test) yield replaceNode(value, one, 0.4);
      }
    }
  }
}
