/** The shell and the editor on tasks that ask for something else than a repair: whole runs with a scripted model. */
import { expect, onTestFinished, test } from "vitest";
import { kindTasks } from "./kind-tasks.ts";
import { createPlayground } from "./millwright.ts";
import { type ScriptedAnswer, solveScripted } from "./scripted-solve.ts";

const use = (name: string, input: object = {}): ScriptedAnswer => ({
  role: "editing",
  calls: [{ name, input }],
});

/** Of a code-generation task: tests that are no part of what is delivered, and are measured all the same. */
const derived = {
  path: "test/derived.test.js",
  text: `import assert from "node:assert/strict";
import { it } from "node:test";
import { findBlock } from "../src/row.js";

it("finds none in no row", () => {
  assert.equal(findBlock({ seats: 0, taken: [] }, 1), undefined);
});
`,
};

// What other kinds deliver is taken from the tree in the same place: best-of-kinds.long.test.ts has react on each of them.
test.for(kindTasks.filter(({ kind }) => kind === "code-generation"))(
  "$kind: what is delivered is taken from the tree, and the gate measures it by the tests that were derived beside it",
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
        use("create", derived),
        use("bash", { command: "echo left > scratch.tmp; rm scratch.tmp" }),
        use("submit"),
      ],
      args: ["--kind", kind, ...args],
    });
    expect(end.report.gate.filter(({ holds }) => !holds)).toEqual([]);
    expect(end.exitCode, end.stderr).toBe(0);
    expect(end.report).toMatchObject({ outcome: "verified", task: { kind }, strategy: "react" });
    expect(end.report.files.map(({ path }) => path)).toEqual(task.delivered);
    const evidence = end.report.gate.map((each) => each.evidence).join("\n");
    expect(evidence).toContain("1 derived test passes");
  },
);
