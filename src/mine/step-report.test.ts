import { expect, test } from "vitest";
import { addReports, reportStep } from "./step-report.ts";

test("adds the counts of two reports by step, cause and language", () => {
  const first = reportStep("filter", [
    { verdict: "kept", language: "go" },
    { verdict: "dropped", cause: "no-tests", language: "go" },
  ]);
  const later = reportStep("filter", [
    { verdict: "dropped", cause: "no-tests", language: "go" },
    { verdict: "dropped", cause: "no-code", language: "" },
  ]);
  const review = reportStep("review", [{ verdict: "kept", language: "go" }]);
  const [sum, ...rest] = addReports([first], [later, review]);
  expect(sum).toMatchObject({
    ...{ step: "filter", candidates: 4, kept: 1, dropped: 3, causes: { "no-tests": 2, "no-code": 1 } },
    languages: { go: { candidates: 3, kept: 1 }, none: { candidates: 1, kept: 0 } },
  });
  expect(rest).toEqual([review]);
});
