import { afterAll, beforeAll, expect, test } from "vitest";
import { crashAndResume, type Reference, runReference } from "./crash.ts";
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

// `npm run bench:crash` has many more moments, and all strategies; runs with a model are killed in unified.test.ts and others.
test("kill -9 in the last phase: nothing is lost, left behind, repeated or written to the repository", async () => {
  const start = ["solve", "--repo", repository];
  const { problems } = await crashAndResume(playground, repository, reference, { seed: 4, start });
  expect(problems).toEqual([]);
});
