/** Two arms of a shell and an editor on tasks that ask for something else than a repair: the one that does nothing is not chosen. */
import { expect, onTestFinished, test } from "vitest";
import { kindTasks } from "./kind-tasks.ts";
import { createPlayground } from "./millwright.ts";
import { type ScriptedAnswer, solveScripted } from "./scripted-solve.ts";

const use = (name: string, input: object = {}): ScriptedAnswer => ({
  role: "editing",
  calls: [{ name, input }],
});

/** What the gates of the others find is shown by `workflow-kinds.long.test.ts`. */
const asked = kindTasks.filter(({ kind }) => kind === "regression-test" || kind === "feature");

test.each(asked)("$kind: the arm whose work the gate measures to be right is chosen", async (task) => {
  const playground = createPlayground();
  onTestFinished(() => playground.remove());
  const { statement, kind, args, answer } = task;
  const poor = answer.map(({ path, before }) =>
    before === ""
      ? use("create", { path, text: "// nothing\n" })
      : use("str_replace", { path, old: before, new: `${before} ` }),
  );
  const right = answer.map(({ path, before, after }) =>
    before === ""
      ? use("create", { path, text: `${after}\n` })
      : use("str_replace", { path, old: before, new: after }),
  );
  const end = await solveScripted(playground, {
    strategy: "best-of",
    statement,
    repository: task.prepare(playground),
    // The poor arm is told what the gate finds, and stays with it.
    answers: [...poor, use("submit"), use("submit"), ...right, use("submit")],
    args: ["--kind", kind, "--arms", "react,react", ...args],
  });
  expect(end.report.gate.filter(({ holds }) => !holds)).toEqual([]);
  expect(end.exitCode, end.stderr).toBe(0);
  expect(end.report).toMatchObject({
    ...{ outcome: "verified", candidates: 2, strategy: "best-of" },
    task: { kind },
  });
  const evidence = end.report.gate.map((each) => each.evidence).join("\n");
  expect(evidence).not.toContain("derived test passes");
  expect(end.report.files.map(({ path }) => path)).toEqual(task.delivered);
});
