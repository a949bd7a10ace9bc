import { expect, it } from "vitest";
import { listRepeats } from "./varied-tests.ts";

it("finds inputs on which a test gives every version the same result as before", () => {
  const tests = ["silent", "telling", "silent", "telling", "silent"];
  const behaviours = new Map([
    [0, ["vpassed", "vgot 1", "vpassed", "vgot 2", "vpassed"]],
    [1, ["vpassed", "vgot 1", "vpassed", "vgot 2", "vfailed"]],
  ]);
  expect(listRepeats(tests, behaviours)).toEqual([false, false, true, false, false]);
});
