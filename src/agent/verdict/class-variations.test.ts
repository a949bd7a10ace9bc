import { expect, test } from "vitest";
import { asksForClass, listClassVariations } from "./class-variations.ts";

const none = { keys: [], prose: "", statement: "", signs: [], separators: [], tables: [], asksWhole: false };

function vary(written: string, values: Partial<typeof none> | object, role: "string" | "number" = "string") {
  const asked = { values: { ...none, ...values }, test: written };
  return listClassVariations({ role, written }, asked).map(({ kind, replacements }) => ({
    kind,
    replacements,
  }));
}

test("the marks and the accents that the patch names change all at once", () => {
  const [marks] = vary('"Hello, World!"', { signs: [",", "!"] });
  expect(marks).toEqual({ kind: "class", replacements: ["Hello; World:", "Hello: World?", "Hello? World;"] });
  const [accents] = vary('"Zoë Durée"', { signs: ["é", "ë"] });
  expect(accents?.replacements).toContain("Zoö Durüe");
  for (const text of accents?.replacements ?? []) expect(text).not.toMatch(/[éë]/);
});

test("marks that the statement names, that the test lacks, or that the patch does not name stay", () => {
  expect(vary('"1,5"', { signs: [","], statement: "decimal commas are lost" })).toEqual([]);
  expect(vary('"1,5"', { signs: [","], statement: 'numbers with a "," are lost' })).toEqual([]);
  expect(vary('"Zoë"', { signs: ["ë", "ü"] })).toEqual([]);
  expect(vary('"a & b <c>"', { signs: ["&", "<"] })).toEqual([]);
  expect(vary('"Hello, World!"', {})).toEqual([]);
});

test("leaves out marks that only separate", () => {
  expect(vary('"red,blue"', { signs: [","], separators: [","] })).toEqual([]);
  expect(vary('"red,blue!"', { signs: [",", "!"], separators: [","] })[0]?.replacements).toContain(
    "red,blue;",
  );
});

test("tags get other names", () => {
  const keys = ["t:<b>", "t:</b>"];
  expect(vary('"<b>x</b>"', { keys })[0]?.replacements).toEqual([
    "<c>x</c>",
    "<d>x</d>",
    "<e>x</e>",
    "<g>x</g>",
  ]);
  expect(vary('"<b>x</b>"', { keys, prose: "the tag <b> and </b>" })).toEqual([]);
});

test("units get the places of other units of the same table", () => {
  const keys = ["t:h", "t:m"];
  const tables = [["s", "m", "h", "d"]];
  const [units] = vary('"1h30m"', { keys, tables });
  expect(units).toEqual({ kind: "fault", replacements: ["1s30d", "1d30s", "1s30m", "1h30s"] });
  expect(vary('"1h30m"', { keys })).toEqual([]);
  expect(vary('"1h30m"', { keys: ["t:h"], tables })).toEqual([]);
});

test("whole numbers become fractions if the patch asks for whole numbers and the statement does not", () => {
  const [fractions] = vary("7", { asksWhole: true }, "number");
  expect(fractions).toEqual({ kind: "type", replacements: ["7.5", "8.5", "9.25", "7.25"] });
  expect(vary("7", { asksWhole: true, statement: "integers are too cheap" }, "number")).toEqual([]);
  expect(vary("7", {}, "number")).toEqual([]);
});

test.each([
  ["class", "every character that is neither a letter nor a digit has to go", true],
  ["class", "`plain` keeps accents", true],
  ["tag", "`escape` does not escape tags", true],
  ["class", "`parse_tags` returns all tags as one", false],
  ["type", "`Price` must never show zero cents: `format(2)` gives `$2.00`, and it should give `$2`", false],
  ["type", "each price must be displayed without trailing cents", false],
  ["type", "each kilogram costs 3, and zero kilograms cost 0", true],
  ["class", "each line break has to become a blank", false],
  ["fault", "a text has several units", true],
  ["type", "each kilogram costs 3", true],
  ["type", "`format(7)` shows 7.0", false],
] as const)("%s: %s", (kind, statement, isGeneral) => {
  expect(asksForClass(kind, statement)).toBe(isGeneral);
});
