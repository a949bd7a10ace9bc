import { callOf } from "../../syntax/reading.ts";
import { functionAbove } from "../../syntax/statements.ts";
import { assignmentsIn } from "../assigned-names.ts";
import { defineTemplate, type Edit, replaceNode, textAt } from "../template.ts";

export default defineTemplate({
  name: "reuse-result",
  description: "Replaces a further call of a function with the variable that contains its result.",
  source: "the inverse of TBar FP13.2, which replaces a variable with an expression (Liu et al., ISSTA 2019)",
  prior: 0.4,
  at: ["call"],
  *apply(site): Generator<Edit> {
    const { source, node, variables } = site;
    const around = functionAbove(source, node);
    const call = callOf(source, node);
    if (around === undefined || call === undefined) return;
    const callee = textAt(site, call.callee);
    const assigned = assignmentsIn(source, around);
    for (const { name } of variables) {
      const values = assigned.get(name)?.filter((each) => each.node.end <= node.start) ?? [];
      const made = values.at(-1)?.value;
      const first = made && callOf(source, made);
      if (first !== undefined && textAt(site, first.callee) === callee) yield replaceNode(node, name);
    }
  },
});
