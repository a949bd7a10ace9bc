/** The fixed sequences on tasks that ask for something else than a repair: a first try that the gate refuses, and a second one. */
import { expect, onTestFinished, test } from "vitest";
import { type KindTask, kindTasks } from "./kind-tasks.ts";
import { createPlayground } from "./millwright.ts";
import { editBlock, type ScriptedAnswer, solveScripted } from "./scripted-solve.ts";

const call = (role: string, name: string, input: object): ScriptedAnswer => ({
  role,
  calls: [{ name, input }],
});
const found: ScriptedAnswer = {
  ...call("retrieval", "report", { places: [], answer: "It is plain." }),
  times: "always",
};
const specified: ScriptedAnswer = { role: "planning", json: { requirements: ["It does what it says"] } };

/** What the right answer is before it is right, and what is said of it then. */
const poor: Readonly<Record<string, { right: string; wrong: string; refusal: string }>> = {
  "regression-test": { right: "Account(", wrong: "Acount(", refusal: "failure-is-the-stated-one" },
  "test-generation": {
    right: "taken: [1] }, 2), undefined",
    wrong: "taken: [] }, 2), 2",
    refusal: "new-tests-pass",
  },
  "code-generation": { right: "free >= size", wrong: "free > size", refusal: "tests-of-the-target-pass" },
  feature: { right: "close(), 5)", wrong: "close(), 6)", refusal: "new-tests-pass" },
};

function answersOf({ kind, answer }: KindTask): ScriptedAnswer[] {
  const { right = "", wrong = "", refusal = "" } = poor[kind] ?? {};
  const links = kind === "feature" || kind === "code-generation" ? { requirements: [{ id: "1" }] } : {};
  const done = call("editing", "done", { summary: "written", ...links });
  const first = answer.map(({ path, before, after }) => editBlock(path, before, after.replace(right, wrong)));
  const [changed] = answer.filter(({ after }) => after.includes(right));
  const lines = (changed?.after ?? "").split("\n").filter((line) => line.includes(right));
  const second = lines
    .map((line) => editBlock(changed?.path ?? "", line.replace(right, wrong), line))
    .slice(0, 1);
  const edit = (edits: readonly string[]): ScriptedAnswer =>
    call("editing", "edit", { edits: edits.join("\n") });
  return [
    found,
    specified,
    edit(first),
    done,
    { ...edit(second), contains: kind === "code-generation" ? [] : refusal },
    done,
  ];
}

const orders: Readonly<Record<string, readonly string[]>> = {
  "regression-test": [
    "test-retrieval",
    "code-retrieval",
    "edit-code",
    "execute-tests",
    "finish",
    "edit-code",
  ],
  "test-generation": ["test-retrieval", "edit-code", "execute-tests", "finish", "edit-code"],
  "code-generation": ["edit-code", "test-retrieval", "edit-code"],
  feature: ["test-retrieval", "code-retrieval", "edit-code", "execute-tests", "finish", "edit-code"],
};

test.each(kindTasks)("$kind: in its own order, until the gate holds", async (task) => {
  const playground = createPlayground();
  onTestFinished(() => playground.remove());
  const { statement, kind, args } = task;
  const end = await solveScripted(playground, {
    strategy: "workflow",
    statement,
    repository: task.prepare(playground),
    answers: answersOf(task),
    args: ["--kind", kind, ...args],
  });
  expect(end.report.gate.filter(({ holds }) => !holds)).toEqual([]);
  expect(end.exitCode, end.stderr).toBe(0);
  expect(end.actions).toEqual([...(orders[kind] ?? []), "execute-tests", "finish"]);
  expect(end.report.files.map(({ path }) => path)).toEqual(task.delivered);
});
