import { binaryOf } from "../../syntax/reading.ts";
import { defineTemplate, type Edit } from "../template.ts";

export default defineTemplate({
  name: "boolean-operator",
  description: "Replaces `and` with `or`, and `or` with `and`.",
  source: "COR of mutation testing; TBar FP11 (Liu et al., ISSTA 2019)",
  prior: 0.6,
  at: ["binary"],
  *apply(site): Generator<Edit> {
    const binary = binaryOf(site.source, site.node);
    const { and, or } = site.source.dialect.operators;
    if (binary === undefined || (binary.sign !== and && binary.sign !== or)) return;
    const { start, end } = binary.operator;
    yield { start, end, replacement: binary.sign === and ? or : and };
  },
});
