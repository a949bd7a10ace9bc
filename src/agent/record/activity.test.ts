import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { RunEvent } from "../../domain/run-event.ts";
import { watchActivity } from "./activity.ts";

const event = (name: RunEvent["event"], more: object): RunEvent =>
  partOf<RunEvent>({ event: name, at: 0, ...more });

test("what goes on is what began last and has not ended: a model that is waited for, and no command before it", () => {
  const activity = watchActivity();
  const seen = [
    event("phase-started", { title: "let the model work" }),
    event("call-started", { order: 1, role: "editing", model: "acme/large" }),
    event("call-ended", { order: 1 }),
    event("tool-started", { order: 2, tool: "bash", about: "make test" }),
    event("step-started", { step: "shell:1", title: "make test" }),
    event("step-finished", { step: "shell:1" }),
    event("tool-ended", { order: 2 }),
    event("call-started", { order: 3, role: "editing", model: "acme/large" }),
    event("call-ended", { order: 3 }),
    event("action-started", { round: 2, action: "edit-code", intent: "let it pass" }),
    event("call-started", { order: 4, role: "editing", model: "acme/large" }),
    event("call-ended", { order: 4 }),
    event("action-ended", { round: 2, action: "edit-code" }),
  ].map((each) => {
    activity.see(each);
    return activity.current();
  });
  const waits = "wait for acme/large (editing)";
  const acts = "2. edit-code: let it pass";
  expect(seen).toEqual([
    ...["", waits, "", "bash make test", "make test", "bash make test", "", waits, ""],
    ...[acts, waits, acts, ""],
  ]);
});
