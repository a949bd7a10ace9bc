import { expect, test } from "vitest";
import { readMarkdown } from "./markdown.ts";
import { readRestructuredText } from "./restructured-text.ts";

test("Markdown's sections nest, and name the code that they mention once", () => {
  const { definitions, references } = readMarkdown(
    [
      "---",
      "title: x",
      "---",
      "# Parcels",
      "Call `Parcel.price()` and `Parcel.price`, see `src/a.py` or `--flag`.",
      "## The `pick` [function](x.md) ##",
      "```py",
      "# no heading",
      "limit = pick(items)",
      "```",
      "Other",
      "=====",
      "text",
      "",
    ].join("\n"),
  );
  expect(definitions.map((one) => [one.name, one.container, one.startLine, one.endLine])).toEqual([
    ["Parcels", -1, 4, 10],
    ["The pick function", 0, 6, 10],
    ["Other", -1, 11, 13],
  ]);
  expect(references.map((one) => [one.receiver, one.name, one.within, one.at.line])).toEqual([
    ["Parcel", "price", 0, 5],
    [undefined, "pick", 1, 6],
  ]);
  expect(definitions[2]?.documentation).toBe("text");
});

test("reStructuredText's sections have the level at which their style appears first", () => {
  const { definitions, references } = readRestructuredText(
    [
      "=======",
      "Parcels",
      "=======",
      "",
      "Use ``pick(items)`` or :func:`~shop.pick`.",
      "",
      "Inner",
      "-----",
      "Example::",
      "",
      "    total = shop.price(1)",
      "",
      ".. autofunction:: shop.helper",
      "",
      "Second",
      "------",
    ].join("\n"),
  );
  expect(definitions.map((one) => [one.name, one.container, one.startLine, one.endLine])).toEqual([
    ["Parcels", -1, 1, 16],
    ["Inner", 0, 7, 14],
    ["Second", 0, 15, 16],
  ]);
  expect(references.map((one) => [one.receiver, one.name, one.within])).toEqual([
    [undefined, "pick", 0],
    [undefined, "items", 0],
    ["shop", "pick", 0],
    ["shop", "price", 1],
    ["shop", "helper", 1],
  ]);
});
