import { expect, it } from "vitest";
import { describeOutcome, listRepeats } from "./varied-tests.ts";

it("finds inputs on which a test gives every version the same result as before", () => {
  const tests = ["silent", "telling", "silent", "telling", "silent"];
  const behaviours = new Map([
    [0, ["vpassed", "vgot 1", "vpassed", "vgot 2", "vpassed"]],
    [1, ["vpassed", "vgot 1", "vpassed", "vgot 2", "vfailed"]],
  ]);
  expect(listRepeats(tests, behaviours)).toEqual([false, false, true, false, false]);
});

it("omits lines and waits from a result, but none of its values", () => {
  const said = (message: string): string | undefined =>
    describeOutcome({
      key: { package: "", target: "fee_test.go", name: "TestFee" },
      ...{ status: "failed", durationMs: 1 },
      failure: { type: "Failed", message, frames: [], text: "" },
    });
  const lines = (at: number, wait: string): string => `fee_test.go:${at}: got map[fee:14] after ${wait}`;
  expect(said(lines(12, "3.1 ms"))).toBe(said(lines(80, "12ms")));
  expect(said("at <anonymous>:1:2, localhost:4123")).toBe(said("at <anonymous>:7:8, localhost:9"));
  for (const [one, other] of [
    ["got map[fee:14]", "got map[fee:21]"],
    ["got {Fee:14}", "got {Fee:21}"],
    ["got 14s, want 21s", "got 21s, want 21s"],
    ["expected 10:30", "expected 10:45"],
  ] as const)
    expect(said(one)).not.toBe(said(other));
});
