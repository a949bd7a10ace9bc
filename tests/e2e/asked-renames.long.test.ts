/** Renames that the statement asks for: existing tests run with the new name, and with nothing else changed. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlayground, type Playground } from "./millwright.ts";
import { type ScriptedAnswer, solveScripted } from "./scripted-solve.ts";
import { predicate } from "./scripted-steps.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const call = (name: string, input: object): ScriptedAnswer => ({ role: "editing", calls: [{ name, input }] });
const library = (body: string, full: number): string => `//! Packs pieces, six to a pack.

/// Counts the boxes for so many pieces.
///
/// \`\`\`
/// assert_eq!(parcels::boxes(13), 2);
/// \`\`\`
///
/// A box that is full is no more than one:
///
/// \`\`\`
/// assert_eq!(parcels::boxes(12), ${full});
/// \`\`\`
pub fn boxes(pieces: u32) -> u32 {
    ${body}
}
`;

const asked = "Consider renaming `packs`: the shop sells boxes. Its name should be `boxes`.";

test.each([
  [
    "counts the examples under the new name",
    asked,
    library("pieces / 6", 2),
    0,
    "asks to rename packs to boxes",
  ],
  [
    "not with another expectation",
    asked,
    library("pieces.saturating_sub(1) / 6", 1),
    10,
    "src/lib.rs - packs #2",
  ],
  [
    "not unasked",
    "The shop sells `boxes`, and `packs` has another name.",
    library("pieces / 6", 2),
    10,
    "packs",
  ],
])("%s", async (_, statement, content, exitCode, evidence) => {
  const end = await solveScripted(playground, {
    strategy: "react",
    statement,
    repository: playground.copyRepository("wrong-test-rust"),
    answers: [
      call("create", {
        path: "tests/boxes.rs",
        text: "#[test]\nfn counts_boxes() {\n    assert_eq!(parcels::boxes(13), 2);\n}\n",
      }),
      call("bash", { command: `cat > src/lib.rs <<'END'\n${content}END` }),
      call("bash", { command: "sed -i 's/\\bpacks\\b/boxes/g' tests/packs.rs" }),
      { ...call("submit", { summary: "boxes" }), times: "always" },
    ],
  });
  expect(predicate(end.report, "no-test-breaks")?.evidence, end.stderr).toContain(evidence);
  expect(end.exitCode, JSON.stringify(end.report.gate)).toBe(exitCode);
});
