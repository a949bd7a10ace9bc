import { namedChildren } from "../../syntax/node.ts";
import { callOf, partOf, roleOf } from "../../syntax/reading.ts";
import { defineTemplate, type Edit, replaceNode, textAt } from "../template.ts";

const assignable: ReadonlySet<string> = new Set(["identifier", "attribute", "subscript"]);

export default defineTemplate({
  name: "call-to-assignment",
  description:
    "Turns a mutating call into an assignment (`a.update(b)` becomes `a = b` or `a += b`), or the reverse.",
  source: "Statement replacement as in GenProg (Le Goues et al., TSE 2012), with the operands kept",
  prior: 0.35,
  at: ["expression-statement"],
  *apply(site): Generator<Edit> {
    const { source } = site;
    const expression = namedChildren(site.node)[0];
    if (expression === undefined) return;
    const call = callOf(source, expression);
    const [argument, more] = call?.arguments ?? [];
    if (call?.receiver !== undefined && argument !== undefined && more === undefined) {
      if (!assignable.has(roleOf(source, call.receiver) ?? "")) return;
      const [target, value] = [textAt(site, call.receiver), textAt(site, argument)];
      yield replaceNode(expression, `${target} = ${value}`);
      yield replaceNode(expression, `${target} += ${value}`, 0.4);
    }
    if (roleOf(source, expression) !== "assignment") return;
    const target = partOf(source, expression, "target");
    const value = partOf(source, expression, "value");
    if (target === undefined || value === undefined || !assignable.has(roleOf(source, target) ?? "")) return;
    for (const method of methodsOn(textAt(site, target))) {
      yield replaceNode(expression, `${textAt(site, target)}.${method}(${textAt(site, value)})`, 0.6);
    }

    /** Methods that the file calls with one argument on this object. */
    function methodsOn(receiver: string): Set<string> {
      const calls = site.context.calls.filter((seen) => seen.receiver === receiver && seen.arity === 1);
      return new Set(calls.map((seen) => seen.name));
    }
  },
});
