import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import { MillwrightError } from "../../base/errors.ts";
import type { Derivable, DeriveRequest } from "./contract.ts";
import { decide } from "./derive-tasks.ts";

const wanted = { dataset: "repocod", repeats: 2 };
const row = {
  ...{ repository: "acme/shop", repo_id: "1", target_module_path: "shop.py", function_name: "net" },
  ...{ prompt: "def net():\n", full_function: "def net():\n    return 1\n", target_tests: ["a.py::test_a"] },
  base_commit: "0".repeat(40),
};

/** With the results of checks that are stored. */
function decideOn(derive: Derivable["derive"], stored?: unknown) {
  const request = partOf<DeriveRequest>({
    options: { signal: new AbortController().signal, rules: [] },
    store: { find: async () => stored },
  });
  return decide(request, { id: "acme__shop-1", commit: "", language: "python", derive }, wanted);
}

test("an error of the machine is one candidate's outcome", async () => {
  const decided = await decideOn(() => Promise.reject(new MillwrightError("sandbox", "bwrap broke")));
  expect(decided.outcome).toEqual({ verdict: "error", cause: "infrastructure", detail: "bwrap broke" });
});

test("a defect of ours is one candidate's outcome too, and an interrupt is none", async () => {
  const decided = await decideOn(() => Promise.reject(new TypeError("no such tree")));
  expect(decided.outcome).toEqual({ verdict: "error", cause: "defect", detail: "no such tree" });
  const derive: Derivable["derive"] = async () => ({ verdict: "kept", value: { row, rules: [] } });
  const broken = { id: "a", commit: "", language: "python", derive };
  const store = { find: () => Promise.reject(new RangeError("too long")) };
  const checked = partOf<DeriveRequest>({
    options: { signal: new AbortController().signal, rules: [] },
    store,
  });
  expect((await decide(checked, broken, wanted)).outcome).toMatchObject({ detail: "too long" });
  const stopped = partOf<DeriveRequest>({ options: { signal: AbortSignal.abort(), rules: [] }, store });
  await expect(decide(stopped, broken, wanted)).rejects.toThrow("abort");
});

test("a row that makes no task is unfit", async () => {
  const value = { row: { ...row, repository: "group/sub/shop" }, rules: [] };
  const { outcome } = await decideOn(async () => ({ verdict: "kept", value }));
  expect(outcome).toMatchObject({ verdict: "dropped", cause: "unfit" });
});

test("a task with flaky tests is unfit", async () => {
  const derive: Derivable["derive"] = async () => ({ verdict: "kept", value: { row, rules: [] } });
  const checked = { state: "fit", exceptions: [], lists: { failToPass: [], passToPass: [], flaky: [] } };
  expect((await decideOn(derive, checked)).outcome.verdict).toBe("kept");
  const lists = { ...checked.lists, flaky: ["a.py::test_a"] };
  expect((await decideOn(derive, { ...checked, lists })).outcome).toEqual({
    ...{ verdict: "dropped", cause: "unfit", detail: "the task's tests are flaky: a.py::test_a" },
  });
});
