import type { SyntaxNode } from "../../syntax/node.ts";
import { codeOf, roleOf } from "../../syntax/reading.ts";
import { functionAbove } from "../../syntax/statements.ts";
import { assignmentsIn, isReadAfter } from "../assigned-names.ts";
import { nameLikeness } from "../likeness.ts";
import { loopAround, takesStatements } from "../sites.ts";
import { insertAfter, insertBefore } from "../statement-edits.ts";
import { defineTemplate, type Edit, type Site } from "../template.ts";
import { canStandFor } from "../written-types.ts";

export default defineTemplate({
  name: "update-variable",
  description:
    "Adds an assignment in a loop. The variable has one assignment before the loop and is read later, but is never assigned again.",
  source:
    "Missing variable assignment (Durães, Madeira: TSE 2006); GenProg's insertion (Le Goues et al., TSE 2012)",
  prior: 0.3,
  at: ["any-statement"],
  *apply(site): Generator<Edit> {
    if (!takesStatements(site)) return;
    const end = site.source.dialect.spelling.statementEnd;
    for (const { line, weight } of updates(site).slice(0, 10)) {
      yield insertBefore(site, line + end, weight);
      const after = insertAfter(site, line + end, weight);
      if (after !== undefined) yield after;
    }
  },
});

interface Update {
  readonly line: string;
  readonly weight: number;
}

function updates(site: Site): Update[] {
  const { source, statement, variables } = site;
  const loop = loopAround(source, statement.node);
  const around = functionAbove(source, statement.node);
  if (loop === undefined || around === undefined) return [];
  const assigned = assignmentsIn(source, around);
  const isChanging = (name: string): boolean =>
    assigned.get(name)?.some(({ node }) => node.start >= loop.start && node.end <= loop.end) === true;
  const changing = variables.filter(
    ({ name, kind, boundAt }) =>
      kind !== "attribute" && (isChanging(name) || (boundAt > loop.start && boundAt < loop.end)),
  );
  return variables
    .filter(({ name, kind, boundAt }) => {
      if (kind !== "local" || boundAt >= loop.start || boundAt < around.start) return false;
      return assigned.get(name)?.length === 1 && isReadAfter(source, around, name, loop.start);
    })
    .flatMap(({ name }) => {
      const values = changing
        .filter((other) => other.name !== name && canStandFor(site, name, other))
        .map((other) => ({ other: other.name, weight: 0.6 + 0.4 * nameLikeness(name, other.name) }))
        .slice(0, 4);
      return updatesOf(site, name, assigned.get(name)?.[0]?.value, values);
    })
    .sort((a, b) => b.weight - a.weight);
}

/** Updates of a variable that suit the kind of its first value. */
function updatesOf(
  { source }: Site,
  name: string,
  first: SyntaxNode | undefined,
  values: readonly { readonly other: string; readonly weight: number }[],
): Update[] {
  const { spelling } = source.dialect;
  const moves = values.map(({ other, weight }) => ({ line: `${name} = ${other}`, weight }));
  const sums = values.map(({ other, weight }) => ({ line: `${name} += ${other}`, weight: weight * 0.8 }));
  switch (first === undefined ? "null" : roleOf(source, first)) {
    case "null":
    case "identifier":
      return moves;
    case "number":
      return [{ line: `${name} += 1`, weight: 1 }, ...sums, ...moves];
    case "string":
      return [...sums, ...moves];
    case "boolean": {
      const isTrue = first !== undefined && codeOf(source, first) === spelling.true;
      return [{ line: `${name} = ${isTrue ? spelling.false : spelling.true}`, weight: 1 }];
    }
    default:
      return [];
  }
}
