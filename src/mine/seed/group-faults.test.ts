import { expect, test } from "vitest";
import { groupFaults, insertFaults } from "./group-faults.ts";

const base = "a = 1; b = 2; c = 3";
const fault = (file: string, start: number, end: number, replacement: string) => ({
  fault: { file, base, start, end, replacement },
});
const first = fault("x.py", 4, 5, "10");
const last = fault("x.py", 18, 19, "30");
const whole = fault("x.py", 0, 19, "pass");
const other = fault("y.py", 4, 5, "0");

test("inserts faults of one file from its end, and of each file on its own", () => {
  expect(insertFaults([first, last, other].map((each) => each.fault))).toEqual([
    { path: "x.py", content: "a = 10; b = 2; c = 30" },
    { path: "y.py", content: "a = 0; b = 2; c = 3" },
  ]);
});

test("groups faults of one file first, without overlaps", () => {
  expect(groupFaults([first, other, last], 2)).toEqual([[first, last]]);
  expect(groupFaults([first, whole, other], 2)).toEqual([[first, other]]);
  expect(groupFaults([first, whole], 2)).toEqual([]);
  expect(groupFaults([first, other], 1)).toEqual([[first], [other]]);
});
