import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { TestOutcome, TestStatus } from "../../domain/test-outcome.ts";
import { judgeNewTests, selectFresh } from "./new-tests.ts";

const outcomeOf = (target: string, name: string): TestOutcome => ({
  key: { package: "", target, name },
  ...{ status: "passed", durationMs: 1 },
});

/** The names of new tests. `ofBase`: the tests that run on the base; undefined for an unreliable report. */
async function freshWith(part: boolean, ofBase: readonly string[] | undefined): Promise<string[]> {
  const asked: string[] = [];
  const context = partOf<Parameters<typeof selectFresh>[0]>({
    suite: {
      command: { framework: "pytest", command: "pytest", directory: "" },
      ...{ outcomes: [outcomeOf("fee.py", "test_known")], durationMs: 1 },
      ...(part && { part: { files: ["fee.py"], of: 9, why: "time" } }),
    },
    limits: { remainingMs: () => 60_000 },
    recorder: {
      has: () => false,
      step: async (_options: unknown, execute: (last: unknown) => unknown) => execute(undefined),
    } as never,
    workspace: {
      base: "base",
      trees: {
        list: async (tree) =>
          (tree === "base" ? ["fee.py"] : ["fee.py", "test_new.py"]).map((path) => ({ path })),
      },
    },
    executor: {
      run: async (_, { tree, selection }) => {
        const keys = selection.kind === "tests" ? selection.tests : [];
        asked.push(...keys.map(({ name }) => `${tree}: ${name}`));
        const outcomes = keys.map((key) => ({
          ...{ key, durationMs: 1 },
          status: ofBase?.includes(key.name) === true ? ("passed" as const) : ("not-run" as const),
        }));
        return { end: "exited", report: { outcomes, ...(ofBase === undefined && { invalid: "odd" }) } };
      },
    },
  });
  const outcomes = [
    outcomeOf("fee.py", "test_known"),
    outcomeOf("fee.py", "test_old"),
    outcomeOf("fee.py", "test_added"),
    outcomeOf("test_new.py", "test_new"),
  ];
  const fresh = await selectFresh(context, { tree: "patched" }, outcomes);
  expect(asked).toEqual(part ? ["base: test_old", "base: test_added"] : []);
  return fresh.map(({ key }) => key.name);
}

test("with a part of the base's results, the base is asked for its other tests of the same file", async () => {
  expect(await freshWith(true, ["test_old"])).toEqual(["test_added", "test_new"]);
  expect(await freshWith(true, undefined)).toEqual(["test_new"]);
  expect(await freshWith(false, [])).toEqual(["test_old", "test_added", "test_new"]);
});

test.each<[string, TestStatus | undefined, TestStatus, boolean]>([
  ["passes alone, but not with all the others", "passed", "failed", false],
  ["passes alone, and then with all the others", "passed", "passed", true],
  ["fails alone", "failed", "passed", false],
])("a broken test that %s", async (_, alone, together, holds) => {
  const old = outcomeOf("fee.py", "test_old");
  const results = new Map<string, readonly TestOutcome[]>([
    ["all:1", [{ ...old, status: "failed" }]],
    ["all:2", [{ ...old, status: together }]],
    ["tests:2", [{ ...old, status: alone ?? "not-run" }]],
  ]);
  const context = partOf<Parameters<typeof judgeNewTests>[0]>({
    suite: { command: { framework: "pytest" }, outcomes: [old], durationMs: 1 },
    limits: { remainingMs: () => 60_000 },
    recorder: {
      has: () => false,
      async step({ key }: { key: string }) {
        const kind = key.includes('"all"') ? "all" : "tests";
        return { outcomes: results.get(`${kind}:${key.split(":").at(-1)}`) };
      },
    } as never,
    workspace: { base: "base", trees: { stat: async () => [] } },
    executor: {},
  });
  const own = { gate: [], isReady: true, missing: [], progress: 0 };
  const candidate = { id: "c1", tree: "patched", kind: "test", origin: "" } as const;
  const fresh = { changed: { tests: [], code: [], inside: [] }, fresh: [], outcomes: [], invalid: undefined };
  const judged = await judgeNewTests(context, candidate, { ...fresh, isWhole: true }, own);
  expect(judged.gate).toMatchObject([{ predicate: "no-test-breaks", holds }]);
});
