import { expect, test } from "vitest";
import { emptyState, type ShownFault } from "../state/task-state.ts";
import { withFaultOf } from "./act-alone.ts";

const faultOf = (evidence: string): ShownFault => ({
  ...{ targets: [], heldBack: [], baseRuns: [], reason: { holds: true, evidence } },
});

test("a session with more tests does not lose the fault that an action has shown", () => {
  const [ofBase, ofAction] = [faultOf("a test of the base"), faultOf("a written test")];
  const opened = { ...emptyState, fault: ofBase };
  expect(withFaultOf(opened, { ...emptyState, fault: ofAction }).fault).toBe(ofAction);
  expect(withFaultOf(opened, emptyState).fault).toBe(ofBase);
});
