import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { readTestRegions } from "../../judging/test-regions.ts";
import type { Workspace } from "../../workspace/contract.ts";
import { pairMoved } from "./moved-examples.ts";

const key = (item: string) => ({ package: "", target: "doc:src/lib.rs", name: `src/lib.rs - ${item}` });
const ended = (item: string, status: TestOutcome["status"]): TestOutcome => ({
  ...{ key: key(item), status, durationMs: 1 },
});
const example = (name: string, expected: number): string =>
  `/// \`\`\`\n/// assert_eq!(packs(13), ${expected});\n/// \`\`\`\npub fn ${name}() {}\n`;
const regions = await readTestRegions({
  files: ["src/lib.rs"],
  read: async () => undefined,
  outcomes: [{ key: key("packs") }],
  framework: undefined,
});

test.each([
  ["the same program passes as the example of another item", 2, "passed", 1],
  ["another program", 3, "passed", 0],
  ["it fails there", 2, "failed", 0],
] as const)("%s", async (_, expected, status, count) => {
  const texts: Record<string, string> = { base: example("packs", 2), kept: example("boxes", expected) };
  const read = async (tree: string) => Buffer.from(texts[tree] ?? "");
  const workspace = partOf<Workspace>({ trees: partOf<Workspace["trees"]>({ read }) });
  const found = await pairMoved(
    { workspace, regions },
    [key("packs")],
    { base: "base", kept: "kept" },
    { known: [key("packs")], outcomes: [ended("boxes", status)] },
    (program) => program,
  );
  expect(found.size).toBe(count);
});
