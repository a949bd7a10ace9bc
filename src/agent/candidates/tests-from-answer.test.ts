import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { ActionContext } from "../action.ts";
import { noneFails, tellStrangers } from "./tests-from-answer.ts";

test("whoever shows a file of the repository as it is hears that nothing of it is new", async () => {
  const key = { package: "", target: "tests/test_a.py", name: "test_a" };
  const context = partOf<ActionContext>({
    suite: { command: { command: "pytest" }, outcomes: [{ key, status: "passed", durationMs: 1 }] },
    workspace: { base: "b", trees: { list: async () => [{ path: key.target, mode: "100644" }] } },
  });
  expect(await noneFails(context, [key.target], 0)).toContain("already has all tests in tests/test_a.py.");
  expect(await noneFails(context, [key.target], 2)).toContain(
    "2 tests pass on the unchanged code and none fails",
  );
});

test("the error of each test that does not count is told once", () => {
  const stranger = (name: string, message: string) => {
    const failure = { type: "KeyError", message, frames: [], text: `KeyError: ${message}` };
    return { key: { package: "", target: "a.py", name }, status: "failed" as const, durationMs: 1, failure };
  };
  const strangers = [stranger("test_a", "'a'"), stranger("test_b", "'b'"), stranger("test_c", "'c'")];
  const doubts = [
    "- test_a: it ends with KeyError: 'a'",
    "- test_b: it ends with KeyError: 'b'",
    "- test_c: it shares nothing",
  ];
  const written = { tree: "t", failing: [], evidence: "", strangers, doubts, guards: [], unreported: [] };
  const told = tellStrangers(written);
  expect(told.match(/KeyError: 'b'/g)).toHaveLength(1);
  expect(told).toContain("test_c fails: KeyError: 'c'");
});
