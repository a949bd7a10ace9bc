import { callOf, operandText, roleOf } from "../../syntax/reading.ts";
import { defineTemplate, type Edit, replaceNode, textAt } from "../template.ts";

/** Roles of expressions that can be swapped. A literal, a module's name or a class rarely fits in the other position. */
const values = ["identifier", "attribute", "subscript", "call"];

export default defineTemplate({
  name: "swap-receiver",
  description: "Swaps a method's object and its only argument: `a.concat(b)` becomes `b.concat(a)`.",
  source: "The counterpart of swapped arguments (Rice et al., OOPSLA 2017) for a method's object",
  prior: 0.3,
  at: ["call"],
  apply(site): Iterable<Edit> {
    const call = callOf(site.source, site.node);
    const [argument] = call?.arguments ?? [];
    const { receiver } = call ?? {};
    if (argument === undefined || receiver === undefined || call?.arguments.length !== 1) return [];
    if (![argument, receiver].every((one) => values.includes(roleOf(site.source, one) ?? ""))) return [];
    const [object, given] = [textAt(site, receiver), textAt(site, argument)];
    if (site.source.dialect.selves.includes(object) || /^[A-Z]/.test(object) || object === given) return [];
    const text = textAt(site);
    const rest = text.slice(receiver.end - site.node.start, argument.start - site.node.start);
    const end = text.slice(argument.end - site.node.start);
    return [replaceNode(site.node, `${operandText(site.source, argument)}${rest}${object}${end}`)];
  },
});
