import { expect, test } from "vitest";
import { judgeUnread, withUnread } from "./judge-unread.ts";

const tests = ["heavy", "light"].map((name) => ({ package: "", target: "tests/fee.py", name }));
const paths = ["dist/fee.js"];
const clean = { predicate: "no-standing-objection", holds: true, evidence: "nobody reviewed it" };

test("files that no check read are told if the tests pass without their changes", () => {
  const judged = judgeUnread({ paths, tests, statuses: ["passed", "passed"] });
  expect(withUnread(clean, judged)).toMatchObject({
    holds: true,
    evidence:
      "nobody reviewed it; not judged: dist/fee.js (too large for the checks; the tests pass without this change)",
  });
});

test.each([
  [{ statuses: ["failed", "passed"] as const }, /without them .*heavy does not pass/],
  [{ statuses: ["not-run", "passed"] as const }, /without them .*heavy does not pass/],
  [{ statuses: ["passed", "passed"] as const, invalid: "it shrank" }, /cannot be trusted: it shrank/],
])("an objection if the tests need them: %o", (ran, told) => {
  const judged = withUnread(clean, judgeUnread({ paths, tests, ...ran }));
  expect(judged).toMatchObject({ holds: false, evidence: expect.stringMatching(told) });
});

test("an earlier objection stays", () => {
  const refused = { ...clean, holds: false, evidence: "It was refused." };
  expect(withUnread(refused, judgeUnread({ paths, tests, statuses: ["failed", "passed"] }))).toEqual(refused);
  expect(withUnread(clean, { objections: [], paths: [] })).toEqual(clean);
});
