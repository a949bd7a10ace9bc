import { expect, test } from "vitest";
import { judgeNoticed } from "./notices-faults.ts";
import { weighMutants } from "./target-strength.ts";

const judged = (verdicts: Parameters<typeof weighMutants>[1]) => judgeNoticed(weighMutants([], verdicts));

test("mutants that did not run in time leave it undecided only if they could still decide", () => {
  const late = judged(["noticed", "noticed", "unknown", "unknown", "unknown"]);
  expect(late).toMatchObject({ holds: false, isCut: true });
  expect(late.evidence).toContain("only 2 of 5 small faults in the executed lines ran in time");
  const weak = judged(["survives", "survives", "survives", "unknown"]);
  expect([weak.holds, weak.isCut]).toEqual([false, undefined]);
  expect(weak.evidence).toContain("assert more results");
  expect(judged(["noticed", "survives"])).toEqual({
    predicate: "new-tests-notice-faults",
    holds: true,
    evidence: "the new tests detect 1 of 2 small faults in the lines that they execute",
  });
});
