import { expect, test } from "vitest";
import { readTestRegions } from "../../judging/test-regions.ts";
import { layExamples } from "./base-tests.ts";

const regions = await readTestRegions({
  files: ["src/lib.rs"],
  read: async () => undefined,
  outcomes: [{ key: { package: "", target: "doc:src/lib.rs", name: "src/lib.rs - packs" } }],
  framework: undefined,
});
const text = (example: string, body: string): string =>
  `/// Packs.\n///\n${example}pub fn packs(pieces: u32) -> u32 {\n    ${body}\n}\n`;
const example = (expected: number): string =>
  `/// \`\`\`\n/// assert_eq!(packs(13), ${expected});\n/// \`\`\`\n`;
const base = text(example(2), "pieces / 6");

test.each([
  ["changed", text(example(3), "pieces.div_ceil(6)")],
  ["taken away", text("", "pieces.div_ceil(6)")],
  ["left", text(example(2), "pieces.div_ceil(6)")],
  ["with another beside it", text(`${example(2)}${example(4)}`, "pieces.div_ceil(6)")],
])("an example that was %s stands there as it was, beside the new code", async (_, patched) => {
  const laid = await layExamples(regions, "src/lib.rs", patched, base);
  expect(laid).toBe(text(example(2), "pieces.div_ceil(6)"));
});
