import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { Baseline } from "../../agent/measure/baseline.ts";
import type { TestBench } from "../../agent/suite.ts";
import type { Batch } from "../../languages/contract.ts";
import type { ProposalQueue, Ranked } from "./proposals.ts";
import { openSearch, type SearchContext } from "./search.ts";

const count = 300;
const keys = ["one", "two"].map((name) => ({ package: "", target: "t", name }));
const outcomesWith = (passed: number) =>
  keys.map((key, at) => ({
    key,
    status: at < passed ? ("passed" as const) : ("failed" as const),
    durationMs: 1,
  }));

/** Candidates that all make the first of two failing tests pass; returns the runs in order. */
async function runSearch(isOneGroup: boolean): Promise<string[]> {
  const said: string[] = [];
  const bench = partOf<TestBench>({
    run: async () => {
      said.push("all tests");
      return { report: { outcomes: outcomesWith(1) }, durationMs: 1 };
    },
    runBatch: async (_: unknown, __: unknown, { candidates }: { candidates: readonly { id: number }[] }) => {
      said.push("batch");
      return { outcomes: new Map(candidates.map(({ id }) => [id, outcomesWith(1)])), complaints: [] };
    },
  });
  const context = partOf<SearchContext>({
    workspace: { base: "base", trees: { write: async () => `tree ${said.length}` } },
    limits: {
      remainingMs: () => Number.POSITIVE_INFINITY,
      remainingSteps: () => Number.POSITIVE_INFINITY,
      spendStep: () => {},
      exhausted: () => undefined,
    },
    recorder: { step: (_, work) => work(), append: () => {} },
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
  await openSearch(context, {
    benchAt: async () => bench,
    round: 1,
    baseline: partOf<Baseline>({ targets, outcomes: targets, others: [], durationMs: 1, command: {} }),
    isOneGroup,
    batch: partOf<Batch>({ kind: "swap", size: 64 }),
    coverage: new Map(),
    queue,
  }).run({ takesPartial: true });
  return said;
}

test("where one fault is likelier, what repairs some of the tests is run on all of them only after many were screened", async () => {
  const said = await runSearch(true);
  expect(said.slice(0, 4)).toEqual(["batch", "batch", "batch", "batch"]);
  expect(said.filter((each) => each === "all tests")).toHaveLength(2);
});

test("where several faults are likelier, it is run at once", async () => {
  expect((await runSearch(false)).slice(0, 2)).toEqual(["batch", "all tests"]);
});
