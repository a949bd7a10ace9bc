/** A recorded run is repeated from its calls alone, whatever the speed of the tests: each strategy gets the same requests. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SolveReport } from "../../src/domain/solve-report.ts";
import { createPlayground, type Playground } from "./millwright.ts";
import { readReport, scriptFile } from "./scripted-solve.ts";
import { placedRepository, type StrategyScript, strategyScripts } from "./strategy-scripts.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

/** The limit gives the tests a quarter of it before the first request. */
const maxTime = "80s";
const count = 4;

/** Tests that take long the first time, as on a machine that is busy at first. */
function slowTests(folder: string): string {
  const tests = Array.from({ length: count }, (_, index) => [
    `    def test_takes_its_time_${index}(self):`,
    `        wait(${index})`,
  ]);
  return `import os
import time
import unittest


def wait(index):
    ran = f"${folder}/ran-{index}"
    if os.path.exists(ran):
        return
    with open("${folder}/seconds") as file:
        seconds = float(file.read())
    time.sleep(seconds)
    open(ran, "w").close()


class TimeTest(unittest.TestCase):
${tests.flat().join("\n")}
`;
}

function setSeconds(folder: string, seconds: number): void {
  for (let index = 0; index < count; index += 1) rmSync(join(folder, `ran-${index}`), { force: true });
  writeFileSync(join(folder, "seconds"), String(seconds));
}

async function solve(
  repository: string,
  { strategy, statement, args }: StrategyScript,
  model: string,
): Promise<SolveReport> {
  const flags = ["--repo", repository, "--strategy", strategy, "--model", model, "--sandbox", "local"];
  const limits = ["--kind", "repair", "--max-time", maxTime, "--output", "json"];
  return readReport(await playground.start(["solve", statement, ...flags, ...limits, ...args]).ended);
}

test.each([
  { strategy: "unified", recordedAt: 6, repeatedAt: 0 },
  { strategy: "react", recordedAt: 0, repeatedAt: 8 },
  { strategy: "workflow", recordedAt: 6, repeatedAt: 0 },
])(
  "$strategy: a run recorded at $recordedAt s a test repeats at $repeatedAt s",
  async ({ strategy, recordedAt, repeatedAt }) => {
    const repository = placedRepository(playground);
    const { folder } = playground;
    writeFileSync(join(repository, "tests", "test_zeit.py"), slowTests(folder));
    const script = strategyScripts(repository).find((each) => each.strategy === strategy);
    if (script === undefined) throw new Error(`there is no script for ${strategy}`);
    const file = join(folder, "script.json");
    writeFileSync(file, scriptFile(script.answers));
    setSeconds(folder, recordedAt);
    const recorded = await solve(repository, script, `scripted:${file}`);
    setSeconds(folder, repeatedAt);
    const repeated = await solve(repository, script, `replay:${join(recorded.runDirectory, "calls")}`);
    const compared = ({ outcome, patch, reason, usage }: SolveReport) => [
      outcome,
      patch,
      reason,
      usage.calls,
    ];
    expect(compared(repeated)).toEqual(compared(recorded));
  },
  300_000,
);

test.each([
  { patch: "right", at: 3, outcome: "verified" },
  { patch: "wrong", at: 1, outcome: "unverified" },
])(
  "a replay shows no tests if the recorded run found none, and judges by those that it finds: a $patch patch is $outcome",
  async ({ at, outcome }) => {
    const repository = placedRepository(playground);
    const broken = join(playground.folder, "broken");
    writeFileSync(broken, "");
    // No test is reported while this file exists, as on a machine that lacks a part of the tests.
    const init = `import os\n\nif os.path.exists("${broken}"):\n    os._exit(3)\n`;
    for (const folder of ["ledger", "tests"]) writeFileSync(join(repository, folder, "__init__.py"), init);
    const script = strategyScripts(repository).find(({ strategy }) => strategy === "workflow");
    if (script === undefined) throw new Error("there is no script");
    // Without tests, nothing asks for a second edit.
    const { answers } = script;
    const once = [answers[0], answers[at], answers[2]].flatMap((answer) => answer ?? []);
    const file = join(playground.folder, "script.json");
    writeFileSync(file, scriptFile(once));
    const recorded = await solve(repository, script, `scripted:${file}`);
    expect(recorded).toMatchObject({ outcome: "unverified", testCommand: null });
    rmSync(broken);
    const repeated = await solve(repository, script, `replay:${join(recorded.runDirectory, "calls")}`);
    const { patch, usage } = recorded;
    expect(repeated).toMatchObject({ ...{ patch, usage, outcome }, testCommand: expect.anything() });
    expect(readFileSync(join(repeated.runDirectory, "events.jsonl"), "utf8")).toContain(
      "The recorded run found no tests and showed none to the models. This replay found",
    );
  },
  300_000,
);
