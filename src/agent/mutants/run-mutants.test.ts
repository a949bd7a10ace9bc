import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import type { TestCommand, TestFramework } from "../../languages/contract.ts";
import type { TreeStore } from "../../workspace/contract.ts";
import type { TestRun } from "../../workspace/test-runner.ts";
import type { TestBench } from "../suite.ts";
import type { Mutant } from "./list-mutants.ts";
import { runMutantsOn } from "./run-mutants.ts";

const key = { package: "", target: "fee_test.go", name: "TestFee" };
const failing = (type: string): TestOutcome => ({
  ...{ key, status: "failed", durationMs: 1 },
  failure: { type, message: "", text: "", frames: [] },
});
const mutant: Mutant = {
  file: "fee.go",
  line: 1,
  description: "",
  base: "a",
  start: 0,
  end: 1,
  replacement: "b",
};

/** The verdict on one mutant whose run ends so. */
async function verdictOn(outcomes: readonly TestOutcome[]): Promise<string | undefined> {
  const run: TestBench["run"] = async () =>
    partOf<TestRun>({ report: partOf<TestRun["report"]>({ outcomes, invalid: undefined }), end: "exited" });
  const on = {
    ...{ bench: partOf<TestBench>({ run }), trees: partOf<TreeStore>({ write: async () => "tree" }) },
    ...{
      command: partOf<TestCommand>({}),
      framework: partOf<TestFramework>({}),
      testTimeoutMs: 1,
      durationMs: 1,
    },
  };
  return (await runMutantsOn(on, { tree: "base", tests: [key], mutants: [mutant] }, 10_000))[0];
}

test("a mutant that does not build by itself counts neither for the tests nor against them", async () => {
  expect(await verdictOn([failing("BuildError")])).toBe("unbuildable");
  expect(await verdictOn([failing("AssertionError")])).toBe("noticed");
  expect(await verdictOn([failing("CompileError"), failing("Error")])).toBe("noticed");
  expect(await verdictOn([{ key, status: "passed", durationMs: 1 }])).toBe("survives");
});

test("a test that nobody asked notices nothing, even if the command runs it too", async () => {
  const other = { package: "", target: "fee_test.go", name: "TestOther" };
  const beside: TestOutcome = { ...failing("AssertionError"), key: other };
  expect(await verdictOn([{ key, status: "passed", durationMs: 1 }, beside])).toBe("survives");
  expect(await verdictOn([beside])).toBe("noticed");
});
