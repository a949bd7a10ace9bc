import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { ActionContext } from "../action.ts";
import { noneFails } from "./tests-from-answer.ts";

test("whoever shows a file of the repository as it is hears that nothing of it is new", async () => {
  const key = { package: "", target: "tests/test_a.py", name: "test_a" };
  const context = partOf<ActionContext>({
    suite: { command: { command: "pytest" }, outcomes: [{ key, status: "passed", durationMs: 1 }] },
    workspace: { base: "b", trees: { list: async () => [{ path: key.target, mode: "100644" }] } },
  });
  expect(await noneFails(context, [key.target], 0)).toContain("No test in tests/test_a.py is new");
  expect(await noneFails(context, [key.target], 2)).toContain("2 tests ran and none fails");
});
