import { expect, test } from "vitest";
import { steadyRequest } from "./steady.ts";

test("requests that differ in durations, addresses, handles and the order of lines are alike", () => {
  const one = { text: "2 more (output:1a2b3c4d)\ntook 3.2 s\n<object at 0x7fe043f7d300>" };
  const other = { text: "took 41 ms\n2 more (output:99ffee00)\n<object at 0x55d0aa11bb22>" };
  expect(steadyRequest(one)).toEqual(steadyRequest(other));
  expect(steadyRequest({ text: "output of total" })).toEqual({ text: "output of total" });
});
