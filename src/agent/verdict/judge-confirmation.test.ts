import { expect, test } from "vitest";
import type { TestKey } from "../../domain/test-outcome.ts";
import { type ConfirmingRun, judgeConfirmation } from "./judge-confirmation.ts";

const key: TestKey = { package: "", target: "t.py", name: "t" };
const claim = { tests: [key], without: "base", patched: "patch", failing: "all" } as const;
const sides = [false, true, false, true];
const runsOf = (passes: (index: number) => boolean): ConfirmingRun[] =>
  sides.map((patched, index) => ({
    patched,
    varied: index === 1 || index === 2,
    outcomes: [{ key, status: passes(index) ? "passed" : "failed" }],
    canary: "held",
  }));

test("a test that fails without the patch and passes with it, twice, is confirmed", () => {
  const runs = runsOf((index) => sides[index] === true);
  expect(judgeConfirmation(claim, runs, "in reversed order")).toMatchObject({
    holds: true,
    evidence: expect.stringContaining(
      "failed without the patch, passed with the patch in reversed order, failed without the patch in reversed order, passed with the patch;",
    ),
  });
});

test("a test without a result did not fail, unless its file or the framework did not load", () => {
  const unrun = (more: Partial<ConfirmingRun>): ConfirmingRun[] =>
    runsOf((index) => sides[index] === true).map((run) =>
      run.patched ? run : { ...run, outcomes: [{ key, status: "not-run" as const }], ...more },
    );
  expect(judgeConfirmation(claim, unrun({}), undefined).holds).toBe(false);
  expect(judgeConfirmation({ ...claim, failing: "some" }, unrun({}), undefined).holds).toBe(true);
  expect(judgeConfirmation(claim, unrun({ broken: [key.target] }), undefined).holds).toBe(true);
  expect(judgeConfirmation(claim, unrun({ canary: "broken" }), undefined).holds).toBe(true);
});

const asked = { asked: 1, passed: [] };

test("one that fails with the patch where it expects another value is confirmed by that", () => {
  const runs = runsOf((index) => index === 1).map((run, index) =>
    index === 3 ? { ...run, outcomes: [], otherwise: asked } : run,
  );
  expect(judgeConfirmation(claim, runs, undefined)).toMatchObject({
    holds: true,
    evidence: expect.stringContaining(
      "failed without the patch, failed as they must after Millwright changed their expected values;",
    ),
  });
});

test.each([0, 1, 2, 3, 4])("one that passes since a moment is not, whatever the moment: run %i", (moment) => {
  const { holds } = judgeConfirmation(
    claim,
    runsOf((index) => index >= moment),
    undefined,
  );
  expect(holds).toBe(false);
});

test.each([0, 1, 2, 3, 4])("nor one that passes until a moment: run %i", (moment) => {
  const { holds } = judgeConfirmation(
    claim,
    runsOf((index) => index < moment),
    undefined,
  );
  expect(holds).toBe(false);
});

test.each([0, 1, 2, 3])("neither is believed if the last run expects another value: %i", (moment) => {
  for (const passes of [(index: number) => index >= moment, (index: number) => index < moment]) {
    const [first, second, third, last] = runsOf(passes);
    if (first === undefined || second === undefined || third === undefined || last === undefined)
      throw new Error("there are four");
    const runs = [first, second, third, { ...last, outcomes: [], otherwise: asked }];
    expect(judgeConfirmation(claim, runs, undefined).holds).toBe(false);
  }
});

test.each([
  ["with the patch alone", key.target, (patched: boolean) => patched, false],
  ["without it too", key.target, () => true, true],
  ["with the patch alone, without a name,", "", (patched: boolean) => patched, false],
  ["without it too, without a name,", "", () => true, true],
] as const)("a file that fails outside of its tests %s", (_, file, isBroken, holds) => {
  const runs = runsOf((index) => sides[index] === true).map((run) =>
    isBroken(run.patched) ? { ...run, broken: [file] } : run,
  );
  expect(judgeConfirmation(claim, runs, undefined).holds).toBe(holds);
});

test("a framework that the patch alone changes in memory voids the verdict, one that the project changes does not", () => {
  const runs = (...changed: number[]): ConfirmingRun[] =>
    runsOf((index) => sides[index] === true).map((run, index) =>
      changed.includes(index) ? { ...run, frameworkChanges: ["Runner.fail is evil.py:fail"] } : run,
    );
  expect(judgeConfirmation(claim, runs(0, 1, 2, 3), undefined).holds).toBe(true);
  expect(judgeConfirmation(claim, runs(0), undefined).holds).toBe(true);
  expect(judgeConfirmation(claim, runs(3), undefined)).toMatchObject({
    holds: false,
    evidence: expect.stringContaining("(Runner.fail is evil.py:fail)"),
  });
  // The patch may have left something behind that acts without it.
  expect(judgeConfirmation(claim, runs(1, 2, 3), undefined).holds).toBe(false);
});

test.each([
  ["is not built without the patch, before and after it ran", [false, true, false, true], true],
  ["is broken without the patch only after it ran", [true, true, false, true], false],
  ["is broken with the patch", [false, true, false, false], false],
] as const)("where the target of the canaries %s", (_, held, holds) => {
  const runs = runsOf((index) => sides[index] === true).map((run, index) => ({
    ...run,
    canary: held[index] === true ? ("held" as const) : ("broken" as const),
  }));
  expect(judgeConfirmation(claim, runs, undefined).holds).toBe(holds);
});

test("canaries that a time limit ended say nothing about the patch, and are no sign of an attack", () => {
  const [first, ...others] = runsOf((index) => sides[index] === true);
  if (first === undefined) throw new Error("there are four");
  const late = judgeConfirmation(claim, [{ ...first, canary: "late" }, ...others], undefined);
  expect(late).toMatchObject({
    holds: false,
    evidence: expect.stringContaining("shows nothing about the patch"),
  });
  expect(late.evidence).not.toContain("cannot be trusted");
});
