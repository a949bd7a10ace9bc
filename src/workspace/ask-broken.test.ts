import { expect, test } from "vitest";
import type { TestKey, TestOutcome, TestStatus } from "../domain/test-outcome.ts";
import { askBroken } from "./ask-broken.ts";

const key = (name: string, target = "http.js"): TestKey => ({ package: "", target, name });
const outcome = (each: TestKey, status: TestStatus): TestOutcome => ({ key: each, status, durationMs: 1 });
const passed = [key("limit"), key("redirect"), key("trim", "trim.js")];
const failing = [outcome(key("limit"), "failed"), outcome(key("redirect"), "passed")];

/** What the test says each time, with the change and without it. */
function answering(changed: readonly TestStatus[], base: readonly TestStatus[] = []) {
  const left = { changed: [...changed], base: [...base] };
  const asked: string[] = [];
  const ask = async (tests: readonly TestKey[], on: "changed" | "base"): Promise<TestOutcome[]> => {
    asked.push(`${on}: ${tests.map(({ name }) => name).join(", ")}`);
    const status = left[on].shift() ?? "passed";
    return tests.map((each) => outcome(each, each.name === "limit" ? status : "passed"));
  };
  return { asked, ask };
}

test.each<[string, readonly TestStatus[], readonly TestStatus[], boolean, number]>([
  ["passes twice with its neighbours", ["passed", "passed"], [], true, 2],
  ["fails again, and not without the change", ["failed"], ["passed", "passed"], false, 3],
  ["fails the second time", ["passed", "failed"], ["passed", "passed"], false, 4],
  ["fails without the change too", ["failed"], ["passed", "failed"], true, 3],
])("a test that %s", async (_, changed, base, isUnsteady, runs) => {
  const { asked, ask } = answering(changed, base);
  const settled = await askBroken(failing, passed, ask);
  expect(settled.unsteady).toEqual(isUnsteady ? ["http.js::limit"] : []);
  expect(settled.outcomes[0]?.status).toBe(isUnsteady ? "passed" : "failed");
  expect(asked).toHaveLength(runs);
  expect(asked[0]).toBe("changed: limit, redirect");
});

test("what failed before, met a limit of ours, or fails with many others is not asked", async () => {
  const { asked, ask } = answering([]);
  await askBroken([outcome(key("new"), "failed"), outcome(key("limit"), "timed-out")], passed, ask);
  const many = Array.from({ length: 13 }, (_, at) => key(`t${at}`));
  await askBroken(
    many.map((each) => outcome(each, "failed")),
    many,
    ask,
  );
  expect(asked).toEqual([]);
});

test("tests that measure time and fail together on a busy machine are asked again", async () => {
  const tests = Array.from({ length: 6 }, (_, at) => key(`t${at}`));
  const late = tests.map((each, at) => {
    const failure = { type: "AssertionError", message: `1.${at} not less than 0.5`, frames: [], text: "" };
    return { ...outcome(each, "failed"), failure };
  });
  const settled = await askBroken(late, tests, answering([]).ask);
  expect(settled.unsteady).toHaveLength(6);
});

test("a test that was flaky before is asked alone first, and with its neighbours if it fails", async () => {
  const flaky = new Set(["http.js::limit"]);
  const once = answering(["passed"]);
  const settled = await askBroken(failing, passed, once.ask, flaky);
  expect(settled.unsteady).toEqual(["http.js::limit"]);
  expect(once.asked).toEqual(["changed: limit"]);
  const broken = answering(["failed", "failed"]);
  expect((await askBroken(failing, passed, broken.ask, flaky)).unsteady).toEqual([]);
  expect(broken.asked.slice(0, 2)).toEqual(["changed: limit", "changed: limit, redirect"]);
});
