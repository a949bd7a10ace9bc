import { expect, test } from "vitest";
import { readTestRegions } from "../../judging/test-regions.ts";
import { testFrameworks } from "../../languages/index.generated.ts";
import type { RankedStatement } from "../../localize/rank-statements.ts";
import { listProposals } from "./proposals.ts";

const files: Readonly<Record<string, string>> = {
  "Cargo.toml": '[package]\nname = "fits"\n',
  "src/lib.rs": `/// Whether it fits.
///
/// \`\`\`
/// assert!(fits::fits(3, 4));
/// \`\`\`
pub fn fits(length: u32, free: u32) -> bool {
    debug_assert!(free < 100);
    length < free
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole() {
        let free = 4;
        if free > 3 {
            assert!(fits(free, 4));
        }
    }
}
`,
};

test("of a Rust module with tests and an example inside, the code alone is repaired, and its assertion stays", async () => {
  const text = files["src/lib.rs"] ?? "";
  const regions = await readTestRegions({
    files: Object.keys(files),
    read: async (path) => files[path],
    outcomes: ["src/lib.rs", "doc:src/lib.rs"].map((target) => ({
      key: { package: "", target, name: "tests::whole" },
    })),
    framework: testFrameworks.find(({ name }) => name === "cargo-test"),
  });
  const ranked = text.split("\n").map(
    (_, at): RankedStatement => ({
      ...{ file: "src/lib.rs", startLine: at + 1, endLine: at + 1, score: 1 },
      evidence: {} as RankedStatement["evidence"],
    }),
  );
  const trees = { read: async (_: string, path: string) => Buffer.from(files[path] ?? "") };
  const context = { workspace: { trees, base: "base" }, signal: new AbortController().signal };
  const proposals = await listProposals(
    context as unknown as Parameters<typeof listProposals>[0],
    ranked,
    [],
    regions,
  );
  expect(proposals.length).toBeGreaterThan(5);
  const lines = text.split("\n");
  const code = lines.indexOf("    length < free");
  for (const { start, text: changed } of proposals) {
    const line = text.slice(0, start).split("\n").length - 1;
    expect(line).toBeGreaterThanOrEqual(code - 2);
    expect(line).toBeLessThanOrEqual(code + 1);
    expect(changed).toContain("debug_assert!(free < 100);");
    expect(changed).toContain("assert!(fits(free, 4));");
  }
});
