import { expect, test } from "vitest";
import { partOf } from "../../../../tests/part-of.ts";
import type { TaskState } from "../../state/task-state.ts";
import { type ReviewWork, verdictTool } from "./verdict.ts";

test("a review that approves can say that a stated case is none, without a test", async () => {
  const work = partOf<ReviewWork>({
    state: partOf<TaskState>({ rows: [] }),
    broken: [],
    unmet: [],
    candidate: { id: "c1" },
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

test("a review that approves must answer each claim about a test, by its name or a shorter one", async () => {
  const claims = ["a_test.rb::A#test_b", "test_c"].map((test) => ({ test, because: "the statement" }));
  const work = partOf<ReviewWork>({
    state: partOf<TaskState>({ saysWrong: claims, rows: [] }),
    candidate: { id: "c1" },
    ...{ broken: [], unmet: [], twins: [], parts: [] },
  });
  const context = partOf<Parameters<typeof verdictTool>[0]>({ recorder: { events: [], append: () => {} } });
  const side = { approved: true, headline: "", analysis: "It is right.", advice: "" };
  const answer = async (...tests: string[]) =>
    await verdictTool(context, work, []).run({
      patch: { ...side, beginAnew: false },
      tests: side,
      saysWrong: tests.map((test) => ({
        test,
        agreed: true,
        because: "I have read the test and the statement",
      })),
    } as never);
  expect(await answer("test_b")).toMatchObject({
    isError: true,
    text: expect.stringContaining("Missing: test_c"),
  });
  expect(await answer("test_b", "test_c")).toMatchObject({ text: "Kept." });
  expect(work.state.saysWrong?.map(({ isAgreed }) => isAgreed)).toEqual([true, true]);
});
