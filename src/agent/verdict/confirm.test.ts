import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { TestKey, TestStatus } from "../../domain/test-outcome.ts";
import type { TestFramework } from "../../languages/contract.ts";
import type { TestRun } from "../../workspace/test-runner.ts";
import type { ExecutorRequest, TestExecutor } from "../suite.ts";
import { type ConfirmContext, confirm } from "./confirm.ts";

const keyOf = (name: string): TestKey => ({ package: "", target: "t.py", name });
const target = keyOf("target");
const neighbour = keyOf("neighbour");
const [fails, passes] = [keyOf("fails"), keyOf("passes")];

interface Ran {
  readonly target: TestStatus;
  readonly fails?: TestStatus;
  readonly changes?: readonly string[];
}

/** The results by tree and conditions: `base`, `base varied`, `patch`, `patch varied`, `patch varied bare`. */
async function confirmWith(results: Readonly<Record<string, Ran>>, variedNeighbour: TestStatus = "failed") {
  const ran: string[] = [];
  const run = async (_: unknown, request: ExecutorRequest): Promise<TestRun> => {
    const { tree, varied, surroundings, selection } = request;
    const isBare = varied === true && surroundings === undefined;
    const name = `${tree}${varied ? " varied" : ""}${isBare ? " bare" : ""}`;
    const keys = selection.kind === "tests" ? selection.tests : [];
    // The neighbour depends on the order of the tests.
    if (keys.includes(neighbour)) {
      const status: TestStatus = varied ? variedNeighbour : "passed";
      return partOf<TestRun>({ report: { outcomes: [{ key: neighbour, status }] } });
    }
    ran.push(name);
    const own = results[name] ?? results[name.replace(" bare", "")] ?? { target: "passed" };
    const statuses: [TestKey, TestStatus][] = [
      [target, own.target],
      [fails, own.fails ?? "failed"],
      [passes, "passed"],
    ];
    const outcomes = statuses.map(([key, status]) => ({ key, status }));
    return partOf<TestRun>({ report: { outcomes, frameworkChanges: own.changes ?? [] } });
  };
  const context = partOf<ConfirmContext>({
    workspace: {
      base: "base",
      trees: { list: async () => [], read: async () => undefined, write: async (tree) => tree },
    },
    frameworks: [
      partOf<TestFramework>({
        name: "fake",
        varies: "in reversed order",
        canary: async () => ({ file: { path: "c.py", content: "" }, fails, passes }),
      }),
    ],
    recorder: {
      step: async (_options: unknown, execute: (last: unknown) => unknown) => execute(undefined),
    } as never,
    limits: { remainingMs: () => 60_000 },
    suite: {
      command: { framework: "fake", command: "fake" },
      outcomes: [{ key: neighbour, status: "passed", durationMs: 1 }],
      durationMs: 1,
    },
  });
  const executor = partOf<TestExecutor>({ run, damaged: () => [], close: async () => {} });
  const claim = { tests: [target], without: "base", patched: "patch", failing: "all" } as const;
  const { predicate } = await confirm(context, claim, async () => executor);
  return { ...predicate, ran };
}

const honest = { base: { target: "failed" }, "base varied": { target: "failed" } } as const;

test("tests that depend on their order, as others of their file do, are confirmed in the usual order", async () => {
  expect(await confirmWith(honest)).toMatchObject({ holds: true });
  const ordered = { ...honest, "patch varied": { target: "failed" } } as const;
  expect(await confirmWith(ordered)).toMatchObject({ holds: true });
  // Without a result, the other test shows nothing.
  expect(await confirmWith(ordered, "not-run")).toMatchObject({ holds: false });
});

test("no repetition excuses a test that must fail and passed in a varied run", async () => {
  const { holds, evidence, ran } = await confirmWith({
    ...honest,
    "patch varied": { target: "passed", fails: "passed" },
    "patch varied bare": { target: "failed" },
  });
  expect(holds).toBe(false);
  expect(evidence).toContain("a test that must fail passed with the patch");
  expect(ran).toEqual(["base", "patch varied"]);
});
