import { callOf, roleOf } from "../../syntax/reading.ts";
import { defineTemplate, type Edit, textAt } from "../template.ts";

export default defineTemplate({
  name: "swap-arguments",
  description: "Exchanges two arguments of a call.",
  source: "Rice et al.: Detecting Argument Selection Defects, OOPSLA 2017; TBar FP10",
  prior: 0.6,
  at: ["call"],
  *apply(site): Generator<Edit> {
    const call = callOf(site.source, site.node);
    const given = call?.arguments.filter(
      (one) => !["keyword-argument", "spread"].includes(roleOf(site.source, one) ?? ""),
    );
    if (given === undefined) return;
    for (const [index, first] of given.entries()) {
      for (const [distance, second] of given.slice(index + 1).entries()) {
        const between = site.source.tree.text.slice(first.end, second.start);
        const replacement = textAt(site, second) + between + textAt(site, first);
        yield { start: first.start, end: second.end, replacement, weight: distance === 0 ? 1 : 0.6 };
      }
    }
  },
});
