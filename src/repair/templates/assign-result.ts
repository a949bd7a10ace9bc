import { namedChildren, type SyntaxNode } from "../../syntax/node.ts";
import { callOf, partOf, roleOf } from "../../syntax/reading.ts";
import { defineTemplate, type Edit, type Site, textAt } from "../template.ts";

export default defineTemplate({
  name: "assign-result",
  description:
    "Assigns the unused result of a method call to the call's object: `names.filter(f)` becomes `names = names.filter(f)`.",
  source: "Ignored results of pure methods (Hovemeyer, Pugh: Finding bugs is easy, OOPSLA Companion 2004)",
  prior: 0.5,
  at: ["expression-statement"],
  *apply(site): Generator<Edit> {
    const expression = namedChildren(site.node)[0] ?? site.node;
    const call = [expression, site.node].find((node) => callOf(site.source, node) !== undefined);
    const object = call && rootOf(site, call);
    if (call === undefined || object === undefined) return;
    yield { start: call.start, end: call.start, replacement: `${textAt(site, object)} = ` };
  },
});

/** The variable or field at the start of a chain of calls: `self.depth` in `self.depth.checked_sub(1).unwrap()`. */
function rootOf(site: Site, call: SyntaxNode): SyntaxNode | undefined {
  let receiver = callOf(site.source, call)?.receiver;
  while (receiver !== undefined) {
    const inner = callOf(site.source, receiver)?.receiver;
    if (inner === undefined) break;
    receiver = inner;
  }
  if (receiver === undefined) return undefined;
  const role = roleOf(site.source, receiver);
  const isField = role === "attribute" && partOf(site.source, receiver, "object") !== undefined;
  const name = textAt(site, receiver);
  const isVariable = role === "identifier" && site.variables.some((variable) => variable.name === name);
  return isField || isVariable ? receiver : undefined;
}
