import { expect, test } from "vitest";
import { edgesAfter } from "./shifted-date.ts";

test.each([
  ["2026-11-27", ["2026-12-31", "2027-01-31", "2028-02-29"]],
  ["2028-02-29", ["2028-12-31", "2029-01-31", "2032-02-29"]],
  ["2097-01-01", ["2097-01-31", "2097-12-31", "2104-02-29"]],
])("the last days after %s are %j", (today, edges) => {
  expect(edgesAfter(new Date(today))).toEqual(edges);
});
