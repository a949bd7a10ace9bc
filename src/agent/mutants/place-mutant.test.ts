import { expect, test } from "vitest";
import { type Mutant, mutatedText } from "./list-mutants.ts";
import { placeMutant } from "./place-mutant.ts";

const base = "fn fee(a: u32) -> u32 {\n    a + 1\n}\n";
const mutant: Mutant = {
  ...{ file: "src/lib.rs", line: 2, description: "`a - 1` instead", base, replacement: "-" },
  ...{ start: base.indexOf("+"), end: base.indexOf("+") + 1 },
};
const tests = "#[test]\nfn counts() {\n    assert_eq!(fee(1), 2);\n}\n";

test("a mutant keeps the tests that its file has on the tree, before and after the mutated line", () => {
  for (const text of [base + tests, tests + base, `// a + 1\n${base}`]) {
    const placed = placeMutant(mutant, text);
    expect(placed && mutatedText(placed)).toBe(text.replace("    a + 1", "    a - 1"));
  }
  expect(placeMutant(mutant, base)).toBe(mutant);
});

test("a mutant of a line that the tree lacks has no place", () => {
  expect(placeMutant(mutant, base.replace("a + 1", "a + 2"))).toBeUndefined();
  expect(placeMutant(mutant, "")).toBeUndefined();
  const whole = { ...mutant, start: 0, end: base.length, replacement: `${base}// checked\n` };
  expect(placeMutant(whole, base.replace("a + 1", "a + 2"))).toBeUndefined();
});
