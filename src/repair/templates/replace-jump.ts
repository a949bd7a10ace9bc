import { endsItsRound, jumpsIn, loopAround } from "../sites.ts";
import { defineTemplate, type Edit, replaceNode, textAt } from "../template.ts";
import { typedReturns } from "../written-types.ts";

export default defineTemplate({
  name: "replace-jump",
  description:
    "Replaces a jump with another: an exit from the loop, from its iteration or from the function.",
  source: "Statement replacement as in GenProg (Le Goues et al., TSE 2012), for jumps",
  prior: 0.4,
  at: ["break", "continue", "return"],
  *apply(site): Generator<Edit> {
    const { node, source } = site;
    const { statementEnd: end, continue: next = "continue" } = source.dialect.spelling;
    const written = textAt(site);
    const word = written.replace(/;$/, "").trim();
    if (!["break", next, "return"].includes(word) || loopAround(source, node) === undefined) return;
    const jumps = ["break", next].filter((jump) => jumpsIn(source, node).includes(jump));
    const returns = (typedReturns(site) ?? ["return"]).slice(0, 3);
    const close = written.endsWith(";") ? end : "";
    for (const other of [...jumps, ...returns]) {
      const text = other.replace(/;$/, "");
      const isIdle = text === next && endsItsRound(source, node);
      if (text !== word && !isIdle)
        yield replaceNode(node, text + close, other.startsWith("return ") ? 0.6 : 1);
    }
  },
});
