import { expect, test } from "vitest";
import { compareTexts } from "../../code/change.ts";
import { tellUnparsed } from "./unparsed.ts";

const huge = `# ${"word ".repeat(1_700_000)}\n`;

test.each([
  ["total.py", huge, /^The text of total.py was not read \(larger than 8 MiB\)/],
  ["dist/total.py", huge, /^$/],
  ["deep.py", `${"env::var(".repeat(20_000)}\n`, /^deep.py takes too long to parse, or nests too deeply/],
  ["total.py", `# \0\n# ${"word ".repeat(8_000)}\n`, /^$/],
])("a source that no check can read is told: %s", async (path, head, told) => {
  const file = compareTexts(path, `${head}x = 1\n`, `${head}x = 2\n`);
  expect(await tellUnparsed([file])).toMatch(told);
  expect(await tellUnparsed([compareTexts(path, file.before, file.before)])).toBe("");
});
