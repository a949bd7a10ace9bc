import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import { succeed } from "../../base/result.ts";
import type { TestOutcome, TestStatus } from "../../domain/test-outcome.ts";
import { emptyState } from "../state/task-state.ts";
import { askAsTheyWere } from "./wrong-tests.ts";

const outcome = (name: string, status: TestStatus): TestOutcome => ({
  key: { package: "", target: "tests/test_fee.py", name },
  status,
  durationMs: 1,
});

test("a failure outside any test counts if the base's version of the tests has it", async () => {
  const base = [outcome("test_fee", "passed"), outcome("test_tax", "passed")];
  const context = partOf<Parameters<typeof askAsTheyWere>[0]>({
    suite: { command: { framework: "pytest" }, outcomes: base, durationMs: 1 },
    task: { statement: "" },
    view: { context: { graph: async () => ({ files: () => [] }) } },
    limits: { remainingMs: () => 60_000 },
    recorder: {
      has: () => false,
      step: async () => ({ outcomes: [outcome("test_fee", "passed"), outcome("", "errored")] }),
    } as never,
    workspace: {
      base: "base",
      trees: { compose: async () => succeed("patched"), stat: async () => [], list: async () => [] },
    },
  });
  const state = { ...emptyState, saysWrong: [{ test: "test_fee", because: "it asserts the fault" }] };
  const row = {
    candidate: "c1",
    outcomes: [outcome("test_fee", "failed"), outcome("test_tax", "passed")],
    targets: [],
    broken: ["tests/test_fee.py::test_fee"],
    invalid: undefined,
    score: [],
  };
  const candidate = { id: "c1", tree: "patched", kind: "code", origin: "" } as const;
  const asked = await askAsTheyWere(context, state, candidate, row);
  expect(asked.outcomes.map(({ key, status }) => [key.name, status])).toContainEqual(["", "errored"]);
});
