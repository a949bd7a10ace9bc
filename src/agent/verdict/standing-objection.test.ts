import { expect, test } from "vitest";
import { fail } from "../../base/result.ts";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import type { MatrixRow, ReviewFinding, ShownFault } from "../state/task-state.ts";
import { listRefusals, objectToParts, tellUnmet } from "./standing-objection.ts";

const candidate = { id: "c1" };
const key = (name: string) => ({ package: "", target: "t.py", name });
const fault = (...names: string[]): ShownFault => ({
  targets: names.map(key),
  heldBack: [],
  baseRuns: [],
  reason: { holds: true, evidence: "" },
});
const row = (...passing: string[]): MatrixRow => ({
  candidate: "c1",
  outcomes: passing.map((name): TestOutcome => ({ key: key(name), status: "passed", durationMs: 0 })),
  targets: [],
  broken: [],
  invalid: undefined,
  score: [],
});
const refused = (asked: string[], findings: ReviewFinding[] = []) => ({
  candidate: "c1",
  verdict: "not approved: made for one input",
  isApproved: false,
  findings,
  asked,
});

test("a refusal stands, and an approval leaves nothing", () => {
  const state = { fault: fault("one"), rows: [row("one")] };
  expect(listRefusals(refused(["t.py::one"]), candidate, state)).toEqual([
    "The review did not approve the patch: made for one input.",
  ]);
  const approved = { candidate: "c1", verdict: "approved: general", isApproved: true, findings: [] };
  expect(listRefusals(approved, candidate, state)).toEqual([]);
});

test("a test that was written since, and that the candidate passes, refutes an opinion; one that it fails does not", () => {
  const review = refused(["t.py::one"]);
  expect(listRefusals(review, candidate, { fault: fault("one", "two"), rows: [row("one", "two")] })).toEqual(
    [],
  );
  expect(listRefusals(review, candidate, { fault: fault("one", "two"), rows: [row("one")] })).toHaveLength(1);
});

test("a guard alone refutes no opinion, because it passes without the patch; it counts beside a test of the fault", () => {
  const review = refused(["t.py::one"]);
  const guards: TestOutcome[] = [{ key: key("guard"), status: "passed", durationMs: 0 }];
  const rows = [row("one", "two", "guard")];
  const guarded = { fault: { ...fault("one"), guards }, rows };
  expect(listRefusals(review, candidate, guarded)).toHaveLength(1);
  const both = { ...fault("one", "two"), guards };
  expect(listRefusals(review, candidate, { fault: both, rows })).toEqual([]);
  expect(listRefusals(review, candidate, { fault: both, rows: [row("one", "two")] })).toHaveLength(1);
});

test("what was measured is not refuted by another test", () => {
  const measured = refused(
    ["t.py::one"],
    [{ check: "held-back-tests", weight: "refuted", text: "It fails." }],
  );
  const state = { fault: fault("one", "two"), rows: [row("one", "two")] };
  expect(listRefusals(measured, candidate, state)).toEqual(["It fails."]);
});

test("a check's objection holds for the reviewed candidate, also if the review approves", () => {
  const findings: ReviewFinding[] = (["objection", "doubt", "note"] as const).map((weight) => ({
    check: "suppressions",
    weight,
    text: `a finding of weight ${weight}`,
  }));
  const approved = { candidate: "c1", verdict: "approved: general", isApproved: true, findings };
  const state = { fault: fault("one"), rows: [row("one")] };
  expect(listRefusals(approved, candidate, state)).toEqual(["a finding of weight objection"]);
  expect(listRefusals({ ...approved, candidate: "c0" }, candidate, state)).toEqual([]);
});

test("an objection is told first, in its own words", () => {
  const gate = [
    { predicate: "no-test-breaks", holds: false, evidence: "1 of 3" },
    { predicate: "no-standing-objection", holds: false, evidence: "It ends the process." },
  ];
  expect(tellUnmet(gate, [])).toBe("an objection stands: It ends the process; no-test-breaks");
  expect(tellUnmet(gate, ["no-test-breaks"])).toBe(
    "an objection stands: It ends the process; no-test-breaks (1 of 3)",
  );
});

test("a check that a limit ended is no objection", () => {
  const late = "The checks cannot read the patch within 5 s.";
  const gate = [{ predicate: "no-standing-objection", holds: false, evidence: late, isCut: true }];
  expect(tellUnmet(gate, [])).toBe(`no-standing-objection, which the time limit cut off (${late})`);
});

test("stated cases that a check fails to read are an objection; a lack of time is none", () => {
  const failed = "The checks fail on the patch (odd).";
  expect(objectToParts(fail("unread", failed), [key("one")], undefined)).toEqual([failed]);
  const late = fail("late", "The checks need time.");
  expect(objectToParts(late, [key("one")], undefined)).toEqual([]);
  const answered = { part: "empty lists", test: "", because: "no test has one" };
  const review = { candidate: "c1", findings: [], parts: [answered] };
  expect(objectToParts(late, [key("one")], review)).toEqual([expect.stringContaining("the review agrees")]);
  const shown = { ...review, parts: [{ ...answered, test: "t.py::one" }] };
  expect(objectToParts(late, [key("one")], shown)).toEqual([]);
});
