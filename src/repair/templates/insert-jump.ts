import { functionAbove } from "../../syntax/statements.ts";
import { jumpsIn, takesStatements } from "../sites.ts";
import { insertBefore } from "../statement-edits.ts";
import { defineTemplate, type Edit, type Site } from "../template.ts";
import { testsOfFailure, typedReturns } from "../written-types.ts";

export default defineTemplate({
  name: "insert-jump",
  description:
    "Exits the loop or the function before a statement if a condition holds. The condition comes from the function, tests a variable for an error, or compares both parameters.",
  source: "SPR's conditional control flow introduction (Long, Rinard: FSE 2015); Kali's return insertion",
  prior: 0.22,
  at: ["any-statement"],
  *apply(site): Generator<Edit> {
    if (!takesStatements(site)) return;
    const { spelling } = site.source.dialect;
    const here = functionAbove(site.source, site.statement.node);
    if (here === undefined) return;
    const usable = new Set(site.variables.map((variable) => variable.name));
    const conditions = site.context.conditions
      .filter(
        (seen) =>
          seen.function === here && seen.names.length > 0 && seen.names.every((name) => usable.has(name)),
      )
      .map((seen) => seen.text);
    const leaves = [...jumpsIn(site.source, site.statement.node), ...(typedReturns(site) ?? ["return"])];
    const asked = [...testsOfFailure(site).slice(0, 1), ...conditions].slice(0, 4);
    for (const condition of new Set([...asked, ...sameArguments(site)])) {
      for (const leave of leaves)
        yield insertBefore(site, spelling.ifLine(condition, leave + spelling.statementEnd));
    }
  },
});

/** Conditions `a == b` on two parameters of one type, at the function's start. */
function sameArguments(site: Site): string[] {
  const here = functionAbove(site.source, site.statement.node);
  const [first, second, third] = site.variables.filter(({ kind }) => kind === "parameter");
  const isFirst = !site.context.statements.some(
    ({ node, role }) =>
      role !== "function" &&
      node.start < site.statement.node.start &&
      functionAbove(site.source, node) === here,
  );
  if (!isFirst || first === undefined || second === undefined || third !== undefined) return [];
  if (first.type !== second.type) return [];
  return [`${first.name} == ${second.name}`];
}
