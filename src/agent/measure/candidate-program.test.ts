import { expect, test } from "vitest";
import { type CandidateProgram, findCulprits } from "./candidate-program.ts";

const program: CandidateProgram = {
  tree: "",
  left: new Set(),
  schemas: new Map([
    [
      "A.java",
      {
        text: "",
        left: [],
        places: new Map([
          [1, { startLine: 10, endLine: 12 }],
          [2, { startLine: 20, endLine: 22 }],
        ]),
      },
    ],
  ]),
};
const complaint = (line: number, message: string) => ({ file: "A.java", line, message });

test("a variant with a complaint of its own is a culprit", () => {
  const complaints = [complaint(11, "incompatible types"), complaint(40, "cannot find symbol")];
  expect([...findCulprits(program, complaints)]).toEqual([1]);
});

test("a variant is no culprit if the base's own code has the same complaint", () => {
  const unset = "variable i might not have been initialized";
  const complaints = [complaint(11, unset), complaint(21, "incompatible types"), complaint(40, unset)];
  expect([...findCulprits(program, complaints)]).toEqual([2]);
  expect([...findCulprits(program, [complaint(21, unset), complaint(40, unset)])]).toEqual([]);
});
