import { expect, test } from "vitest";
import { findRustExample } from "./rust-examples.ts";
import { readTestRegions } from "./test-regions.ts";

const regions = await readTestRegions({
  files: ["src/lib.rs"],
  read: async () => undefined,
  outcomes: [{ key: { package: "", target: "doc:src/lib.rs", name: "src/lib.rs - packs" } }],
  framework: undefined,
});
const example = (text: string): string => `/// \`\`\`\n/// ${text};\n/// \`\`\`\n`;
const text = `${example("one()")}///\n/// More:\n///\n${example("two()")}#[inline]\npub const fn packs(pieces: u32) -> u32 {
    pieces
}

pub enum Fault {
${example("three()")}    TooLarge,
}

${example("four()")}fn new() {}
${example("five()")}fn new() {}

/// \`\`\`no_run
/// six();
/// \`\`\`
${example("seven()")}pub struct Deck;
`;

test.each([
  ["src/lib.rs - packs", "one()"],
  ["src/lib.rs - packs #2", "two()"],
  ["src/lib.rs - Fault::TooLarge", "three()"],
  ["src/lib.rs - new", undefined],
  ["src/lib.rs - Deck #2", undefined],
  ["src/lib.rs - other", undefined],
])("%s", async (name, said) => {
  const span = findRustExample(text, await regions.spansIn("src/lib.rs", text), name);
  expect(span === undefined ? undefined : text.slice(span.start, span.end)).toEqual(
    said === undefined ? undefined : expect.stringContaining(said),
  );
});
