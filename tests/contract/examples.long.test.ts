/** Examples of a statement, run by each test framework that can. */
import { expect, test } from "vitest";
import { exampleProjects, judgeFee } from "./example-projects.ts";
import { usableSandboxes } from "./workspace-fixture.ts";

const sandbox = usableSandboxes.find(({ name }) => name === "bubblewrap") ?? usableSandboxes[0];

test.for(exampleProjects)("$title runs the examples of a statement", async (each, { skip }) => {
  const missing = await each.project.unavailable();
  if (missing !== undefined || sandbox === undefined) return skip(missing);
  const statement = "`fee(10)` returns 16 and has to return 24.";
  expect(await judgeFee(each, sandbox, "(weight - 2) * 3", statement)).toEqual({
    objections: [],
    doubts: [],
    held: 1,
  });
  expect(await judgeFee(each, sandbox, "(weight - 2) * 2 + 5", statement)).toEqual({
    objections: ["The statement says that `fee(10)` gives 24, but with the patch it gives 21."],
    doubts: [],
    held: 0,
  });
});

test("a call that raises says nothing", async ({ skip }) => {
  const each = exampleProjects.find(({ title }) => title === "unittest");
  if (each === undefined || sandbox === undefined) return skip("no sandbox");
  const judged = await judgeFee(each, sandbox, "1 // 0", "`fee(10)` has to return 24.");
  expect(judged).toEqual({ objections: [], doubts: [], held: 0 });
});
