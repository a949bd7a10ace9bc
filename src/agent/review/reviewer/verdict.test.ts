import { expect, test } from "vitest";
import { partOf } from "../../../../tests/part-of.ts";
import type { TaskState } from "../../state/task-state.ts";
import { type ReviewWork, verdictTool } from "./verdict.ts";

test("a review that approves can say that a stated case is none, without a test", async () => {
  const work = partOf<ReviewWork>({
    state: partOf<TaskState>({}),
    broken: [],
    unmet: [],
    twins: [],
    parts: ["an empty input: Empty rooms"],
  });
  const tool = verdictTool(partOf({}), work, []);
  const side = { approved: true, headline: "", analysis: "It is right.", advice: "" };
  const say = async (part: object) =>
    await tool.run({
      patch: { ...side, beginAnew: false },
      tests: side,
      parts: [{ part: "1", because: "the rooms are empty of people", ...part }],
    } as never);
  expect(await say({ test: "t.py::test_other" })).toMatchObject({ isError: true });
  expect(await say({ test: "", isCase: false })).toMatchObject({
    end: { parts: [{ part: "an empty input: Empty rooms", test: "", isCase: false }] },
  });
});
