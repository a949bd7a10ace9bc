import { expect, test } from "vitest";
import { findRenames, takeRenamed } from "./stated-renames.ts";

const code = (name: string, list: string): string =>
  `pub struct Deck;\n\nimpl Deck {\n    pub fn ${name}(&self) -> u32 {\n        6\n    }\n\n    pub fn ${list}(&self) -> u32 {\n        self.${name}() * 2\n    }\n}\n`;
const change = (before: string, after: string) => [{ path: "src/lib.rs", before, after }];
const asked = "Consider renaming `Deck::cards()`: it is not a list.\n\n* `count()`\n* `size()`\n";

test.each([
  [
    "the asked rename, and one that follows from it",
    asked,
    ["count", "counts_twice"],
    [
      ["cards", "count"],
      ["cards_twice", "counts_twice"],
    ],
  ],
  ["a name that the statement does not contain", asked, ["number", "numbers_twice"], []],
  ["only the name that it does not ask about", asked, ["cards", "count"], []],
  ["no request to rename", "`Deck::cards()` has to count, as `count()` does.", ["count", "counts_twice"], []],
] as const)("%s", async (_, statement, [name, list], expected) => {
  const found = await findRenames(statement, change(code("cards", "cards_twice"), code(name, list)));
  expect([...found]).toEqual(expected);
});

test("an old name that is still defined has no rename", async () => {
  const both = code("count", "cards");
  expect([...(await findRenames(asked, change(code("cards", "twice"), both)))]).toEqual([]);
});

test("takes only lines that differ in the renamed name, and keeps expectations and literals", () => {
  const renames = new Map([["cards", "count"]]);
  const before = ["use cards::Deck;", "eq(deck.cards(), 6);", "eq(deck.cards(), 7);", 'eq(say(), "cards");'];
  const after = ["use cards::Deck;", "eq(deck.count(), 6);", "eq(deck.count(), 8);", 'eq(say(), "count");'];
  expect(takeRenamed(before.join("\n"), after.join("\n"), renames).split("\n")).toEqual([
    "use cards::Deck;",
    "eq(deck.count(), 6);",
    "eq(deck.cards(), 7);",
    'eq(say(), "cards");',
  ]);
});

test("does not put an old name in place of a new one", () => {
  const renames = new Map([["cards", "count"]]);
  expect(takeRenamed("eq(deck.count(), 6);", "eq(deck.cards(), 6);", renames)).toBe("eq(deck.count(), 6);");
});

test.each([
  ["assert total([1]) == {'total': 1}", "assert sum_of([1]) == {'sum_of': 1}"],
  ["expect(total([1])).toEqual({ total: 1 });", "expect(sum_of([1])).toEqual({ sum_of: 1 });"],
  ["assert total([1]).total == 1", "assert sum_of([1]).sum_of == 1"],
  ["assert total([1]) == dict(total=1)", "assert sum_of([1]) == dict(sum_of=1)"],
])("does not rename what may belong to a result: %s", (before, after) => {
  expect(takeRenamed(before, after, new Map([["total", "sum_of"]]))).toBe(before);
});
