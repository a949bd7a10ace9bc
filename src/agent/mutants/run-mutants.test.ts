import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import type { Batch, TestCommand, TestFramework } from "../../languages/contract.ts";
import type { TreeStore } from "../../workspace/contract.ts";
import type { TestRun } from "../../workspace/test-runner.ts";
import type { RunContext } from "../action.ts";
import { openPace } from "../record/pace.ts";
import { openRecorder } from "../record/recorder.ts";
import type { BenchBatch, Suite, TestExecutor } from "../suite.ts";
import type { Mutant } from "./list-mutants.ts";
import { runMutants, runMutantsOn } from "./run-mutants.ts";

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
  const run: TestExecutor["run"] = async (_, { testTimeoutMs }) => {
    limits.push(testTimeoutMs);
    const said = limits.length === 1 ? outcomes : again;
    return partOf<TestRun>({
      report: partOf<TestRun["report"]>({ outcomes: said, invalid: undefined }),
      end,
    });
  };
  const on = {
    ...{
      executor: partOf<TestExecutor>({ run }),
      trees: partOf<TreeStore>({ read: async () => Buffer.from("a"), write: async () => "tree" }),
    },
    ...{
      command: partOf<TestCommand>({}),
      framework: partOf<TestFramework>({ builds }),
      testTimeoutMs: 1,
      durationMs: 1,
    },
  };
  return (await runMutantsOn(on, { tree: "base", tests: [key], mutants: [mutant] }, 60_000))[0];
}

test("past the budget, mutants run until it is decided whether the tests notice enough", async () => {
  const verdictsOf = async (outcomes: readonly TestOutcome[], leastShare?: number) => {
    const run: TestExecutor["run"] = async () => {
      await delay(150);
      return partOf<TestRun>({ report: partOf<TestRun["report"]>({ outcomes }), end: "exited" });
    };
    const on = {
      ...{
        executor: partOf<TestExecutor>({ run }),
        trees: partOf<TreeStore>({ read: async () => Buffer.from("a"), write: async () => "tree" }),
      },
      ...{ command: partOf<TestCommand>({}), framework: partOf<TestFramework>({}) },
      ...{ testTimeoutMs: 1, durationMs: 1 },
    };
    const mutants = Array.from({ length: 8 }, () => mutant);
    const asked = { tree: "base", tests: [key], mutants, budgetMs: 120 };
    const verdicts = await runMutantsOn(
      on,
      leastShare === undefined ? asked : { ...asked, leastShare },
      60_000,
    );
    return verdicts.filter((verdict) => verdict !== "unknown").length;
  };
  expect(await verdictsOf([failing("AssertionError")])).toBe(1);
  expect(await verdictsOf([failing("AssertionError")], 0.5)).toBe(4);
  // Five survivors of eight decide, too.
  expect(await verdictsOf([{ key, status: "passed", durationMs: 1 }], 0.5)).toBe(5);
});

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

test("a mutant is not unbuildable because of another that breaks the build of its text", async () => {
  const base =
    "class A {\n  int f(int a) {\n    int i = a + 1;\n    int j = a + 2;\n    return i + j;\n  }\n}\n";
  const replace = (from: string, to: string): Mutant => ({
    ...{ file: "A.java", line: 1, description: "", base, replacement: to },
    ...{ start: base.indexOf(from), end: base.indexOf(from) + from.length },
  });
  const [unset, own, other] = [
    replace("a + 1", "a - 1"),
    replace("a + 2", "a - 2"),
    replace("i + j", "i - j"),
  ];
  const texts = new Map<string, string>();
  const trees = partOf<TreeStore>({
    read: async () => Buffer.from(base),
    async write(_, [file]) {
      const tree = `tree ${texts.size}`;
      texts.set(tree, String(file?.content));
      return tree;
    },
  });
  const runBatch = async (_: unknown, __: unknown, { tree, candidates }: BenchBatch) => {
    const lines = (texts.get(tree) ?? "").split("\n");
    const lineOf = (text: string): number => lines.findIndex((line) => line.includes(text)) + 1;
    const complain = (line: number) => ({ file: "A.java", line, message: "i is unset" });
    const complaints = [complain(lineOf("a - 2")), complain(lineOf("class A"))];
    const passed = [{ key, status: "passed" as const, durationMs: 1 }];
    const outcomes = candidates.map(({ id }) => [id, id > 3 ? passed : [failing("AssertionError")]] as const);
    return texts.get(tree)?.includes("a - 1") === true
      ? { outcomes: new Map(), complaints, invalid: undefined }
      : { outcomes: new Map(outcomes), complaints: [], invalid: undefined };
  };
  const run: TestExecutor["run"] = async () =>
    partOf<TestRun>({
      report: partOf<TestRun["report"]>({ outcomes: [failing("BuildError")], invalid: undefined }),
      end: "exited",
    });
  const on = {
    ...{ executor: partOf<TestExecutor>({ run, runBatch }), trees, command: partOf<TestCommand>({}) },
    framework: partOf<TestFramework>({ batch: partOf<Batch>({ kind: "schema" }) }),
    ...{ testTimeoutMs: 1, durationMs: 1 },
  };
  const verdicts = await runMutantsOn(
    on,
    { tree: "base", tests: [key], mutants: [unset, own, other] },
    60_000,
  );
  expect(verdicts).toEqual(["unbuildable", "noticed", "noticed"]);
});

test("tests that stand in the mutated file run with the mutant, and one without a place shows nothing", async () => {
  const tests = "\n#[test] fn shows() {}\n";
  const run: TestExecutor["run"] = async (_, { tree }) => {
    const outcomes = tree.includes(tests) ? [{ key, status: "passed" as const, durationMs: 1 }] : [];
    return partOf<TestRun>({
      report: partOf<TestRun["report"]>({ outcomes, invalid: undefined }),
      end: "exited",
    });
  };
  const on = {
    executor: partOf<TestExecutor>({ run }),
    trees: partOf<TreeStore>({
      read: async () => Buffer.from(`a${tests}`),
      write: async (_, [file]) => String(file?.content),
    }),
    ...{ command: partOf<TestCommand>({}), framework: partOf<TestFramework>({}) },
    ...{ testTimeoutMs: 1, durationMs: 1 },
  };
  const mutants = [mutant, { ...mutant, base: "c" }];
  expect(await runMutantsOn(on, { tree: "base", tests: [key], mutants }, 60_000)).toEqual([
    "survives",
    "unbuildable",
  ]);
});

test("a replay runs the mutants for which the recorded run had time, at any speed", async () => {
  const root = mkdtempSync(join(tmpdir(), "millwright-mutants-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const five = [..."12345"].map((replacement) => ({ ...mutant, replacement }));
  const verdictsAt = async (msPerMutant: number, replayed?: string) => {
    const directory = mkdtempSync(join(root, "run-"));
    const pace = openPace({ folder: directory, replayed, of: () => "the task" });
    const recorder = await openRecorder(directory, () => {}, undefined, { pace });
    const run: TestExecutor["run"] = async () => {
      await delay(msPerMutant);
      const outcomes = [failing("AssertionError")];
      return partOf<TestRun>({ report: partOf<TestRun["report"]>({ outcomes }), end: "exited" });
    };
    const command = partOf<TestCommand>({ framework: "f" });
    const context = partOf<RunContext>({
      recorder,
      limits: partOf<RunContext["limits"]>({ remainingMs: () => Number.POSITIVE_INFINITY }),
      frameworks: [partOf<TestFramework>({ name: "f" })],
      suite: partOf<Suite>({ command, outcomes: [], durationMs: 1 }),
      workspace: partOf<RunContext["workspace"]>({
        trees: partOf<TreeStore>({ read: async () => Buffer.from("a"), write: async () => "tree" }),
      }),
      executor: partOf<TestExecutor>({ run }),
    });
    const asked = { tree: "base", tests: [key], mutants: five, budgetMs: 1_000 };
    const verdicts = await runMutants(context, asked).finally(() => recorder.close());
    return { directory, verdicts };
  };
  const recorded = await verdictsAt(400);
  expect(recorded.verdicts).toEqual(["noticed", "noticed", "noticed", "unknown", "unknown"]);
  for (const ms of [0, 600])
    expect((await verdictsAt(ms, recorded.directory)).verdicts).toEqual(recorded.verdicts);
});
