import { nameLikeness } from "../likeness.ts";
import { defineTemplate, type Edit, replaceNode, textAt } from "../template.ts";

export default defineTemplate({
  name: "constant-flip",
  description:
    "Flips a truth value, or replaces a short string with another string of the file, an empty string or a space.",
  source: "TBar FP9, mutate literal expression (Liu et al., ISSTA 2019)",
  prior: 0.5,
  at: ["boolean", "string"],
  *apply(site): Generator<Edit> {
    const { spelling } = site.source.dialect;
    const written = textAt(site);
    if (site.role === "boolean") {
      yield replaceNode(site.node, written === spelling.true ? spelling.false : spelling.true);
      return;
    }
    if (!/^(["']).{0,30}\1$/.test(written)) return;
    const others = site.context.strings.filter((other) => other !== written && other[0] === written[0]);
    const likeliest = others.map((other) => ({ other, alike: nameLikeness(written, other) }));
    for (const { other, alike } of likeliest.sort((a, b) => b.alike - a.alike).slice(0, 4)) {
      yield replaceNode(site.node, other, 0.2 + 0.3 * alike);
    }
    const quote = written[0] ?? '"';
    if (written.length === 2) yield replaceNode(site.node, `${quote} ${quote}`, 0.2);
    else yield replaceNode(site.node, `${quote}${quote}`, 0.2);
  },
});
