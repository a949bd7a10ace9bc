import { expect, test } from "vitest";
import { findCalendarSums } from "./calendar-sums.ts";
import { compareLists, tellSteady } from "./steady-tests.ts";

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
    wrong: ["the lists say that a passes"],
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
  ["const d = new Date();\nd.setDate(d.getDate() - 1);", false],
  ["const now = new Date();\nconst later = new Date(now.getFullYear() + 1, 0, 1);", false],
  ["d = datetime.date.today()\nlater = datetime.date(d.year + 1, 1, 1)", false],
  ["d = datetime.date.today()\nlater = datetime.date(d.year + 1, d.month, d.day)", true],
  ["d = datetime.date.today()\nlater = datetime.date(d.year, d.month + 1, 1)", true],
  ["now = datetime.now()\nlater = now.replace(year=now.year + 1)", true],
  ["now = datetime.now()\nlater = now.replace(year=now.year + 1, month=1, day=1)", false],
  ["now = datetime.now()\nlater = now.replace(month=now.month % 12 + 1, day=1)", false],
  ["now = Time.now\nearlier = Time.new(now.year - 1, 6, 15)", false],
  ["LocalDate d = LocalDate.now();\nd.withDayOfMonth(d.getDayOfMonth() + 1);", true],
  ["now = Time.now\nlater = Time.local(now.year, now.month, now.day + 1)", true],
  ["later = Time.now + 86_400", false],
  ["d = date.today()\nbefore = date(d.year, d.month - 1 or 12, 1)", false],
  ["d = date.today()\nif d.month == 12:\n  n = 1\nelse:\n  n = date(d.year, d.month + 1, 1)", false],
  ['now = datetime.now()\ntext = text.replace("a day + 1", "")', false],
  ["now := time.Now()\nlater := now.AddDate(0, 1, 0)", false],
])("%s counts days by hand: %s", (text, expected) => {
  expect(findCalendarSums(text).length > 0).toBe(expected);
});

test.each([
  {
    told: { ran: ["in another order", "on 2027-01-31"], left: [], repeats: 24 },
    reason: "the fail-to-pass tests passed in another order, on 2027-01-31 and in 24 repeats with the fix",
    score: 1,
  },
  {
    told: { ran: ["in another order"], left: ["without the other tests"], repeats: 0 },
    reason:
      "the fail-to-pass tests passed in another order with the fix; there was no time for runs without the other tests, or repeats",
    score: 1,
  },
  {
    told: { ran: [], left: ["in another order"], repeats: 0 },
    reason: "there was no time for runs in another order, or repeats",
    score: 0.5,
  },
  {
    told: { ran: [], left: [], repeats: 60, sign: "a.py::test_a may depend on chance: x = random.random()" },
    reason:
      "the fail-to-pass tests passed in 60 repeats with the fix; a.py::test_a may depend on chance: x = random.random()",
    score: 0.5,
  },
])("what ran, and what did not: $reason", ({ told, ...expected }) => {
  expect(tellSteady({ missing: undefined, sign: undefined, ...told })).toMatchObject({
    ...expected,
    isBad: false,
  });
});
