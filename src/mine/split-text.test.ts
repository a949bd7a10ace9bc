import { expect, test } from "vitest";
import { readTestRegions } from "../judging/test-regions.ts";
import { divideText } from "./split-text.ts";

const before = `pub fn add(a: i32, b: i32) -> i32 {
    a - b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero() {
        assert_eq!(add(0, 0), 0);
    }
}
`;

async function divide(after: string) {
  const regions = await readTestRegions({
    files: ["src/lib.rs"],
    read: async () => after,
    outcomes: [],
    framework: undefined,
  });
  const [spansBefore, spansAfter] = [
    await regions.spansIn("src/lib.rs", before),
    await regions.spansIn("src/lib.rs", after),
  ];
  return divideText({ before, after, spansBefore, spansAfter });
}

const test2 = "\n    #[test]\n    fn one() {\n        assert_eq!(add(1, 1), 2);\n    }\n";

test("hunks of the tests inside of a source stand in the one text, hunks of its code in the other", async () => {
  const withTest = before.replace("        assert_eq!(add(0, 0), 0);\n    }\n", (text) => `${text}${test2}`);
  const after = withTest.replace("a - b", "a + b");
  const { tests, fix, testHunks, fixHunks } = await divide(after);
  expect(tests).toBe(withTest);
  expect(fix).toBe(before.replace("a - b", "a + b"));
  expect([testHunks, fixHunks]).toEqual([1, 1]);
});

test("a hunk of both is divided between its lines", async () => {
  const half = before.slice(before.indexOf("#[cfg(test)]"));
  const after = `pub fn add(a: i32, b: i32) -> i32 {
    a + b
}

pub fn two() -> i32 {
    2
}

${half.replace("mod tests {", "mod tests {\n    const TWO: i32 = 2;\n")}`;
  const { tests, fix } = await divide(after);
  expect(tests).toContain("const TWO");
  expect(tests).not.toContain("pub fn two");
  expect(fix).toContain("pub fn two");
  expect(fix).not.toContain("const TWO");
});

test("a change of code alone has no tests", async () => {
  const after = before.replace("a - b", "a + b");
  expect(await divide(after)).toEqual({ tests: before, fix: after, testHunks: 0, fixHunks: 1 });
});
