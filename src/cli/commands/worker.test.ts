import { expect, test } from "vitest";
import { leaseSeconds } from "./worker.ts";

test("a lease has at least ten seconds", () => {
  expect(leaseSeconds("10")).toBe(10);
  for (const short of ["0", "2", "9", "10s"]) expect(() => leaseSeconds(short)).toThrow("from 10 to 9999");
});
