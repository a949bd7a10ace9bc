import { roleOf } from "../../syntax/reading.ts";
import { isStatement } from "../../syntax/statements.ts";
import { isReturned } from "../conditions.ts";
import { endsItsLine, lineHead } from "../sites.ts";
import { defineTemplate, type Edit } from "../template.ts";

export default defineTemplate({
  name: "remove-statement",
  description: "Removes a statement.",
  source: "GenProg (Le Goues et al., TSE 2012); Kali (Qi et al., ISSTA 2015); TBar FP15",
  prior: 0.25,
  at: ["expression-statement", "if", "raise", "break", "continue", "return"],
  *apply(site): Generator<Edit> {
    const { node, source } = site;
    if (isReturned(site)) return;
    const siblings = (node.parent?.children ?? []).filter((child) => isStatement(source, child));
    const holder = node.parent === undefined ? undefined : roleOf(source, node.parent);
    if (siblings.length > 1 && (holder === "block" || holder === "module") && endsItsLine(site)) {
      const head = lineHead(source, node.start);
      if (head.trim() !== "") return;
      const { text } = source.tree;
      const rest = /^[^\n]*\n?/.exec(text.slice(node.end))?.[0] ?? "";
      yield { start: node.start - head.length, end: node.end + rest.length, replacement: "" };
    } else if (source.dialect.roles["pass_statement"] === "pass") {
      yield { start: node.start, end: node.end, replacement: "pass" };
    }
  },
});
