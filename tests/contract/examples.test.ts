/** One framework; `examples.long.test.ts` has the others. */
import { expect, test } from "vitest";
import { exampleProjects, judgeFee } from "./example-projects.ts";
import { usableSandboxes } from "./workspace-fixture.ts";

test("runs a stated example beside the first suitable test, and objects to another result", async ({
  skip,
}) => {
  const each = exampleProjects.find(({ title }) => title === "unittest");
  const [sandbox] = usableSandboxes;
  const missing = await each?.project.unavailable();
  if (missing !== undefined || each === undefined || sandbox === undefined) return skip(missing);
  const inDocument = { package: "", target: "README.md", name: "README.md" };
  const judge = (body: string) =>
    judgeFee(each, sandbox, body, "`fee(10)` has to return 24, not 16.", [inDocument]);
  expect(await judge("(weight - 2) * 3")).toEqual({ objections: [], doubts: [], held: 1 });
  expect(await judge("(weight - 2) * 2 + 5")).toMatchObject({
    objections: ["The statement says that `fee(10)` gives 24, but with the patch it gives 21."],
  });
});
