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

interface End {
  readonly end: TestRun["end"];
  /** Outcomes with more time; default: the same. */
  readonly again: readonly TestOutcome[];
  readonly builds: boolean;
}

/** The verdict on one mutant whose run ends so. */
async function verdictOn(
  outcomes: readonly TestOutcome[],
  { end = "exited", again = outcomes, builds = false }: Partial<End> = {},
): Promise<string | undefined> {
  const limits: number[] = [];
  const run: TestBench["run"] = async (_, { testTimeoutMs }) => {
    limits.push(testTimeoutMs);
    const said = limits.length === 1 ? outcomes : again;
    return partOf<TestRun>({
      report: partOf<TestRun["report"]>({ outcomes: said, invalid: undefined }),
      end,
    });
  };
  const on = {
    ...{ bench: partOf<TestBench>({ run }), trees: partOf<TreeStore>({ write: async () => "tree" }) },
    ...{
      command: partOf<TestCommand>({}),
      framework: partOf<TestFramework>({ builds }),
      testTimeoutMs: 1,
      durationMs: 1,
    },
  };
  return (await runMutantsOn(on, { tree: "base", tests: [key], mutants: [mutant] }, 60_000))[0];
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

test("a late test notices a mutant only if it is late with more time, too", async () => {
  const late: TestOutcome = { key, status: "timed-out", durationMs: 1 };
  const passed: TestOutcome = { key, status: "passed", durationMs: 1 };
  expect(await verdictOn([late])).toBe("noticed");
  expect(await verdictOn([late], { again: [passed] })).toBe("survives");
});

test("a build that a limit cuts off shows nothing about the mutant, a program that hangs does", async () => {
  expect(await verdictOn([], { end: "timed-out", builds: true })).toBe("unknown");
  expect(await verdictOn([], { end: "timed-out" })).toBe("noticed");
});
