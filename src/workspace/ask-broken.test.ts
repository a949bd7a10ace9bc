import { expect, test } from "vitest";
import { formatTestKey, type TestKey, type TestOutcome, type TestStatus } from "../domain/test-outcome.ts";
import { wholeCommand } from "../languages/shell/command.ts";
import { askBroken, findOutside } from "./ask-broken.ts";

const key = (name: string, target = "http.js"): TestKey => ({ package: "", target, name });
const outcome = (each: TestKey, status: TestStatus): TestOutcome => ({ key: each, status, durationMs: 1 });
const passed = [key("limit"), key("redirect"), key("trim", "trim.js")];
const base = passed.map((each) => outcome(each, "passed"));
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
  ["only exceeds our limit without the change", ["failed"], ["timed-out", "passed"], false, 3],
])("a test that %s", async (_, changed, without, isUnsteady, runs) => {
  const { asked, ask } = answering(changed, without);
  const settled = await askBroken(failing, base, ask);
  expect(settled.unsteady).toEqual(isUnsteady ? ["http.js::limit"] : []);
  expect(settled.outcomes[0]?.status).toBe(isUnsteady ? "passed" : "failed");
  expect(asked).toHaveLength(runs);
  expect(asked[0]).toBe("changed: limit, redirect");
});

test("what failed before, met a limit of ours, or fails with many others is not asked", async () => {
  const { asked, ask } = answering([]);
  await askBroken([outcome(key("new"), "failed"), outcome(key("limit"), "timed-out")], base, ask);
  const many = Array.from({ length: 13 }, (_, at) => key(`t${at}`));
  await askBroken(
    many.map((each) => outcome(each, "failed")),
    many.map((each) => outcome(each, "passed")),
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
  const before = tests.map((each) => outcome(each, "passed"));
  const settled = await askBroken(late, before, answering([]).ask);
  expect(settled.unsteady).toHaveLength(6);
});

test("a test that was flaky before is asked alone first, and with its neighbours if it fails", async () => {
  const flaky = new Set(["http.js::limit"]);
  const once = answering(["passed"]);
  const settled = await askBroken(failing, base, once.ask, flaky);
  expect(settled.unsteady).toEqual(["http.js::limit"]);
  expect(once.asked).toEqual(["changed: limit"]);
  const broken = answering(["failed", "failed"]);
  expect((await askBroken(failing, base, broken.ask, flaky)).unsteady).toEqual([]);
  expect(broken.asked.slice(0, 2)).toEqual(["changed: limit", "changed: limit, redirect"]);
});

const hook = key("");
const whole = { package: "", target: "command", name: wholeCommand };
const printed = { package: "", target: "command", name: "a" };

/** Answers each rerun with the base's passes, plus these further outcomes. */
async function askOutside(
  candidate: readonly TestOutcome[],
  changed: readonly (readonly TestOutcome[])[],
  without: readonly (readonly TestOutcome[])[] = [],
  before: readonly TestOutcome[] = base,
) {
  const left = { changed: [...changed], base: [...without] };
  const asked: string[] = [];
  const settled = await askBroken(candidate, before, async (tests, on) => {
    asked.push(`${on}: ${tests.map(({ name }) => name).join(", ")}`);
    return left[on].shift() ?? [];
  });
  return { asked, unsteady: settled.unsteady };
}

test.each<[string, readonly TestOutcome[][], readonly TestOutcome[][], boolean]>([
  [
    "repeats, but not without the change",
    [[...base, outcome(hook, "errored")]],
    [[...base], [...base]],
    false,
  ],
  ["does not repeat", [[...base], [...base]], [], true],
  ["has no trusted rerun", [[]], [[], []], false],
  [
    "also comes without the change",
    [[...base, outcome(hook, "errored")]],
    [[...base, outcome(hook, "errored")]],
    true,
  ],
  [
    "is told of its file's tests where they are selected",
    [base.map(({ key: each }) => outcome(each, "failed"))],
    [base.map(({ key: each }) => outcome(each, "failed"))],
    true,
  ],
])("a failure outside any test that %s", async (_, changed, without, isUnsteady) => {
  const { asked, unsteady } = await askOutside([...base, outcome(hook, "errored")], changed, without);
  expect(unsteady).toEqual(isUnsteady ? ["http.js::"] : []);
  expect(asked[0]).toBe("changed: limit, redirect");
});

test("a tear-down that exceeds our limit on both sides is not broken", async () => {
  const late = [...base, outcome(hook, "timed-out")];
  expect((await askOutside(late, [late], [late])).unsteady).toEqual(["http.js::"]);
  expect((await askOutside(late, [late], [base, base])).unsteady).toEqual([]);
});

test("a command that fails although its tests pass is broken, whatever its tests did before", async () => {
  const before = [outcome(printed, "failed")];
  const after = [outcome(printed, "passed"), outcome(whole, "failed")];
  expect(findOutside(before, after)).toEqual([after[1]]);
  expect((await askOutside(after, [after], [before, before], before)).unsteady).toEqual([]);
  const clean = [outcome(printed, "passed"), outcome(whole, "passed")];
  expect((await askOutside(after, [clean, clean], [], before)).unsteady).toEqual([formatTestKey(whole)]);
});

test("a failure outside any test counts only in files that ran on both sides, and if the base lacks it", () => {
  const errored = outcome(hook, "errored");
  expect(findOutside(base, [...base, errored])).toEqual([errored]);
  expect(findOutside([...base, errored], [...base, errored])).toEqual([]);
  expect(findOutside([outcome(key("trim", "trim.js"), "passed")], [...base, errored])).toEqual([]);
  expect(findOutside(base, [errored])).toEqual([]);
  const anywhere = outcome(key("", ""), "errored");
  expect(findOutside(base, [...base, anywhere])).toEqual([anywhere]);
});
