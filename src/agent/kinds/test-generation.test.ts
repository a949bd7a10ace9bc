import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import { regionsFrom } from "../../judging/test-regions.ts";
import type { TestFramework } from "../../languages/contract.ts";
import type { TreeStore } from "../../workspace/contract.ts";
import type { TestRun } from "../../workspace/test-runner.ts";
import type { JudgeContext } from "../action.ts";
import { emptyState } from "../state/task-state.ts";
import { testGeneration } from "./test-generation.ts";

const code = "pub fn fee(a: u32) -> u32 {\n    a + 1\n}\n";
const tests = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn runs() {\n        super::fee(1);\n    }\n}\n";
const texts: Readonly<Record<string, string>> = { base: code, tree: tests + code };
const outcome = {
  key: { package: "", target: "src/lib.rs", name: "tests::runs" },
  ...{ status: "passed" as const, durationMs: 1 },
};

const regions = regionsFrom({
  isWhole: () => false,
  inside: () => ({ items: false, examples: false }),
});
const context = partOf<JudgeContext>({
  regions: partOf<JudgeContext["regions"]>(regions),
  task: { kind: "test-generation", statement: "", target: "src/lib.rs:fee" },
  frameworks: [partOf<TestFramework>({ name: "fake", coverage: "none" })],
  suite: { outcomes: [], durationMs: 1, command: { framework: "fake" } },
  recorder: { events: [], append() {}, has: () => false, step: (_, execute) => execute() },
  limits: { remainingMs: () => 60_000 },
  workspace: {
    base: "base",
    trees: partOf<TreeStore>({
      list: async () => [{ path: "src/lib.rs", mode: "100644", object: "" }],
      stat: async () => [{ path: "src/lib.rs", added: 1, removed: 0 }],
      read: async (tree) => Buffer.from(texts[tree] ?? tree),
      write: async (_, [file]) => String(file?.content),
    }),
  },
  executor: {
    run: async (_, { tree }) =>
      partOf<TestRun>({
        report: { outcomes: (texts[tree] ?? tree).includes(tests) ? [outcome] : [], invalid: undefined },
        end: "exited",
      }),
  },
});

test("tests inside the target's file are judged on the file that contains them", async () => {
  const candidate = { id: "t1", tree: "tree", kind: "test", origin: "" } as const;
  const { gate, row } = await testGeneration.judge(
    context,
    { ...emptyState, candidates: [candidate] },
    candidate,
  );
  expect(gate.map(({ predicate, holds }) => [predicate, holds])).toEqual([
    ["only-tests-change", true],
    ["new-tests-pass", true],
    ["target-is-covered", false],
    ["no-test-breaks", false],
  ]);
  expect(row?.missing).toEqual(["src/lib.rs:9 is not executed: a + 1"]);
});
