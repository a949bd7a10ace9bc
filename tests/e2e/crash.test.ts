import { afterAll, beforeAll, expect, test } from "vitest";
import { crashAndResume, type Reference, runReference } from "./crash.ts";
import { createPlayground, type Playground } from "./millwright.ts";

let playground: Playground;
let repository: string;
let reference: Reference;
beforeAll(async () => {
  playground = createPlayground();
  repository = playground.copyRepository("repair-python");
  reference = await runReference(playground, repository, []);
});
afterAll(() => playground.remove());

test.each([1, 2, 3, 4, 5])(
  "kill -9 at event boundary of seed %i: nothing is lost, left behind, repeated or written to the repository",
  async (seed) => {
    const { problems } = await crashAndResume(playground, repository, reference, seed, []);
    expect(problems).toEqual([]);
  },
);
