import { expect, test } from "vitest";
import { titleOf } from "./told-by.ts";

const task = { id: "repo-d5af9ca5", kind: "repair" as const, statement: "", repository: "/home/me/repo" };

test("a report is titled by what its task is about, in whole words, and never by the task's id", () => {
  expect(titleOf({ ...task, statement: "\n## Transfers are refused\n\nWhen…" })).toBe(
    "Transfers are refused",
  );
  const long = `A transfer that empties an account ${"is refused although it should be paid, ".repeat(4)}always`;
  const title = titleOf({ ...task, statement: long });
  expect(title.length).toBeLessThanOrEqual(102);
  expect(long.startsWith(`${title.slice(0, -2)}`)).toBe(true);
  expect(title).toMatch(/\w …$/);
  expect(titleOf({ ...task, target: "src/a.py:parse" })).toBe("src/a.py:parse");
  expect(titleOf({ ...task, failingTests: ["tests/a.py::test_one"] })).toBe("tests/a.py::test_one");
  expect(titleOf(task)).toBe("the failing tests of repo");
});
