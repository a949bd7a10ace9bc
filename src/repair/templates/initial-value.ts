import { partOf, roleOf } from "../../syntax/reading.ts";
import { defineTemplate, type Edit, replaceNode, type Site, textAt } from "../template.ts";

export default defineTemplate({
  name: "initial-value",
  description:
    "Initialises a variable, or sets a parameter's default, to another empty value, 1 or -1. Also initialises a variable to another variable in scope, or to a list of it.",
  source: "SPR's initialisation (Long, Rinard: FSE 2015); TBar FP9",
  prior: 0.3,
  at: ["number", "collection", "null", "boolean", "string", "identifier"],
  *apply(site): Generator<Edit> {
    if (!isInitial(site)) return;
    const { spelling, selves } = site.source.dialect;
    const written = textAt(site);
    if (site.role !== "identifier") {
      const constants = [...spelling.empties, "1", "-1"].filter((value) => value !== written);
      const isCollection = site.role === "collection";
      for (const value of constants) {
        yield replaceNode(site.node, value, /^[[{(]/.test(value) === isCollection ? 1 : 0.5);
      }
    }
    const isParameter = roleOf(site.source, site.statement.node) === "function";
    const names = isParameter ? [] : site.variables.map((variable) => variable.name);
    for (const [rank, name] of names
      .filter((one) => !selves.includes(one))
      .slice(0, 4)
      .entries()) {
      yield replaceNode(site.node, name, 0.6 / (1 + rank / 4));
      if (site.role === "collection") yield replaceNode(site.node, `[${name}]`, 0.4);
    }
  },
});

function isInitial(site: Site): boolean {
  const { node, source } = site;
  const parent = node.parent;
  if (parent === undefined || partOf(source, parent, "value") !== node) return false;
  const role = roleOf(source, parent);
  if (role === "keyword-argument" || role === "pair") return false;
  if (role === "assignment" || role === "declarator" || role === "declaration") return true;
  return /parameter|assignment_pattern/.test(parent.kind);
}
