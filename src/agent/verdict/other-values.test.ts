import { expect, test } from "vitest";
import { listOthers, otherNumbers, otherTexts } from "./other-values.ts";

const none = new Set<string>();

test("other numbers have neighbours, another magnitude, and a number by chance", () => {
  const others = otherNumbers(7, none);
  expect(others).toEqual(expect.arrayContaining([8, 6, 15, 0, 14]));
  expect(new Set(others).size).toBe(others.length);
  expect(others).not.toContain(7);
  expect(otherNumbers(0, none).every((one) => one > 0)).toBe(true);
});

test("numbers that a special case may include show no rule", () => {
  const multiples = otherNumbers(7, new Set(["n:7", "n:8"]));
  expect(multiples.length).toBeGreaterThan(3);
  expect(multiples.filter((one) => one % 7 === 0 || one === 8)).toEqual([]);
  const interval = otherNumbers(1005, new Set(["n:1000", "n:1010"]));
  expect(interval.length).toBeGreaterThan(3);
  expect(interval.filter((one) => Math.abs(one - 1005) < 20)).toEqual([]);
});

test("multiples of a unit, of 2, and neighbours of a small number show a rule", () => {
  expect(otherNumbers(60, new Set(["n:60"]))).toContain(120);
  expect(otherNumbers(2, new Set(["n:2"]))).toContain(4);
  expect(otherNumbers(7, new Set(["n:5", "n:10"]))).toEqual(expect.arrayContaining([8, 6]));
});

test("other texts have another number, other letters, and other lengths", () => {
  expect(otherTexts("7 kg", none)).toEqual(
    expect.arrayContaining(["8 kg", "8 lh", " kg", "7 k", "7 kg7 kg"]),
  );
  const others = otherTexts("hello world", new Set(["n:11"]));
  expect(others.length).toBeGreaterThan(3);
  expect(others.filter((one) => one.length === 11)).toEqual([]);
});

test.each([
  ["7", ["7"]],
  ["7u32", ["7u32"]],
  ["1_000", ["1_000"]],
  ["2.50", ["2.50"]],
  ["0x7", []],
])("a number as written: %s", (written, parts) => {
  const found = listOthers({ role: "number", written }, new Set(), none);
  expect(found.map(({ from, to }) => written.slice(from, to))).toEqual(parts);
  for (const { replacements } of found) expect(replacements.length).toBeGreaterThan(3);
  if (written === "7u32") expect(found[0]?.replacements).toContain("8u32");
  if (written === "2.50") expect(found[0]?.replacements).toContain("3.50");
});

test("a number or a word of a text that the patch names is a part", () => {
  const parts = (written: string, name: string) =>
    listOthers({ role: "string", written }, new Set([name]), none).map(({ from, to, replacements }) => ({
      part: written.slice(from, to),
      some: replacements,
    }));
  expect(parts('"7, 15"', "7")[0]).toEqual({ part: "7", some: expect.arrayContaining(["8", "6"]) });
  expect(parts('"h_t_t_p"', "http")).toHaveLength(1);
  expect(parts('"xHTTPServer"', "http")[0]).toEqual({ part: "HTTP", some: expect.arrayContaining(["IUUQ"]) });
  expect(parts('"""\n1, 0\n7, 15\n"""', "7")).toEqual([{ part: "7", some: expect.arrayContaining(["8"]) }]);
});
