import { unwrapParentheses } from "../../syntax/reading.ts";
import { decidingRoles, decisionAt } from "../conditions.ts";
import { namesIn } from "../file-context.ts";
import { defineTemplate, type Edit, replaceNode, type Site, textAt } from "../template.ts";

export default defineTemplate({
  name: "replace-condition",
  description: "Replaces a condition with a variable, a negated variable, true or false.",
  source: "Kali (Qi et al., ISSTA 2015) for the constants; SPR's condition synthesis for the variables",
  prior: 0.35,
  at: decidingRoles,
  *apply(site): Generator<Edit> {
    const condition = decisionAt(site);
    if (condition === undefined || site.role === "return" || site.role === "binary") return;
    const { spelling, operators } = site.source.dialect;
    const written = textAt(site, condition);
    const isConstant = written === spelling.true || written === "1";
    const names = candidates(site, namesIn(site.source, unwrapParentheses(site.source, condition)));
    for (const [rank, name] of names.slice(0, 6).entries()) {
      const weight = (isConstant ? 1 : 0.6) / (1 + rank / 6);
      if (name !== written) yield replaceNode(condition, name, weight);
      yield replaceNode(condition, `${operators.not}${name}`, weight * 0.5);
    }
    if (isConstant) return;
    // An endless loop is not a repair.
    if (site.role !== "while" && site.role !== "for") yield replaceNode(condition, spelling.true, 0.4);
    yield replaceNode(condition, spelling.false, 0.4);
  },
});

/**
 * The names for a new condition: first those in the condition, then sequences (a loop runs until one is empty), then
 * the rest.
 */
function candidates(site: Site, read: readonly string[]): string[] {
  const { types } = site.source.dialect;
  const names = site.variables
    .filter(({ type }) => types === undefined || type === undefined || type === "bool")
    .map((variable) => variable.name);
  const isSequence = (name: string): boolean => {
    const shapes = site.context.shapes.get(name);
    return shapes?.has("sequence") === true || shapes?.has("object") === true;
  };
  return [
    ...names.filter((name) => read.includes(name)),
    ...names.filter((name) => !read.includes(name) && isSequence(name)),
    ...names.filter((name) => !read.includes(name) && !isSequence(name)),
  ];
}
