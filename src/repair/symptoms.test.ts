import { expect, test } from "vitest";
import type { Proposal } from "./proposal.ts";
import { highestPrior, weighBySymptoms } from "./symptoms.ts";
import { templates } from "./templates/index.generated.ts";

function propose(template: string, prior = 0.1): Proposal {
  return {
    file: "a.py",
    start: 0,
    end: 1,
    replacement: "b",
    line: 1,
    statementLine: 1,
    template,
    description: "",
    prior,
    likeness: 1,
  };
}

/** Templates whose prior a failure raises. */
function raisedBy(type: string, message: string): string[] {
  const proposals = templates.map((template) => propose(template.name));
  return proposals
    .map(weighBySymptoms([{ type, message }]))
    .filter((proposal) => proposal.prior > 0.1)
    .map((proposal) => proposal.template);
}

test.each([
  ["AttributeError", "'NoneType' object has no attribute 'name'", "null-guard"],
  ["TypeError", "Cannot read properties of undefined (reading 'length')", "strengthen-condition"],
  ["TypeError", "Cannot convert undefined or null to object", "strengthen-condition"],
  ["IndexError", "list index out of range", "off-by-one"],
  ["TimeoutError", "the test took longer than 10 s", "comparison-bound"],
  ["RangeError", "Maximum call stack size exceeded", "replace-condition"],
  ["panic", "runtime error: invalid memory address or nil pointer dereference", "null-guard"],
  ["panic", "runtime error: slice bounds out of range [:3] with capacity 2", "off-by-one"],
  ["fatal error", "stack overflow", "replace-condition"],
  ["TypeError", "f() missing 1 required positional argument: 'x'", "change-arguments"],
])("%s: %s speaks for %s", (type, message, template) => {
  expect(raisedBy(type, message)).toContain(template);
});

test("a failed comparison of values speaks for no template", () => {
  expect(raisedBy("AssertionError", "assert 3 == 4")).toEqual([]);
});

test("a prior is never above 1", () => {
  const weigh = weighBySymptoms([{ type: "E", message: "NoneType" }]);
  expect(weigh(propose("null-guard", 0.5)).prior).toBe(1);
});

test("the highest prior is the best template's, after a symptom raised it", () => {
  const own = [
    { name: "null-guard", prior: 0.2 },
    { name: "swap-operands", prior: 0.5 },
  ];
  expect(highestPrior(own, [])).toBe(0.5);
  expect(highestPrior(own, [{ type: "E", message: "NoneType" }])).toBe(0.8);
});
