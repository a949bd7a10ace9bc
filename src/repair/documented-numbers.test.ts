import { expect, test } from "vitest";
import { contradictsDocumentation } from "./documented-numbers.ts";

const fee = (documentation: string): string =>
  `def fee(weight):\n    """${documentation}"""\n    return (weight - 2) * 3\n`;
const inScript = "/** At most four seats. */\nexport function fits(size) {\n  return size <= 4;\n}\n";

test.each([
  ["the number is documented", fee("Three for each kilogram."), "* 3", "* 2", true],
  ["by digits", fee("Costs 3 for each kilogram."), "* 3", "* 2", true],
  ["in a comment above", inScript, "<= 4", "<= 3", true],
  ["the new one is documented", fee("Two for each kilogram, once it was three."), "* 3", "* 2", false],
  ["another is documented", fee("The first 5 are free."), "* 3", "* 2", false],
  ["a part of another number", fee("Costs 1.3 or 33."), "* 3", "* 2", false],
  ["more than a number changes", fee("Three for each kilogram."), "* 3", "* rate", false],
  ["nothing is documented", fee(""), "* 3", "* 2", false],
])("%s", (_, text, old, now, expected) => {
  const at = text.indexOf(old);
  const before = text.slice(text.lastIndexOf("\n", at) + 1, text.indexOf("\n", at));
  expect(contradictsDocumentation(text, at, { before, after: before.replace(old, now) })).toBe(expected);
});
