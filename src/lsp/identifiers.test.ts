import { describe, expect, test } from "vitest";
import { positionCandidates, type RoughPosition } from "./identifiers.ts";

const text = `import shop
total = 0

def add(total, price):
    return total + price

def pay(price):
    print(add(0, price))
`;

const words = new Set(["import", "def", "return"]);

function candidates(wanted: Omit<RoughPosition, "path">, opened: Record<string, string> = {}): string[] {
  const found = positionCandidates(
    { path: "a.py", ...wanted },
    text,
    new Map(Object.entries(opened)),
    (name) => words.has(name),
  );
  return found.map(({ path, line, column, name, origin }) => `${path}:${line}:${column} ${name} ${origin}`);
}

describe("a position that is named roughly", () => {
  test("a name on its line is exact, each time it stands there, before all others", () => {
    expect(candidates({ line: 5, name: "total" })).toEqual([
      "a.py:5:11 total exact",
      "a.py:4:8 total near",
      "a.py:2:0 total near",
    ]);
  });

  test("a line alone means its names from left to right, without the language's words, then those close by", () => {
    expect(candidates({ line: 5 }).slice(0, 4)).toEqual([
      "a.py:5:11 total line",
      "a.py:5:19 price line",
      "a.py:4:4 add near",
      "a.py:4:8 total near",
    ]);
  });

  test("an empty line means what is close to it", () => {
    expect(candidates({ line: 6 }).slice(0, 3)).toEqual([
      "a.py:5:11 total near",
      "a.py:5:19 price near",
      "a.py:7:4 pay near",
    ]);
  });

  test("a name on a wrong line means the nearest of that name", () => {
    expect(candidates({ line: 1, name: "pay" })).toEqual(["a.py:7:4 pay near"]);
  });

  test("a name without a line is looked for from the top", () => {
    expect(candidates({ name: "price" })[0]).toBe("a.py:4:15 price near");
  });

  test("a name that the file has not is looked for in files opened before, the last first, near that line", () => {
    const opened = { "b.py": "x\ncart = 1\ncart\n\n\n\n", "c.py": "cart\n", "a.py": text };
    expect(candidates({ line: 3, name: "cart" }, opened)).toEqual([
      "b.py:3:0 cart opened",
      "b.py:2:0 cart opened",
      "c.py:1:0 cart opened",
    ]);
    expect(candidates({ line: 99 }, opened)).toEqual([]);
  });

  test("only whole names count, of any script, counted in UTF-16", () => {
    const found = positionCandidates({ path: "a", line: 1, name: "größe" }, "𝒳 größer größe", new Map());
    expect(found).toEqual([{ path: "a", line: 1, column: 10, name: "größe", origin: "exact" }]);
  });

  test("a file that cannot be read leaves those opened before", () => {
    const found = positionCandidates({ path: "gone", line: 1, name: "x" }, undefined, new Map([["b", "x"]]));
    expect(found).toEqual([{ path: "b", line: 1, column: 0, name: "x", origin: "opened" }]);
  });

  test("a line of a thousand names gives a few to try, not all", () => {
    const wide = Array.from({ length: 1000 }, (_, index) => `n${index}`).join(" ");
    expect(positionCandidates({ path: "a", line: 1 }, wide, new Map()).length).toBeLessThan(20);
  });
});
