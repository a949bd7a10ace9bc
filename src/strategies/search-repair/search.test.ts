import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { Baseline } from "../../agent/measure/baseline.ts";
import type { TestExecutor } from "../../agent/suite.ts";
import type { Batch } from "../../languages/contract.ts";
import type { ProposalQueue, Ranked } from "./proposals.ts";
import { openSearch, type SearchContext } from "./search.ts";

const count = 300;
const tests = ["one", "two"].map((name) => ({ package: "", target: "t", name }));
const outcomesWith = (passed: number) =>
  tests.map((key, at) => ({
    key,
    status: at < passed ? ("passed" as const) : ("failed" as const),
    durationMs: 1,
  }));

interface Searched {
  /** The test runs, in order. */
  readonly said: readonly string[];
  /** Of the batches. */
  readonly sizes: readonly number[];
  readonly tried: readonly number[];
  /** The ranks of the recorded verdicts, in order. */
  readonly recorded: readonly number[];
  /** The names of the steps. */
  readonly keys: readonly string[];
}

/** Candidates that all make the first of two failing tests pass; the one with the rank `plausible` repairs both. */
async function runSearch(
  isOneGroup: boolean,
  plausible?: number,
  takesPartial = plausible === undefined,
  { round = 1, base = "base" } = {},
): Promise<Searched> {
  const keys: string[] = [];
  const said: string[] = [];
  const sizes: number[] = [];
  const recorded: number[] = [];
  const executor = partOf<TestExecutor>({
    run: async () => {
      said.push("all tests");
      return { report: { outcomes: outcomesWith(plausible === undefined ? 1 : 2) }, durationMs: 1 };
    },
    runBatch: async (_: unknown, __: unknown, { candidates }: { candidates: readonly { id: number }[] }) => {
      said.push("batch");
      sizes.push(candidates.length);
      const outcomes = candidates.map(({ id }) => [id, outcomesWith(id - 1 === plausible ? 2 : 1)] as const);
      return { outcomes: new Map(outcomes), complaints: [] };
    },
  });
  const context = partOf<SearchContext>({
    workspace: { base, trees: { write: async () => `tree ${said.length}` } },
    limits: {
      remainingMs: () => Number.POSITIVE_INFINITY,
      remainingSteps: () => Number.POSITIVE_INFINITY,
      spendStep: () => {},
      exhausted: () => undefined,
    },
    recorder: {
      step({ key }, work) {
        keys.push(key);
        return work();
      },
      append(event) {
        if (event.event === "candidate-judged") recorded.push(event.rank);
      },
    },
    parallel: 1,
  });
  let taken = 0;
  const queue: ProposalQueue = {
    get taken() {
      return taken;
    },
    take: async (wanted) => {
      const chunk = Array.from({ length: Math.min(wanted, count - taken) }, (_, at) => {
        const proposal = { file: "a.py", base: "a = 1\n", start: 4, end: 5, replacement: `${taken + at}` };
        return { proposal, rank: taken + at } as Ranked;
      });
      taken += chunk.length;
      return chunk;
    },
    peek: async () => 1,
    close: async () => {},
  };
  const targets = outcomesWith(0);
  const { tried } = await openSearch(context, {
    executorAt: async () => executor,
    round,
    baseline: partOf<Baseline>({ targets, outcomes: targets, others: [], durationMs: 1, command: {} }),
    isOneGroup,
    batch: partOf<Batch>({ kind: "swap", size: 64 }),
    coverage: new Map(),
    queue,
  }).run({ takesPartial });
  return { said, sizes, tried: tried.map(({ rank }) => rank), recorded, keys };
}

test("where one fault is likelier, what repairs some of the tests is run on all of them only after many were screened", async () => {
  const { said } = await runSearch(true);
  expect(said.slice(0, 4)).toEqual(["batch", "batch", "batch", "batch"]);
  expect(said.filter((each) => each === "all tests")).toHaveLength(2);
});

test("the first candidates run soon, and later batches are larger", async () => {
  expect((await runSearch(true)).sizes.slice(0, 5)).toEqual([8, 8, 16, 32, 64]);
});

test("where several faults are likelier, it is run at once", async () => {
  expect((await runSearch(false)).said.slice(0, 2)).toEqual(["batch", "all tests"]);
});

test("the record has the candidates that the report counts, not others of the same batch", async () => {
  const { tried, recorded } = await runSearch(false, 3);
  expect(tried).toHaveLength(28);
  expect(recorded).toEqual(tried);
});

test("a repair of all failing tests runs all tests once, and partial ones not at all", async () => {
  const { said } = await runSearch(false, 3, true);
  expect(said.filter((each) => each === "all tests")).toHaveLength(1);
});

test("the steps of a later round name its base: in another arm, a round may have another one", async () => {
  const screened = async (base: string): Promise<string[]> => {
    const { keys } = await runSearch(false, 3, false, { round: 2, base });
    return keys.filter((key) => key.startsWith("screen:"));
  };
  const other = new Set(await screened("other"));
  expect((await screened("base")).filter((key) => other.has(key))).toEqual([]);
});
