import { afterAll, beforeAll, expect, test } from "vitest";
import { crashAndResume, type Reference, runReference } from "./crash.ts";
import { replayArguments, unifiedArguments } from "./crash-script.ts";
import { createPlayground, type Playground } from "./millwright.ts";

let playground: Playground;
let repository: string;
let reference: Reference;
beforeAll(async () => {
  playground = createPlayground({ sandbox: "auto" });
  repository = playground.copyRepository("repair-python");
  reference = await runReference(playground, repository, []);
});
afterAll(() => playground.remove());

// One moment among the candidates, one in the last phase; `npm run bench:crash` has many more, and all strategies.
test.each([2, 4])(
  "kill -9 at event boundary of seed %i: nothing is lost, left behind, repeated or written to the repository",
  async (seed) => {
    const { problems } = await crashAndResume(playground, repository, reference, {
      seed,
      start: ["solve", "--repo", repository],
    });
    expect(problems).toEqual([]);
  },
);

// Others are in unified.test.ts and across-sandboxes.test.ts.
test("kill -9 during a run with a model: the same candidate, and no answer is paid twice", async () => {
  const { run, ...unified } = await runReference(playground, repository, unifiedArguments(playground));
  const start = ["solve", "--repo", repository, ...replayArguments(playground, run)];
  const { problems } = await crashAndResume(playground, repository, { run, ...unified }, { seed: 1, start });
  expect(problems).toEqual([]);
});
