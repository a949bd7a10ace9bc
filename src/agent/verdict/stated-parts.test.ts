import { expect, test } from "vitest";
import { judgeParts } from "./stated-parts.ts";

const key = { package: "", target: "t.py", name: "test_seek" };
const id = "t.py::test_seek";
const because = "it seeks into the last line, which has no end.";
const part = "a seek past the end";
const judge = (isCertain: boolean, test?: string) =>
  judgeParts(
    [{ text: part, isCertain }],
    [key],
    test === undefined ? undefined : { parts: [{ part, test, because }] },
  );

test("a stated case without a test is an objection until a review names the test that shows it", () => {
  const tells = `The statement names a case that no test visibly checks: "${part}"`;
  expect(judge(true).open).toEqual([
    `${tells}: add a test of it, or have a review name the test that shows it.`,
  ]);
  expect(judge(true, "").open).toEqual([`${tells}, and the review agrees: ${because}`]);
  expect(judge(true, "t.py::test_other").open).toHaveLength(1);
  expect(judge(true, id)).toEqual({
    open: [],
    answered: [`only the review says that ${id} shows "${part}"`],
  });
});

test("a review answers a case with `isCase: false`, whatever it says about the tests", () => {
  for (const isCertain of [true, false])
    for (const test of ["", id])
      expect(
        judgeParts([{ text: part, isCertain }], [key], { parts: [{ part, test, isCase: false, because }] }),
      ).toEqual({
        open: [],
        answered: [`only the review says that "${part}" is no case of the task: ${because}`],
      });
});

test("an item of a list only limits the evidence, unless the review finds no test of it", () => {
  expect(judge(false)).toEqual({ open: [], answered: [expect.stringContaining(part)] });
  expect(judge(false, "").open).toHaveLength(1);
});
