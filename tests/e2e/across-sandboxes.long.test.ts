/** One recording, three sandboxes: `npm run bench:crash -- 5 matrix` has all strategies and moments, here is a sample. */
import { cpSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { crashAcross, findOwnPaths, recordScript, replayIn, workingSandboxes } from "./across-sandboxes.ts";
import type { Reference } from "./crash.ts";
import { createPlayground, type Playground } from "./millwright.ts";
import { placedRepository, strategyScripts } from "./strategy-scripts.ts";

const sandboxes = await workingSandboxes();
/** Counted around: where there is one sandbox, all of it happens there. */
const sandbox = (index: number): string => sandboxes[index % sandboxes.length] ?? "local";

let playground: Playground;
let repository: string;
beforeAll(() => {
  playground = createPlayground();
  repository = placedRepository(playground);
});
afterAll(() => playground.remove());

function record(strategy: string, where: string): Promise<Reference> {
  const script = strategyScripts(repository).find((each) => each.strategy === strategy);
  if (script === undefined) throw new Error(`there is no script for ${strategy}`);
  return recordScript(playground, repository, script, where);
}

test("best-of: recorded in one sandbox, done again in the next, killed there and resumed in a third: no request is new", async () => {
  const reference = await record("best-of", sandbox(2));
  expect(findOwnPaths(playground, reference)).toEqual([]);
  const { problems } = await crashAcross(playground, repository, reference, {
    ...{ seed: 3, from: sandbox(3), to: sandbox(4) },
  });
  expect(problems).toEqual([]);
});

test("a run that was copied to another machine, without its sandbox, is replayed there once they are named", async () => {
  const reference = await record("react", sandbox(1));
  const elsewhere = createPlayground();
  try {
    cpSync(join(playground.runs, reference.run), join(elsewhere.runs, reference.run), { recursive: true });
    const moved = join(elsewhere.folder, "moved");
    cpSync(repository, moved, { recursive: true });
    renameSync(repository, `${repository}-away`);
    const asked = await elsewhere.start(["replay", reference.run, "--output", "json"]).ended;
    expect(asked.exitCode).toBe(2);
    expect(JSON.parse(asked.stdout)).toMatchObject({ hint: "Give the repository's current path." });
    const run = join(elsewhere.runs, reference.run, "run.json");
    const inDocker = { ...JSON.parse(readFileSync(run, "utf8")), sandbox: "docker" };
    writeFileSync(run, JSON.stringify(inDocker));
    const gone = await elsewhere.start(["replay", reference.run, "--repo", moved, "--output", "json"], {
      env: { DOCKER_HOST: "unix:///nowhere" },
    }).ended;
    expect(gone.exitCode).toBe(3);
    expect(JSON.parse(gone.stdout).hint).toContain("choose another sandbox");
    for (const where of new Set([sandbox(0), "local"]))
      expect(await replayIn(elsewhere, reference, ["--repo", moved, "--sandbox", where])).toEqual([]);
  } finally {
    renameSync(`${repository}-away`, repository);
    elsewhere.remove();
  }
});
