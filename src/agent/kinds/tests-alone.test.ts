import { expect, test } from "vitest";
import { readTestRegions } from "../../judging/test-regions.ts";
import { withTestsOf } from "./tests-alone.ts";

const regions = await readTestRegions({
  files: [],
  read: async () => undefined,
  outcomes: [],
  framework: undefined,
});

const code = (body: string): string => `pub fn take(packs: u32) -> u32 {\n    ${body}\n}\n`;
const tests = (name: string): string =>
  `#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn ${name}() {\n        assert_eq!(take(1), 2);\n    }\n}\n`;
const place = "src/take.rs";

test("the tests of another text take the place of those inside of a source, and its code stays out", async () => {
  const made = await withTestsOf(
    regions,
    place,
    `${code("packs")}\n${tests("takes")}`,
    `${code("packs + 1")}\n${tests("takes_more")}`,
  );
  expect(made).toBe(`${code("packs")}\n${tests("takes_more")}`);
});

test("a source without tests gets them at its end, with their attributes", async () => {
  const made = await withTestsOf(
    regions,
    place,
    code("packs"),
    `${code("packs + 1")}\n${tests("takes_more")}`,
  );
  expect(made).toContain(code("packs"));
  expect(made).toContain(tests("takes_more").trimEnd());
  expect(made).not.toContain("packs + 1");
});

test("tests that are gone are gone, and another language has none inside", async () => {
  expect(await withTestsOf(regions, place, `${code("packs")}\n${tests("takes")}`, code("packs"))).toBe(
    `${code("packs")}\n\n`,
  );
  expect(await withTestsOf(regions, "a.py", "def a(): pass\n", "def b(): pass\n")).toBe("def a(): pass\n");
});
