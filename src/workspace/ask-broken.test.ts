import { expect, test } from "vitest";
import { formatTestKey, type TestKey, type TestOutcome, type TestStatus } from "../domain/test-outcome.ts";
import { wholeCommand } from "../languages/shell/command.ts";
import { askBroken, findOutside, type Repeat } from "./ask-broken.ts";

const key = (name: string, target = "http.js"): TestKey => ({ package: "", target, name });
const outcome = (each: TestKey, status: TestStatus): TestOutcome => ({ key: each, status, durationMs: 1 });
const passed = [key("limit"), key("redirect"), key("trim", "trim.js")];
const base = passed.map((each) => outcome(each, "passed"));
const failing = [outcome(key("limit"), "failed"), outcome(key("redirect"), "passed")];

/** Makes reruns that give these results in order, with the change and without it. `together`: the repeated whole run. */
function answering(
  changed: readonly TestStatus[],
  base: readonly TestStatus[] = [],
  many = passed,
  together: { readonly changed?: TestStatus; readonly base?: TestStatus; readonly isCut?: boolean } = {},
) {
  const left = { changed: [...changed], base: [...base] };
  const asked: string[] = [];
  const repeat: Repeat = async (on) => {
    asked.push(`${on}: all`);
    const statusOf = ({ name }: TestKey): TestStatus => (name === "limit" && together[on]) || "passed";
    const outcomes = many.map((each) => outcome(each, statusOf(each)));
    return { outcomes, isCut: together.isCut === true };
  };
  const ask = async (tests: readonly TestKey[], on: "changed" | "base"): Promise<TestOutcome[]> => {
    asked.push(`${on}: ${tests.map(({ name }) => name).join(", ")}`);
    const status = left[on].shift() ?? "passed";
    return tests.map((each) => outcome(each, each.name === "limit" ? status : "passed"));
  };
  return { asked, ask, repeat };
}

test.each<[string, readonly TestStatus[], readonly TestStatus[], boolean, number]>([
  ["passes twice with its neighbours, and once with all", ["passed", "passed"], [], true, 3],
  ["fails again, and not without the change", ["failed"], ["passed", "passed"], false, 3],
  ["fails the second time", ["passed", "failed"], ["passed", "passed"], false, 4],
  ["fails without the change too", ["failed"], ["passed", "failed"], true, 4],
  ["only exceeds our limit without the change", ["failed"], ["timed-out", "passed"], false, 3],
])("a test that %s", async (_, changed, without, isUnsteady, runs) => {
  const { asked, ...reruns } = answering(changed, without);
  const settled = await askBroken(failing, base, reruns);
  expect(settled.unsteady).toEqual(isUnsteady ? ["http.js::limit"] : []);
  expect(settled.outcomes[0]?.status).toBe(isUnsteady ? "passed" : "failed");
  expect(asked).toHaveLength(runs);
  expect(asked[0]).toBe("changed: limit, redirect");
});

test.each<[string, { changed?: TestStatus; base?: TestStatus; isCut?: boolean }, TestStatus, string[]]>([
  ["passes with all tests the second time", {}, "passed", ["changed: all"]],
  [
    "fails with all tests only with the change",
    { changed: "failed" },
    "failed",
    ["changed: all", "base: all"],
  ],
  [
    "fails with all tests also without the change",
    { changed: "failed", base: "failed" },
    "passed",
    ["changed: all", "base: all"],
  ],
  [
    "only exceeds our limit with all tests and without the change",
    { changed: "failed", base: "timed-out" },
    "failed",
    ["changed: all", "base: all"],
  ],
  ["has no result in time with all tests", { changed: "not-run", isCut: true }, "not-run", ["changed: all"]],
])("a test that passes with its file and %s", async (_, together, status, repeated) => {
  const { asked, ...reruns } = answering(["passed", "passed"], [], passed, together);
  const settled = await askBroken(failing, base, reruns);
  expect(settled.outcomes[0]?.status).toBe(status);
  expect(asked.slice(2)).toEqual(repeated);
  expect(settled.unsteady).toHaveLength(status === "passed" ? 1 : 0);
  expect(settled.open).toHaveLength(status === "not-run" ? 1 : 0);
});

test.each<[TestStatus, TestStatus]>([
  ["passed", "passed"],
  ["timed-out", "timed-out"],
  ["failed", "timed-out"],
])(
  "a test that exceeds our limit, passes alone, and is %s in another whole run is %s",
  async (changed, status) => {
    const { asked, ...reruns } = answering([], [], passed, { changed });
    const late = [outcome(key("limit"), "timed-out")];
    const settled = await askBroken(base, base, reruns, { late });
    expect([settled.outcomes[0]?.status, settled.unsteady]).toEqual([status, []]);
    expect(asked[0]).toBe("changed: all");
  },
);

test("a test that depends on its company, so that it fails alone on both sides, is still broken", async () => {
  const { ask, repeat } = answering(["failed"], ["failed"], passed, { changed: "failed" });
  const settled = await askBroken(failing, base, { ask, repeat });
  expect([settled.unsteady, settled.outcomes[0]?.status]).toEqual([[], "failed"]);
});

test("where each file has its own process, the reruns of the file decide about a few tests", async () => {
  const { asked, ...reruns } = answering(["passed", "passed"]);
  const late = [outcome(key("redirect"), "timed-out")];
  const settled = await askBroken(failing, base, { ...reruns, isolates: true }, { late });
  expect(settled).toMatchObject({ unsteady: ["http.js::limit"], open: [] });
  expect(settled.outcomes.map(({ status }) => status)).toEqual(["passed", "passed"]);
  expect(asked).toEqual(["changed: limit, redirect", "changed: limit, redirect"]);
});

test("what failed before, or met a limit of ours, is not asked", async () => {
  const { asked, ...reruns } = answering([]);
  await askBroken([outcome(key("new"), "failed"), outcome(key("limit"), "timed-out")], base, reruns);
  expect(asked).toEqual([]);
});

test("of many broken tests, a sample decides whether the whole run repeats", async () => {
  const many = Array.from({ length: 13 }, (_, at) => key(at === 4 ? "limit" : `t${at}`, `${at}.js`));
  const fail = many.map((each) => outcome(each, "failed"));
  const pass = many.map((each) => outcome(each, "passed"));
  const chance = answering([], [], many);
  const settled = await askBroken(fail, pass, chance);
  expect(settled.unsteady).toHaveLength(13);
  expect(chance.asked).toHaveLength(3);
  expect(chance.asked[0]).toBe(`changed: ${[0, 2, 4, 6, 8, 10, 12].map((at) => many[at]?.name).join(", ")}`);
  const broken = answering(["failed"], [], many);
  expect(await askBroken(fail, pass, broken)).toMatchObject({ outcomes: fail, unsteady: [] });
  expect(broken.asked).toHaveLength(2);
});

test("tests that measure time and fail together on a busy machine are asked again", async () => {
  const tests = Array.from({ length: 6 }, (_, at) => key(`t${at}`));
  const late = tests.map((each, at) => {
    const failure = { type: "AssertionError", message: `1.${at} not less than 0.5`, frames: [], text: "" };
    return { ...outcome(each, "failed"), failure };
  });
  const before = tests.map((each) => outcome(each, "passed"));
  const settled = await askBroken(late, before, answering([], [], tests));
  expect(settled.unsteady).toHaveLength(6);
});

test("a test that was flaky before is asked alone first, and with its neighbours if it fails", async () => {
  const flaky = new Set(["http.js::limit"]);
  const once = answering(["passed"]);
  const settled = await askBroken(failing, base, once, { flaky });
  expect(settled.unsteady).toEqual(["http.js::limit"]);
  expect(once.asked).toEqual(["changed: limit", "changed: all"]);
  const broken = answering(["failed", "failed"]);
  expect((await askBroken(failing, base, broken, { flaky })).unsteady).toEqual([]);
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
  together = before.map(({ key: each }) => outcome(each, "passed")),
) {
  const left = { changed: [...changed], base: [...without] };
  const asked: string[] = [];
  const settled = await askBroken(candidate, before, {
    async ask(tests, on) {
      asked.push(`${on}: ${tests.map(({ name }) => name).join(", ")}`);
      return left[on].shift() ?? [];
    },
    repeat: async () => ({ outcomes: together, isCut: false }),
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
