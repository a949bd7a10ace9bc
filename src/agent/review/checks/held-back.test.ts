import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { partOf } from "../../../../tests/part-of.ts";
import { succeed } from "../../../base/result.ts";
import { openRecorder } from "../../record/recorder.ts";
import { emptyState, type TaskState } from "../../state/task-state.ts";
import heldBack from "./held-back.ts";

test.each([
  ["is a doubt if a time limit ended it", "timed-out" as const, "doubt"],
  ["refutes the patch if it ended itself", "exited" as const, "refuted"],
])("a run of the written tests without a report %s", async (_, end, weight) => {
  const directory = mkdtempSync(join(tmpdir(), "millwright-held-back-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const recorder = await openRecorder(directory, () => {});
  onTestFinished(() => recorder.close());
  const key = { package: "", target: "test_a.py", name: "test_keeps" };
  const guard = { key, status: "passed" as const, durationMs: 1 };
  const fault = {
    targets: [],
    heldBack: [],
    guards: [guard],
    baseRuns: [],
    reason: { holds: true, evidence: "" },
  };
  const state: TaskState = partOf<TaskState>({ ...emptyState, fault });
  const executor = {
    run: async () => ({ report: { outcomes: [], coverage: new Map(), invalid: "it is cut off" }, end }),
  };
  const context = {
    ...{ recorder, executor, limits: { remainingMs: () => 1_000 }, frameworks: [{ name: "pytest" }] },
    suite: { outcomes: [], durationMs: 1, command: { framework: "pytest" } },
    workspace: { base: "base", trees: { compose: async () => succeed("tree") } },
  };
  const candidate = { id: "c1", tree: "t", kind: "code" as const, origin: "" };
  const found = await heldBack.run(partOf<Parameters<typeof heldBack.run>[0]>(context), state, candidate);
  expect(found).toMatchObject([{ weight, text: expect.stringContaining("it is cut off") }]);
});
