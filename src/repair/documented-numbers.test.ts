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

const limit = (documentation: string, condition = "size > 4"): string =>
  `LIMIT = 4\n\n\ndef fits(size, order):\n    """${documentation}"""\n    if ${condition} and order != 3:\n        return False\n    return True\n`;

test.each([
  ["at most", limit("At most four seats."), "> 4", ">= 4", true],
  ["at most, by digits", limit("A table has at most 4 seats.", "size <= 4"), "<= 4", "< 4", true],
  ["no more than", limit("No more than\n    four seats."), "> 4", ">= 4", true],
  ["or fewer", limit("Four seats or fewer."), "> 4", ">= 4", true],
  ["more than", limit("Refuses more than `4` seats."), "> 4", "== 4", true],
  ["at least", limit("At least four seats.", "size >= 4"), ">= 4", "> 4", true],
  ["or more", limit("4 or more.", "size < 4"), "< 4", "<= 4", true],
  ["fewer than", limit("Fewer than four seats.", "size < 4"), "< 4", "<= 4", true],
  ["between", limit("Between two and four.", "size <= 4"), "<= 4", "< 4", true],
  ["between, its beginning", limit("Between 4 and 9.", "size >= 4"), ">= 4", "> 4", true],
  ["a constant", limit("At most LIMIT seats.", "size > LIMIT"), "> LIMIT", ">= LIMIT", true],
  ["a constant by its number", limit("At most four seats.", "size > LIMIT"), "> LIMIT", ">= LIMIT", true],
  ["the other way round", limit("At most four seats.", "4 >= size"), "4 >=", "4 >", true],
  [
    "a comment above the line",
    `def f(x):\n    a = 1\n    # at most 4\n    return x <= 4\n`,
    "<= 4",
    "< 4",
    true,
  ],
  ["in script", inScript, "<= 4", "< 4", true],
  ["what the documentation says", limit("At most four seats.", "size >= 4"), ">= 4", "> 4", false],
  ["the same side", limit("At most four seats.", "size > 4"), "> 4", "<= 4", false],
  ["another number", limit("At most five seats."), "> 4", ">= 4", false],
  ["a number without a side", limit("Tables have four legs."), "> 4", ">= 4", false],
  ["both sides", limit("At most four seats, and from four on it costs more."), "> 4", ">= 4", false],
  ["no number", limit("At most four seats.", "size > order"), "> order", ">= order", false],
])("a bound, %s", (_, text, old, now, expected) => {
  const at = text.indexOf(old, text.lastIndexOf("size, order") + 1);
  const before = text.slice(text.lastIndexOf("\n", at) + 1, text.indexOf("\n", at));
  expect(contradictsDocumentation(text, at, { before, after: before.replace(old, now) })).toBe(expected);
});
