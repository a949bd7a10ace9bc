/** Notes of earlier runs: only where the user allows it, outside of the repository, with the run that made them. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { solveReportSchema } from "../../src/domain/solve-report.ts";
import { createPlayground, fingerprint, type Playground } from "./millwright.ts";
import { solveScripted } from "./scripted-solve.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

test("a run begins with what an earlier one noted", async () => {
  const state = join(playground.folder, "state");
  vi.stubEnv("XDG_STATE_HOME", state);
  const repository = playground.copyRepository("repair-python");
  const before = fingerprint(repository);
  const solve = async (...args: string[]) => {
    const end = await playground.start(["solve", "--repo", repository, "--output", "json", ...args]).ended;
    return solveReportSchema.parse(JSON.parse(end.stdout));
  };
  const first = await solve("--remember");
  expect(readdirSync(join(state, "millwright", "notes"))).toHaveLength(1);
  const told = [
    `The command \`python3 -m unittest discover\` runs the tests. (noted by run ${first.run} on`,
    `Layout: ledger/ (sources in python: 3); tests/ (tests: 2). (noted by run ${first.run} on`,
    `A verified patch changed ledger/account.py. (noted by run ${first.run} on`,
  ];
  const { report } = await solveScripted(playground, {
    repository,
    statement: "",
    strategy: "unified",
    answers: [{ role: "planning", contains: told, text: "I remember." }],
    args: ["--remember"],
  });
  // The answer is given to a request that has the notes, and to no other.
  expect(report.usage.calls).toBe(1);
  expect(fingerprint(repository)).toBe(before);
});
