import { expect, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import type { ActionContext } from "../agent/action.ts";
import { tellSeen } from "../agent/control/conclude.ts";
import { emptyState, type Review } from "../agent/state/task-state.ts";
import { tellUnmet } from "../agent/verdict/standing-objection.ts";
import { isSameRow } from "./execute-tests.ts";
import { adviceOn, endCutOff } from "./finish.ts";

const candidate = { id: "c2", tree: "t", kind: "code" as const, origin: "" };
const faults = {
  predicate: "new-tests-notice-faults",
  holds: false,
  evidence: "undecided: of 12 small faults, 3 ran in time",
  isCut: true,
};
const review = (isApproved: boolean): Review => ({ candidate: "c2", isApproved, findings: [] });
const end = (reviews: readonly Review[], without: readonly string[] = []) =>
  endCutOff(partOf<ActionContext>({ switches: { without } }), { ...emptyState, reviews }, candidate, {
    unmet: [faults],
    open: [],
  });

test("a candidate that only time keeps from its gate ends the work once a review approves it", () => {
  const ended = end([review(true)]);
  expect([ended.isEnd, ended.isError]).toEqual([true, undefined]);
  expect(ended.state.ending).toEqual({ form: "out-of-time", candidate: "c2" });
  expect(ended.text).toBe(
    "c2 is delivered unverified, because a time limit prevented measurements. These conditions and requirements are open:\n- new-tests-notice-faults: undecided: of 12 small faults, 3 ran in time",
  );
  const unread = end([]);
  expect([unread.isEnd, unread.isError]).toEqual([undefined, true]);
  expect(unread.text).toContain("Have c2 reviewed.");
  const refused = end([review(false)]);
  expect([refused.isEnd, refused.state.ending]).toEqual([undefined, undefined]);
  expect(refused.text).toContain("The review did not approve c2.");
  expect(end([], ["review-patch"]).isEnd).toBe(true);
});

test("the reason names first what time cut off, then what was seen to hold", () => {
  const gate = [
    { predicate: "new-tests-pass", holds: true, evidence: "" },
    { predicate: "no-test-breaks", holds: false, evidence: "1 of 3" },
    faults,
  ];
  expect(tellUnmet(gate, [])).toBe(
    "new-tests-notice-faults, which the time limit cut off (undecided: of 12 small faults, 3 ran in time); no-test-breaks",
  );
  const objection = { predicate: "no-standing-objection", holds: false, evidence: "It exits." };
  expect(tellUnmet([...gate, objection], [])).toMatch(/^an objection stands: It exits; new-tests-notice/);
  expect(tellSeen({ reviews: [review(true)] }, candidate, gate)).toBe(
    " These conditions hold: new-tests-pass. The review approved the change.",
  );
  expect(tellSeen({ reviews: [] }, candidate, gate.slice(0, 2))).toBe("");
});

test("a refused proposal advises only what can help", () => {
  const unmet = (predicate: string, isCut = false) => [{ predicate, holds: false, evidence: "", isCut }];
  const asked = { isShown: false, unclaimed: [] as string[] };
  const advised = (predicate: string, more: Partial<typeof asked> = {}, isCut = false): string =>
    adviceOn(unmet(predicate, isCut), { ...asked, ...more }).join(" ");
  expect(advised("failing-tests-fail-on-base")).toContain("`unverifiable`");
  expect(advised("failing-tests-fail-on-base", { isShown: true })).toBe("");
  // Tests of a feature show the change, whether or not a fault is known.
  expect(advised("new-tests-notice-faults")).toBe("");
  const unclaimed = ["tests/test_a.py::test_old"];
  expect(advised("no-test-breaks", { unclaimed })).toContain("`saysWrong`");
  expect(advised("no-test-breaks")).toBe("");
  expect(advised("no-test-breaks", { unclaimed }, true)).toBe("");
});

test("a repeated run of the same tests is told as what it is", () => {
  const row = { candidate: "c1", outcomes: [], targets: [], broken: [], invalid: undefined, score: [1, 0] };
  expect(isSameRow({ ...row }, row)).toBe(true);
  expect(isSameRow({ ...row, score: [0, 0] }, row)).toBe(false);
  expect(isSameRow({ ...row, broken: undefined }, row)).toBe(false);
  expect(isSameRow(undefined, row)).toBe(false);
});
