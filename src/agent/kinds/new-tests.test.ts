import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { selectFresh } from "./new-tests.ts";

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
