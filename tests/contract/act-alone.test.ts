/** A desk for single actions over a real workspace: what it opens it closes, whatever comes of it. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import backtrack from "../../src/actions/backtrack.ts";
import executeTests from "../../src/actions/execute-tests.ts";
import probe from "../../src/actions/probe-environment.ts";
import type { Action } from "../../src/agent/action.ts";
import { openShellDesk } from "../../src/agent/code/shell-desk.ts";
import { openTraceDesk } from "../../src/agent/code/trace-desk.ts";
import { actAlone } from "../../src/agent/control/act-alone.ts";
import { recorderOfArm } from "../../src/agent/control/arm.ts";
import { createLimits } from "../../src/agent/record/limits.ts";
import { openRecorder } from "../../src/agent/record/recorder.ts";
import { defaultSwitches } from "../../src/agent/switches.ts";
import { absentModels } from "../../src/agent/think/absent-models.ts";
import { localSandbox, makeFolder, makeRepository, openTestWorkspace } from "./workspace-fixture.ts";

test("an action that cannot begin leaves nothing open, and those after it work; at the end no checkout is left", async () => {
  const repository = makeRepository({ "README.md": "no tests\n" });
  const directory = makeFolder();
  const workspace = await openTestWorkspace(repository, undefined, { directory });
  const recorder = await openRecorder(makeFolder(), () => {});
  onTestFinished(() => recorder.close());
  const desk = actAlone({
    task: { id: "t", kind: "repair", statement: "It is wrong", repository },
    ...{ workspace, recorder, frameworks: [], models: absentModels, testCommand: undefined },
    limits: createLimits({ maxMs: undefined, maxSteps: undefined, usedMs: 0 }),
    ...{ switches: defaultSwitches, decoding: {}, samples: undefined, parallel: 1 },
    signal: new AbortController().signal,
  });
  const act = (action: Action, input: object) => desk.act(action, input, []);
  const opened = () => {
    const folder = join(directory, "checkouts");
    return existsSync(folder) ? readdirSync(folder) : [];
  };
  expect((await act(probe, {})).isError).toBe(false);
  const before = opened().length;
  expect(before).toBeGreaterThan(0);
  await expect(act(executeTests, { candidates: ["c1"] })).rejects.toMatchObject({ code: "usage" });
  expect(opened()).toEqual([]);
  expect((await act(backtrack, { way: "hypothesis", from: "base", note: "another" })).isError).toBe(false);
  expect(opened()).toHaveLength(before);
  await desk.close();
  expect(opened()).toEqual([]);
});

test("desks of one run take no result of each other's commands, though these are the same; a resumed run takes each one's own", async () => {
  const workspace = await openTestWorkspace(makeRepository({ ".gitignore": "kept\n", "a.txt": "a\n" }));
  const folder = makeFolder();
  const limits = createLimits({ maxMs: undefined, maxSteps: undefined, usedMs: 0 });
  // Each desk says what it finds in a file that no tree has: its own, and so nothing at first.
  const commands = ["cat kept 2>/dev/null || echo nothing", "echo here >> kept"];
  const goThrough = async () => {
    const recorder = await openRecorder(folder, () => {});
    const said: string[] = [];
    const [one, two] = [recorderOfArm(recorder, "1"), recorderOfArm(recorder, "2")];
    for (const own of [one, two, one]) {
      const signal = new AbortController().signal;
      const desk = await openShellDesk({ workspace, recorder: own, limits, signal });
      for (const command of [...commands, ...commands]) said.push((await desk.execute(command, 20)).stdout);
      await desk.close();
    }
    const executed = recorder.events.filter(({ event }) => event === "step-started").length;
    recorder.close();
    return { said, executed };
  };
  const first = await goThrough();
  const each = ["nothing\n", "", "here\n", ""];
  expect(first).toEqual({ said: [...each, ...each, ...each], executed: 12 });
  expect(await goThrough()).toEqual(first);
});

test("a command, and a trace, that the run's limit cut off is asked anew by a run with more time, and by no other", async () => {
  const workspace = await openTestWorkspace(
    makeRepository({
      "a.py": "def pay():\n    return 7\n",
      "run.py": "import a\n\na.pay()\n",
    }),
  );
  const folder = makeFolder();
  const signal = new AbortController().signal;
  const goThrough = async (remainingMs: number) => {
    const recorder = await openRecorder(folder, () => {});
    const limits = {
      ...createLimits({ maxMs: undefined, maxSteps: undefined, usedMs: 0 }),
      remainingMs: () => remainingMs,
    };
    const context = { workspace, recorder: recorderOfArm(recorder, "1"), limits, signal };
    const [shell, traces] = [await openShellDesk(context), openTraceDesk(context)];
    const ran = await shell.execute("sleep 2; echo paid", 20);
    const command = "sleep 2; python3 run.py";
    const traced = await traces.trace({
      ...{ tree: workspace.base, instrument: ["a.py:pay"], command, depth: 0, seconds: 20 },
    });
    await Promise.all([shell.close(), traces.close()]);
    recorder.close();
    return { end: ran.end, stdout: ran.stdout.trim(), trace: traced.text };
  };
  const cut = await goThrough(1_000);
  expect(cut).toMatchObject({
    end: "timed-out",
    stdout: "",
    trace: expect.stringContaining("stopped the command at the limit"),
  });
  expect(await goThrough(500)).toEqual(cut);
  const whole = await goThrough(60_000);
  expect(whole).toMatchObject({
    end: "exited",
    stdout: "paid",
    trace: expect.stringContaining("exit code 0"),
  });
  expect(await goThrough(0)).toEqual(whole);
});

test("a trace of a failing command has the calls that led to the failure", async () => {
  const workspace = await openTestWorkspace(
    makeRepository({
      "a.py": "def pay(sum):\n    return refuse(sum)\n\ndef refuse(sum):\n    raise ValueError(sum)\n",
      "run.py": "import a\n\na.pay(3)\n",
    }),
    localSandbox,
    { runtimeDirectory: join(import.meta.dirname, "../../src/languages/runtime") },
  );
  const recorder = await openRecorder(makeFolder(), () => {});
  const traces = openTraceDesk({
    ...{ workspace, recorder: recorderOfArm(recorder, "1"), signal: new AbortController().signal },
    limits: createLimits({ maxMs: undefined, maxSteps: undefined, usedMs: 0 }),
  });
  const traced = await traces.trace({
    ...{ tree: workspace.base, instrument: ["a.py:pay,refuse"], command: "python3 run.py" },
    ...{ depth: 0, seconds: 20 },
  });
  await traces.close();
  recorder.close();
  expect(traced.failurePath).toEqual([expect.stringMatching(/^pay\(/), expect.stringMatching(/^refuse\(/)]);
});
