import type { SyntaxNode } from "../../syntax/node.ts";
import { callOf, roleOf } from "../../syntax/reading.ts";
import { fits } from "../file-context.ts";
import { furtherArguments } from "../seen-calls.ts";
import { defineTemplate, type Edit, replaceNode, type Site, textAt } from "../template.ts";

export default defineTemplate({
  name: "change-arguments",
  description: "Drops an argument of a call, adds one, or replaces an argument with a variable.",
  source: "PAR's parameter adder and remover (Kim et al., ICSE 2013); TBar FP10.2 to FP10.4",
  prior: 0.35,
  at: ["call"],
  *apply(site): Generator<Edit> {
    const call = callOf(site.source, site.node);
    if (call === undefined || roleOf(site.source, call.list) !== "arguments") return;
    const given = call.arguments;
    for (const [index, argument] of given.entries()) {
      if (roleOf(site.source, argument) !== "identifier") yield* replaceArgument(site, argument);
      if (given.length > 1) yield dropArgument(given, index, argument);
    }
    const last = given.at(-1);
    for (const { text, weight } of furtherArguments(site, call.name, given)) {
      if (last === undefined)
        yield { start: call.list.start, end: call.list.end, replacement: `(${text})`, weight };
      else yield { start: last.end, end: last.end, replacement: `, ${text}`, weight };
    }
    const names = site.variables.map((variable) => variable.name).filter((name) => isNew(site, given, name));
    for (const name of names.slice(0, 3)) {
      if (last === undefined)
        yield { start: call.list.start, end: call.list.end, replacement: `(${name})`, weight: 0.5 };
      else yield { start: last.end, end: last.end, replacement: `, ${name}`, weight: 0.5 };
    }
  },
});

function isNew(site: Site, given: readonly SyntaxNode[], name: string): boolean {
  return (
    !site.source.dialect.selves.includes(name) && !given.some((argument) => textAt(site, argument) === name)
  );
}

function* replaceArgument(site: Site, argument: SyntaxNode): Generator<Edit> {
  const role = roleOf(site.source, argument);
  if (role === "keyword-argument" || role === "spread" || role === "function-expression") return;
  const text = textAt(site, argument);
  const names = site.variables
    .map((variable) => variable.name)
    .filter((name) => fits(site.context, name, text));
  for (const name of names.slice(0, 4)) {
    if (!site.source.dialect.selves.includes(name)) yield replaceNode(argument, name, 0.7);
  }
}

function dropArgument(given: readonly SyntaxNode[], index: number, argument: SyntaxNode): Edit {
  const next = given[index + 1];
  const previous = given[index - 1];
  if (next !== undefined) return { start: argument.start, end: next.start, replacement: "", weight: 0.8 };
  return { start: previous?.end ?? argument.start, end: argument.end, replacement: "", weight: 0.8 };
}
