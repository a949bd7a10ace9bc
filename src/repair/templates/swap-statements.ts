import { isStatement } from "../../syntax/statements.ts";
import { defineTemplate, type Edit, textAt } from "../template.ts";

export default defineTemplate({
  name: "swap-statements",
  description: "Swaps a statement with the next one.",
  source: "GenProg's swap (Le Goues et al., TSE 2012); TBar FP14, move statement",
  prior: 0.25,
  at: ["expression-statement", "declaration", "if", "while", "for-each", "for"],
  *apply(site): Generator<Edit> {
    const { node, source } = site;
    const siblings = (node.parent?.children ?? []).filter((child) => isStatement(source, child));
    const at = siblings.indexOf(node);
    for (const [first, second] of [
      [node, siblings[at + 1]],
      [siblings[at - 1], node],
    ]) {
      if (at < 0 || first === undefined || second === undefined || first.startLine === second.startLine)
        continue;
      const between = source.tree.text.slice(first.end, second.start);
      if (between.trim() !== "") continue;
      const replacement = textAt(site, second) + between + textAt(site, first);
      const description = `swaps lines ${first.startLine} and ${second.startLine}`;
      yield { start: first.start, end: second.end, replacement, description };
    }
  },
});
