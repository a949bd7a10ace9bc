import { expect, test } from "vitest";
import { primaryType } from "./primary-type.ts";

const fence = "```";

test.each([
  ["a title counts first", "Make parsing faster\n\n### Actual behaviour\n\nWrong sums.", "performance"],
  [
    "a form for faults counts before the words of its text",
    `Headings are cut\n\n### Steps to reproduce\n\nRun it with deprecated options.\n`,
    "bug-fix",
  ],
  [
    "a form for wishes counts before the words of its text",
    "Limits per user\n\n### Describe your use case\n\nA wrong limit stops the job.",
    "feature",
  ],
  [
    "words of code do not count",
    `Rows keep their order\n\n${fence}rust\nrows().unwrap();\n${fence}\n\nI expected another order, this is a bug.`,
    "bug-fix",
  ],
])("%s", (_, statement, type) => {
  expect(primaryType({ subject: "", statement }, { goldPatch: "-a\n+b\n" })).toBe(type);
});
