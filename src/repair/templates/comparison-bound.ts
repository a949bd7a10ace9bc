import { binaryOf, roleOf } from "../../syntax/reading.ts";
import { defineTemplate, type Edit, textAt } from "../template.ts";

export default defineTemplate({
  name: "comparison-bound",
  description:
    "Moves the bound of a comparison: changes the operator and, at the same time, shifts the integer by one.",
  source:
    "SPR's abstract condition values (Long, Rinard: FSE 2015); Angelix's bounds (Mechtaev et al., ICSE 2016)",
  prior: 0.5,
  at: ["binary"],
  *apply(site): Generator<Edit> {
    const binary = binaryOf(site.source, site.node);
    const { comparison, equalities } = site.source.dialect.operators;
    if (binary === undefined || !comparison.includes(binary.sign)) return;
    const bound = roleOf(site.source, binary.right) === "number" ? textAt(site, binary.right) : "";
    if (!/^\d{1,9}$/.test(bound)) return;
    const value = Number(bound);
    // Over the integers `< n + 1` equals `<= n`: one spelling of each set of values is enough.
    for (const other of [value + 1, value - 1]) {
      for (const sign of ["<=", ">=", ...equalities]) {
        if (sign === binary.sign) continue;
        const weight = (equalities.includes(sign) ? 0.5 : 1) * (other < 0 ? 0.4 : 1);
        yield {
          start: binary.operator.start,
          end: binary.right.end,
          replacement: `${sign} ${other}`,
          weight,
        };
      }
    }
  },
});
