import { describe, expect, test } from "vitest";
import type { TestOutcome, TestStatus } from "../../domain/test-outcome.ts";
import { gateHolds, judgeRepair, type RepairGateInput } from "./repair-gate.ts";

function outcome(name: string, status: TestStatus): TestOutcome {
  return { key: { package: "", target: "test_zone.py", name }, status, durationMs: 1 };
}

const failing = outcome("finds the last zone", "failed");
const base = [failing, outcome("finds the first zone", "passed"), outcome("is skipped", "skipped")];
const good: RepairGateInput = {
  baseRuns: [[failing], [failing]],
  targets: [failing.key],
  reason: { holds: true, evidence: "" },
  base,
  candidate: [outcome("finds the last zone", "passed"), outcome("finds the first zone", "passed")],
  invalid: undefined,
};

function broken(input: RepairGateInput): string[] {
  return judgeRepair(input)
    .filter((predicate) => !predicate.holds)
    .map((predicate) => predicate.predicate);
}

describe("the gate of repair", () => {
  test("holds for a patch that fixes the failing tests and breaks none", () => {
    expect(broken(good)).toEqual([]);
    expect(gateHolds(judgeRepair(good))).toBe(true);
  });

  test("counts a failure outside any test, unless the base has it", () => {
    const outside = outcome("", "errored");
    const input = { ...good, candidate: [...good.candidate, outside] };
    expect(broken(input)).toEqual(["no-test-breaks"]);
    expect(broken({ ...input, base: [...base, outside] })).toEqual([]);
  });

  test("reads each run a few times, however many tests failed", () => {
    let reads = 0;
    const outcomes = Array.from({ length: 1_000 }, (_, at) => {
      const { key, ...rest } = outcome(`finds zone ${at}`, "failed");
      const counted = {
        ...rest,
        get key() {
          reads++;
          return key;
        },
      };
      return { key, counted };
    });
    const run = outcomes.map(({ counted }) => counted);
    const targets = outcomes.map(({ key }) => key);
    judgeRepair({ ...good, baseRuns: [run, run], targets, base: run, candidate: run });
    expect(reads).toBeLessThan(20 * run.length);
  });

  test("says which failing tests were not run again, and that the limit of time is to blame", () => {
    const other = outcome("finds no zone", "failed");
    const second = [failing, { ...other, status: "not-run" as const }];
    const input = { ...good, baseRuns: [[failing, other], second], targets: [failing.key, other.key] };
    const told = (each: RepairGateInput) => judgeRepair(each)[0]?.evidence;
    expect(told(input)).toBe(
      "1 of 2 failed in each of 2 runs without the patch; 1 was not run in at least one of these runs",
    );
    expect(told({ ...input, isCut: true })).toMatch(
      /at least one of these runs, because the time limit ended a run$/,
    );
    expect(told({ ...good, isCut: true })).toBe("1 of 1 failed in each of 2 runs without the patch");
  });

  test("names the tests that do not pass, but none that is held back", () => {
    const other = outcome("finds no zone", "failed");
    const input = {
      ...good,
      targets: [failing.key, other.key],
      heldBack: [other.key],
      candidate: [failing, other],
    };
    const told = (each: RepairGateInput) =>
      judgeRepair(each).find(({ predicate }) => predicate === "failing-tests-pass")?.evidence;
    expect(told(input)).toBe("0 of 2 pass with the patch; not passing: test_zone.py::finds the last zone …");
    expect(told(good)).toBe("1 of 1 passes with the patch");
  });

  test("says apart that tests pass which the author of the patch was not shown", () => {
    expect(judgeRepair(good).map(({ predicate }) => predicate)).not.toContain("held-back-tests-pass");
    const held = { ...good, heldBack: good.targets };
    expect(judgeRepair(held).find(({ predicate }) => predicate === "held-back-tests-pass")).toMatchObject({
      holds: true,
      evidence: expect.stringMatching(/^1 of 1 /),
    });
    const failed = { ...held, candidate: [failing, outcome("finds the first zone", "passed")] };
    expect(broken(failed)).toEqual(["failing-tests-pass", "held-back-tests-pass"]);
  });

  test("says what fails where nothing counts as the fault", () => {
    const [fails, , turns] = judgeRepair({ ...good, targets: [], baseRuns: [] });
    expect(fails?.evidence).toBe(
      "no failing test is linked to the fault; 1 test of the repository fails without the patch",
    );
    expect(turns?.evidence).toBe("no failing test is linked to the fault");
  });

  test("asks for a failure that was seen twice on the base", () => {
    expect(broken({ ...good, baseRuns: [[failing]] })).toEqual(["failing-tests-fail-on-base"]);
    const passedOnce = [[failing], [outcome("finds the last zone", "passed")]];
    expect(broken({ ...good, baseRuns: passedOnce })).toEqual(["failing-tests-fail-on-base"]);
  });

  test.each<TestStatus>(["failed", "errored", "skipped", "not-run", "expected-failure"])(
    "does not take a failing test that is now %s for fixed",
    (status) => {
      const candidate = [outcome("finds the last zone", status), outcome("finds the first zone", "passed")];
      expect(broken({ ...good, candidate })).toEqual(["failing-tests-pass"]);
    },
  );

  test.each<TestStatus>(["failed", "errored", "skipped", "not-run"])(
    "counts a test that passed and is now %s as broken",
    (status) => {
      const candidate = [outcome("finds the last zone", "passed"), outcome("finds the first zone", status)];
      expect(broken({ ...good, candidate })).toEqual(["no-test-breaks"]);
    },
  );

  test("counts a test that is gone as broken", () => {
    expect(broken({ ...good, candidate: [outcome("finds the last zone", "passed")] })).toEqual([
      "no-test-breaks",
    ]);
  });

  test("leaves broken tests undecided if a time limit ended the run before they ran", () => {
    const [target] = good.candidate;
    const cut = { ...good, isCandidateCut: true };
    const [rest] = judgeRepair({ ...cut, candidate: target === undefined ? [] : [target] }).slice(-1);
    expect(rest).toMatchObject({ predicate: "no-test-breaks", holds: false, isCut: true });
    expect(rest?.evidence).toContain("1 test that passed before did not run, and none of the others breaks");
    const candidate = [outcome("finds the last zone", "passed"), outcome("finds the first zone", "failed")];
    const [failed] = judgeRepair({ ...cut, candidate }).slice(-1);
    expect([failed?.holds, failed?.isCut]).toEqual([false, undefined]);
    expect(gateHolds(judgeRepair(cut))).toBe(true);
  });

  test("believes no outcome of a report that cannot be trusted", () => {
    expect(broken({ ...good, invalid: "the exit code contradicts the report" })).toEqual([
      "failing-tests-pass",
      "no-test-breaks",
    ]);
  });

  test("takes a file that could not be loaded for repaired when its tests are there", () => {
    const unloaded: TestOutcome = { ...outcome("", "errored") };
    const input = { ...good, baseRuns: [[unloaded], [unloaded]], targets: [unloaded.key], base: [unloaded] };
    expect(broken({ ...input, candidate: [outcome("finds the last zone", "passed")] })).toEqual([]);
    expect(broken({ ...input, candidate: [unloaded] })).toEqual(["failing-tests-pass"]);
    expect(broken({ ...input, candidate: [] })).toEqual(["failing-tests-pass"]);
  });

  test("never holds without a target, nor without a predicate", () => {
    expect(gateHolds(judgeRepair({ ...good, targets: [] }))).toBe(false);
    expect(gateHolds([])).toBe(false);
  });
});
