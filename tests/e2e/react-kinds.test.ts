/** The shell and the editor on tasks that ask for something else than a repair: whole runs with a scripted model. */
import { expect, onTestFinished, test } from "vitest";
import { kindTasks } from "./kind-tasks.ts";
import { createPlayground } from "./millwright.ts";
import { type ScriptedAnswer, solveScripted } from "./scripted-solve.ts";

const use = (name: string, input: object = {}): ScriptedAnswer => ({
  role: "editing",
  calls: [{ name, input }],
});

test.each(kindTasks)(
  "$kind: what its kind delivers is taken from the tree, and the gate measures it",
  async (task) => {
    const playground = createPlayground();
    onTestFinished(() => playground.remove());
    const repository = task.prepare(playground);
    const answers = task.answer.map(({ path, before, after }) =>
      before === ""
        ? use("create", { path, text: `${after}\n` })
        : use("str_replace", { path, old: before, new: after }),
    );
    const { statement, kind, args } = task;
    const end = await solveScripted(playground, {
      strategy: "react",
      statement,
      repository,
      answers: [
        ...answers,
        use("bash", { command: "echo left > scratch.tmp; rm scratch.tmp" }),
        use("submit"),
      ],
      args: ["--kind", kind, ...args],
    });
    expect(end.report.gate.filter(({ holds }) => !holds)).toEqual([]);
    expect(end.exitCode, end.stderr).toBe(0);
    expect(end.report).toMatchObject({ outcome: "verified", task: { kind }, strategy: "react" });
    expect(end.report.files.map(({ path }) => path)).toEqual(task.delivered);
  },
);
