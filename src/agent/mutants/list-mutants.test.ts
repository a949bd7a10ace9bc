import { expect, test } from "vitest";
import python from "../../languages/python/python.ts";
import { listMutants } from "./list-mutants.ts";

/** Counts how often a line is looked up. */
class CountedLines extends Set<number> {
  lookups = 0;
  override has(line: number): boolean {
    this.lookups += 1;
    return super.has(line);
  }
}

async function mutate(functions: number) {
  const text = "def f(a):\n    return a + 1\n".repeat(functions);
  const lines = new CountedLines(Array.from({ length: 2 * functions }, (_, index) => index + 1));
  const mutants = await listMutants([{ file: "f.py", text, language: python, lines }], 20);
  return { lookups: lines.lookups, places: mutants.map(({ line, description }) => [line, description]) };
}

test("a patch of thousands of lines has the mutants of its first lines, and no others are made", async () => {
  const [small, large] = [await mutate(100), await mutate(600)];
  expect(large.places).toHaveLength(20);
  expect(large).toEqual(small);
});

test("of hundreds of hunks, only those are reverted that are taken", async () => {
  const text = Array.from({ length: 300 }, (_, index) => `a${index} = b + ${index}\n`).join("");
  let asked = 0;
  const list = Array.from({ length: 300 }, (_, index) => ({
    get beforeStart() {
      asked += 1;
      return index + 1;
    },
    ...{ beforeEnd: index + 2, afterStart: index + 1, afterEnd: index + 2 },
  }));
  const place = { file: "f.py", text, language: python, lines: new Set([1, 2]) };
  const revert = (before: string) => listMutants([{ ...place, hunks: { before, list } }], 12);
  expect((await revert(text.replaceAll("+", "-"))).slice(0, 4).map(({ description }) => description)).toEqual(
    [1, 2, 3, 4].map((line) => `the change of line ${line} is reverted`),
  );
  expect(asked).toBe(4);
  await revert(text);
  expect(asked).toBe(4 + 16);
});

test("a file is opened once, although its lines are mutated in pieces", async () => {
  let opened = 0;
  const grammar = () => {
    opened += 1;
    return python.grammar();
  };
  const rows = Array.from({ length: 600 }, (_, index) => `    "name ${index}",\n`).join("");
  const text = `names = [\n${rows}]\nlight = a + 1\n`;
  const lines = new Set(Array.from({ length: 603 }, (_, index) => index + 1));
  const language = { name: python.name, grammar };
  const mutants = await listMutants([{ file: "f.py", text, language, lines }], 200);
  expect(mutants.at(-1)?.line).toBe(603);
  expect(opened).toBe(1);
});
