import { functionAbove } from "../../syntax/statements.ts";
import { leaving, takesStatements } from "../sites.ts";
import { insertAfter, insertBefore } from "../statement-edits.ts";
import { defineTemplate, type Edit, type Site } from "../template.ts";

export default defineTemplate({
  name: "insert-call",
  description:
    "Inserts a method call on a collection or object in scope, with a variable in scope as its argument. The function or file already calls this method.",
  source: "TBar FP4.1 and ELIXIR's method insertion (Saha et al., ASE 2017)",
  prior: 0.22,
  at: ["any-statement"],
  *apply(site): Generator<Edit> {
    if (!takesStatements(site)) return;
    const end = site.source.dialect.spelling.statementEnd;
    for (const { call, weight } of possibleCalls(site).slice(0, 10)) {
      const leaves = leaving.has(site.statement.role);
      const after = insertAfter(site, call + end, weight);
      if (after !== undefined) yield after;
      yield insertBefore(site, call + end, leaves ? weight : weight * 0.9);
    }
  },
});

/**
 * The file's calls `object.method(variable)` whose object is in scope, each with the variables at the site. Calls of
 * the same function weigh more.
 */
function possibleCalls(site: Site): { call: string; weight: number }[] {
  const here = functionAbove(site.source, site.statement.node);
  const names = site.variables.map((variable) => variable.name);
  const found = new Map<string, number>();
  const seen = site.context.calls.filter((call) => call.arity === 1 && call.receiver !== undefined);
  for (const { receiver, name, function: around } of seen) {
    if (receiver === undefined || !names.includes(receiver)) continue;
    const share = around === here ? 1 : 0.5;
    for (const [rank, argument] of names
      .filter((one) => one !== receiver)
      .slice(0, 5)
      .entries()) {
      const call = `${receiver}.${name}(${argument})`;
      const isWriting = /^(add|append|push|set|insert|extend|update|remove|delete|unshift|appendleft)$/.test(
        name,
      );
      found.set(call, Math.max(found.get(call) ?? 0, ((isWriting ? 1 : 0.4) * share) / (1 + rank / 5)));
    }
  }
  return [...found].sort((a, b) => b[1] - a[1]).map(([call, weight]) => ({ call, weight }));
}
