import { expect, it } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import { readTestRegions, type TestRegions } from "../../judging/test-regions.ts";
import { testFrameworks } from "../../languages/index.generated.ts";
import type { RankedStatement } from "../../localize/rank-statements.ts";
import { changedText, openProposalQueue, type ProposalQueue } from "./proposals.ts";

const text = "def f(a, b):\n    if a < b:\n        return a\n    return b\n";

function openQueue({
  remainingMs = (): number => 1000,
  read = async (): Promise<Buffer> => Buffer.from(text),
} = {}): ProposalQueue {
  const statement = (line: number): RankedStatement =>
    ({ file: "a.py", startLine: line, endLine: line, score: 1 / line }) as RankedStatement;
  const context = partOf<Parameters<typeof openProposalQueue>[0]>({
    workspace: { base: "base", trees: { read } },
    signal: new AbortController().signal,
    limits: { remainingMs },
  });
  const regions: TestRegions = {
    isWhole: () => false,
    inside: () => ({ items: true, examples: false }),
    spansIn: async () => [{ start: text.indexOf("return b"), end: text.length }],
  };
  return openProposalQueue(context, {
    ranked: [2, 3, 4].map(statement),
    failures: [],
    regions,
    testTexts: [],
  });
}

it("hands out the same proposals at the same ranks, whoever asks at once", async () => {
  const alone = openQueue();
  const one = await alone.take(30);
  await alone.close();
  const shared = openQueue();
  const chunks = await Promise.all([shared.take(7), shared.take(3), shared.take(20)]);
  await shared.close();
  expect(one).toHaveLength(30);
  expect(one.map(({ rank }) => rank)).toEqual(one.map((_, at) => at));
  expect(chunks.flat()).toEqual(one);
  expect(chunks.map(({ length }) => length)).toEqual([7, 3, 20]);
});

it("takes nothing when it is only looked into, and nothing from test code", async () => {
  const queue = openQueue();
  expect(await queue.peek(2)).toBe(2);
  expect(queue.taken).toBe(0);
  const all = await queue.take(4000);
  await queue.close();
  expect(all[0]?.rank).toBe(0);
  expect(all.filter(({ proposal }) => proposal.end > text.indexOf("return b"))).toEqual([]);
});

it("ends at the limit of time", async () => {
  let left = 1000;
  const queue = openQueue({ remainingMs: () => left });
  expect(await queue.take(1)).toHaveLength(1);
  left = 0;
  expect((await queue.take(500)).length).toBeLessThan(500);
  expect(await queue.take(1)).toEqual([]);
  await queue.close();
});

it("throws to whoever takes what went wrong meanwhile", async () => {
  const read = async (): Promise<Buffer> => {
    throw new Error("no such object");
  };
  const queue = openQueue({ read });
  await expect(queue.take(1)).rejects.toThrow("no such object");
  await expect(queue.take(1)).rejects.toThrow("no such object");
  await queue.close();
});

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

it("of a Rust module with tests and an example inside, the code alone is repaired, and its assertion stays", async () => {
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
  const context = partOf<Parameters<typeof openProposalQueue>[0]>({
    workspace: { trees, base: "base" },
    signal: new AbortController().signal,
    limits: { remainingMs: () => 1000 },
  });
  const queue = openProposalQueue(context, { ranked, failures: [], regions, testTexts: [] });
  const proposals = (await queue.take(4000)).map(({ proposal }) => proposal);
  await queue.close();
  expect(proposals.length).toBeGreaterThan(5);
  const lines = text.split("\n");
  const code = lines.indexOf("    length < free");
  for (const proposal of proposals) {
    const { start } = proposal;
    const changed = changedText(proposal);
    const line = text.slice(0, start).split("\n").length - 1;
    expect(line).toBeGreaterThanOrEqual(code - 2);
    expect(line).toBeLessThanOrEqual(code + 1);
    expect(changed).toContain("debug_assert!(free < 100);");
    expect(changed).toContain("assert!(fits(free, 4));");
  }
});
