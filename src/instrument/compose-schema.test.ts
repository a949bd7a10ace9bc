import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import go from "../languages/go/go.ts";
import javascript from "../languages/javascript/javascript.ts";
import { composeSchema, type Variant } from "./compose-schema.ts";

const text = `const limit = 3;
function sum(list) {
  "use strict";
  let total = 0;
  for (const each of list) { if (each > limit) { total += each; } } // all
  return total;
}
const twice = (x) => x * 2;
`;

/** The variant that writes `after` for the only `before`. */
function variant(id: number, before: string, after: string): Variant {
  const start = text.indexOf(before);
  return { id, start, end: start + before.length, replacement: after };
}

const variants = [
  variant(1, "total = 0", "total = 10"),
  variant(2, "each > limit", "each >= limit"),
  variant(3, "total += each", "total -= each"),
  variant(4, "x * 2", "x + 2"),
  variant(5, "limit = 3", "limit = 4"),
  variant(6, "each > limit", "each < limit"),
];

describe("a program with many candidates", async () => {
  const schema = await composeSchema({ path: "a.js", text }, javascript, variants);

  function run(program: string, chosen: number): unknown {
    const context = { chosen };
    const choose = `globalThis.__millwrightCandidate = chosen;`;
    return runInNewContext(`${choose}${program};[sum([1, 3, 5]), twice(5)].join()`, context);
  }

  it("does what each of them does when it is chosen, and what the program did when none is", () => {
    expect(run(schema.text, 0)).toBe(run(text, 0));
    for (const { id, start, end, replacement } of variants.filter((each) => each.id !== 5)) {
      const plain = text.slice(0, start) + replacement + text.slice(end);
      expect(run(schema.text, id), `candidate ${id}`).toBe(run(plain, 0));
    }
  });

  it("leaves out what runs once at the start", () => {
    expect(schema.left).toEqual([5]);
  });

  it("says on which lines each one's own text stands", () => {
    const lines = schema.text.split("\n");
    for (const { id, replacement } of variants.filter((each) => each.id !== 5)) {
      const place = schema.places.get(id);
      expect(lines.slice((place?.startLine ?? 0) - 1, place?.endLine).join("\n")).toContain(replacement);
    }
    const places = [...schema.places.values()].sort((a, b) => a.startLine - b.startLine);
    for (const [index, place] of places.entries()) {
      expect(place.startLine).toBeGreaterThan(places[index - 1]?.endLine ?? 0);
    }
  });

  it("stops at the largest text", async () => {
    const small = await composeSchema({ path: "a.js", text }, javascript, variants, text.length + 45);
    expect(small.left).toEqual([1, 2, 5, 6]);
  });
});

it("what follows the last statement of a case in Go stands on a line of its own", async () => {
  const source = `package a

func f(n int) int {
	switch n {
	case 1:
		n = n + 1
		return n
	case 2:
		return 0
	default:
		return n
	}
}
`;
  const start = source.indexOf("n + 1");
  const variants = [{ id: 1, start, end: start + 5, replacement: "n - 1" }];
  const second = source.indexOf("return 0");
  const more = [{ id: 2, start: second, end: second + 8, replacement: "return 1" }];
  const { text: program, left } = await composeSchema({ path: "a.go", text: source }, go, [
    ...variants,
    ...more,
  ]);
  expect(left).toEqual([]);
  for (const label of ["case 2:", "default:"])
    expect(program.split("\n").filter((line) => line.includes(label))).toEqual([`\t${label}`]);
});
