import { expect, test } from "vitest";
import type { ForgeIssue } from "../forge-hosts/contract.ts";
import { issueBeforeFix } from "./issue-before-fix.ts";

const day = (number: number): string => `2024-03-0${number}T12:00:00Z`;
const issue: ForgeIssue = {
  ...{ number: 2, title: "Third", body: "One\r\ntwo", opened: day(1), edited: undefined },
  renamed: [
    { at: day(6), from: "Second" },
    { at: day(2), from: "First" },
    { at: day(4), from: "Before the fix" },
  ],
  comments: [1, 3, 4, 5, 9].map((each) => ({ at: day(each), text: "" })),
};
const before = (changed: Partial<ForgeIssue>) => issueBeforeFix({ ...issue, ...changed }, day(3), day(5));

test("the title is the one of the time of the fix, and comments count up to the merge", () => {
  expect(before({})).toEqual({
    ...{ number: 2, title: "Before the fix", body: "One\ntwo", created_at: day(1), comments: 4 },
  });
  expect(before({ renamed: [] }).title).toBe("Third");
});

test("a text that is younger than the fix is marked", () => {
  expect(before({ edited: day(3) }).late).toBeUndefined();
  expect(before({ edited: day(4) }).late).toBe(day(4));
  expect(before({ opened: day(4) }).late).toBe(day(4));
});
