import { expect, test } from "vitest";
import { findCalendarSums } from "./calendar-sums.ts";
import { compareLists } from "./steady-tests.ts";

const lists = { failToPass: ["a"], passToPass: ["b"], flaky: ["c"] };
const good: Readonly<Record<string, { before: boolean; after: boolean }>> = {
  a: { before: false, after: true },
  b: { before: true, after: true },
  c: { before: false, after: true },
  d: { before: false, after: true },
};

test.each([
  { why: "right lists", listed: lists, wrong: [] },
  {
    why: "a test that passes before",
    listed: { ...lists, failToPass: ["a", "b"] },
    wrong: ["b passes before"],
  },
  {
    why: "an unknown test",
    listed: { ...lists, failToPass: ["x"] },
    wrong: ["x fails with", "a fails only"],
  },
  {
    why: "a failing test among the passing",
    listed: { ...lists, passToPass: ["a"] },
    wrong: ["a is listed"],
  },
  { why: "a test left out", listed: lists, more: ["d"], wrong: ["d fails only before the fix"] },
  { why: "a flaky test left out", listed: lists, more: ["c"], wrong: [] },
])("the lists of a task: $why", ({ listed, more = [], wrong }) => {
  const computed = { ...lists, failToPass: [...lists.failToPass, ...more] };
  const found = compareLists(listed, computed, (id) => good[id] ?? { before: false, after: false });
  expect(found.map((each, at) => each.startsWith(wrong[at] ?? "-"))).toEqual(wrong.map(() => true));
});

test.each([
  ["now = datetime.now()\ncache.expire(now.replace(day=now.day + 1))", true],
  ["cache.expire(datetime.now() + timedelta(days=1))", false],
  ["day = datetime(2020, 1, 30)\nnext = day.replace(day=day.day + 1)", false],
  ["const d = new Date();\nd.setMonth(d.getMonth() + 1);", true],
  ["const d = new Date(2020, 1, 1);\nd.setMonth(d.getMonth() + 1);", false],
  ["now = Time.now\nlater = Time.local(now.year, now.month, now.day + 1)", true],
  ["later = Time.now + 86_400", false],
  ["now := time.Now()\nlater := now.AddDate(0, 1, 0)", false],
])("%s counts days by hand: %s", (text, expected) => {
  expect(findCalendarSums(text).length > 0).toBe(expected);
});
