import { expect, it } from "vitest";
import { renderState } from "../../state/render-state.ts";
import { emptyState, type ReviewFinding } from "../../state/task-state.ts";
import { concludeReview } from "./conclude-review.ts";
import type { ReviewWork, Verdict } from "./verdict.ts";

const candidate = { id: "c1", tree: "t", kind: "code" as const, origin: "the given attempt" };
const found: ReviewFinding[] = [
  { check: "mutants", weight: "doubt", text: "3 of 9 mutants pass" },
  { check: "reach", weight: "doubt", text: "It changes src/x.rs:785" },
];
const side = { approved: true, headline: "", analysis: "It asks for what is said. More of it.", advice: "" };

function conclude(patch: Partial<Verdict["patch"]>, more: Partial<ReviewWork> = {}) {
  const state = { ...emptyState, candidates: [candidate] };
  const work: ReviewWork = {
    state,
    candidate,
    broken: [],
    unmet: [],
    mutants: undefined,
    twins: [],
    parts: [],
    ...more,
  };
  const verdict = {
    patch: { ...side, beginAnew: false, ...patch },
    tests: side,
    drop: [],
    saysWrong: [],
    twins: [],
    parts: [],
  };
  const ended = concludeReview(work, { candidate: "c1", findings: found }, { verdict, unanswered: "" });
  return { text: ended.text, line: renderState(ended.state), advice: ended.state.reviews[0]?.advice };
}

it("leads with why a patch is not approved, and where to go on, and so does the state", () => {
  const misplaced = { approved: false, headline: "changes the wrong place", advice: "Look at y." };
  const anew = conclude({ ...misplaced, beginAnew: true });
  expect(anew.text).toMatch(/^c1 is not approved: changes the wrong place/);
  expect(anew.text).toMatch(/Advice: Look at y\.[\s\S]*reach: It changes[\s\S]*mutants: 3 of 9/);
  expect(anew.text).toContain("Next: edit-code from base");
  expect(anew.line).toMatch(/- c1: .*; review: not approved: changes the wrong place; doubt: It changes/);
  expect(conclude(misplaced).text).toContain("Next: edit-code from c1 as advised.");
  expect([conclude(misplaced).advice, anew.advice]).toEqual([
    "It asks for what is said. More of it. Look at y.",
    undefined,
  ]);
});

it("says of an approved patch why, and of its tests what they check", () => {
  const { text, line } = conclude({ analysis: "It mends the cause. The rest stays." });
  expect(text).toMatch(/^c1 is approved: It mends the cause \(there are doubts\)\.\n\nThe rest/);
  expect(text).toContain("Tests: It asks for what is said.");
  expect(text).toContain("Next: finish with c1");
  expect(line).toContain("review: approved: It mends the cause; doubt");
});

it("drops the findings of a dropped test, not those of another test whose name begins with its name", () => {
  const about = (test: string): ReviewFinding => ({
    check: "held-back-tests",
    weight: "refuted",
    text: `A held-back test of the same behaviour does not pass: ${test} (AssertionError).`,
    test,
  });
  const work = { state: { ...emptyState, candidates: [candidate] }, candidate, broken: [], unmet: [] };
  const verdict = {
    ...{ patch: { ...side, beginAnew: false }, tests: side, saysWrong: [], twins: [], parts: [] },
    drop: [{ test: "test_a.py::test_b", reason: "it contradicts the statement" }],
  };
  const findings = [about("test_a.py::test_b"), about("test_a.py::test_bc")];
  const { state } = concludeReview(
    { ...work, mutants: undefined, twins: [], parts: [] },
    { candidate: "c1", findings },
    { verdict, unanswered: "" },
  );
  expect(state.reviews[0]?.findings).toEqual([findings[1]]);
});

it("advises no proposal that the gate would refuse", () => {
  const key = { package: "", target: "test_a.py", name: "test_b" };
  const failing = { key, status: "failed" as const, durationMs: 1 };
  const row = { candidate: "c1", outcomes: [], targets: [], broken: [], invalid: undefined, score: [] };
  const next = (more: object): string => {
    const rows = [{ ...row, ...more }];
    return conclude({}, { state: { ...emptyState, candidates: [candidate], rows } }).text;
  };
  expect(next({})).toContain("Next: finish with c1.");
  expect(next({ targets: [failing], broken: ["test_a.py::test_c"] })).toContain(
    "Next: edit-code from c1, because 2 tests fail with it.",
  );
  const says = (isAgreed: boolean | undefined, broken: string[]): string => {
    const claim = {
      test: "test_c",
      because: "the statement",
      ...(isAgreed === undefined ? {} : { isAgreed }),
    };
    const state = { ...emptyState, candidates: [candidate], rows: [{ ...row, broken }], saysWrong: [claim] };
    return conclude({}, { state }).text;
  };
  expect(says(true, ["test_a.rb::A#test_c"])).toContain("Next: finish with c1.");
  expect(says(true, ["test_a.rb::A#test_c", "test_a.rb::A#test_d"])).toContain("because 1 test fails");
  expect(says(false, ["test_a.rb::A#test_c"])).toMatch(/because 1 test fails with it\.$/);
  // Only time is missing.
  expect(next({ broken: ["test_a.py::test_c"], isCut: true })).toContain("Next: finish with c1.");
});

it("calls a patch refuted that breaks an added test, whatever the reviewer says", () => {
  const key = { package: "", target: "test_a.py", name: "test_b" };
  const broken = [{ key, status: "failed" as const, durationMs: 1 }];
  const { text, line } = conclude({}, { broken });
  expect(text).toMatch(/^c1 is refuted\.\n\nThe reviewer found nothing wrong: It asks for what is said\./);
  expect(line).toMatch(/review: refuted: .*test_a\.py::test_b/);
});
