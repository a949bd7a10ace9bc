/** The first message to an editor; the workspace is a record with one file. */
import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { ActionContext } from "../action.ts";
import { rulesOf } from "../kinds/rules-of.ts";
import { emptyState, type TaskState } from "../state/task-state.ts";
import { openingOfEdit } from "./edit-opening.ts";

const text = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`).join("\n");
const trees = {
  list: async (tree: string) => [{ path: "a.py" }, ...(tree === "t" ? [{ path: "new.py" }] : [])],
  read: async (_: string, path: string) => (path === "none.py" ? undefined : Buffer.from(text)),
  diff: async () => "--- a/a.py\n+++ b/a.py\n@@ -30,1 +30,1 @@\n-line 30\n+line 30\n",
};
const context = partOf<ActionContext>({
  task: { id: "t", kind: "repair", statement: "It refuses all.", repository: "/r" },
  recorder: {},
  suite: { outcomes: [], command: { framework: "" } },
  frameworks: [],
  workspace: { base: "b", trees },
  view: { tree: () => "b", context: { graph: async () => ({ file: () => undefined }) } },
});
const [part] = rulesOf("repair").parts;
const candidate = { id: "c1", tree: "t", kind: "code" as const, origin: "another guard" };
const state: TaskState = {
  ...emptyState,
  codePlaces: [
    { file: "a.py", startLine: 4, endLine: 5, why: "it decides" },
    { file: "a.py", startLine: 16, endLine: 16, why: "it asks" },
  ],
  answers: { code: "Line 4 decides." },
  candidates: [candidate],
  reviews: [
    { candidate: "c1", findings: [{ check: "mutants", weight: "doubt", text: "3 mutants survive" }] },
  ],
};

test("where the intent names the place, the code of that place stands there once, without what was said to find it", async () => {
  const opening = await openingOfEdit(context, state, {
    part,
    parent: undefined,
    intent: "at a.py:4 let all in",
  });
  expect(opening).toContain("# Current text of the places\n\na.py:1-8 (it decides)\n1\tline 1");
  expect(opening.match(/it decides/g)).toHaveLength(1);
  expect(opening).not.toMatch(/it asks|Line 4 decides|The review/);
  const other = await openingOfEdit(context, state, { part, parent: undefined, intent: "let all in" });
  expect(other).toMatch(/# Findings\n\nLine 4 decides\.[\s\S]*\(it decides\)[\s\S]*\(it asks\)/);
});

test("who goes on from a candidate reads first what was found in it, and sees what it changed", async () => {
  const opening = await openingOfEdit(context, state, {
    part,
    parent: candidate,
    intent: "at a.py:4 let all in",
  });
  const titles = opening.match(/^# .*$/gm);
  expect(titles?.slice(0, 2)).toEqual(["# The statement", "# The review of c1"]);
  expect(opening).toContain("- doubt: 3 mutants survive");
  expect(opening.match(/3 mutants survive/g)).toHaveLength(1);
  expect(opening).toContain("a.py:27-33 (changed by c1)");
  expect(opening).toContain("You begin with candidate c1, whose change is in place: another guard.");
});

test("a file that the candidate made is there for who goes on from it, and for nobody else", async () => {
  const intent = "at new.py:4 and none.py:1 let all in";
  const opening = await openingOfEdit(context, state, { part, parent: candidate, intent });
  expect(opening).toContain("new.py:1-7\n1\tline 1");
  expect(opening).toContain("There is no file none.py here.");
  expect(opening).not.toContain("There is no file new.py here.");
  const fromBase = await openingOfEdit(context, state, { part, parent: undefined, intent });
  expect(fromBase).toContain("There is no file new.py here.");
});

test("the author of tests sees how one is written, though none names the place", async () => {
  const lines = "def test_pays():\n    assert pay(1) == 0\n";
  const near = { file: "tests/test_pay.py", startLine: 1, endLine: 2, why: "near" };
  const read = async () => ({ ok: true, value: lines });
  const shown = partOf<ActionContext>({
    ...context,
    suite: { outcomes: [], command: { command: "", directory: "" } },
    view: {
      tree: () => "b",
      context: { graph: async () => ({ file: () => undefined }), files: { read } },
    },
  });
  const asked = { parent: undefined, intent: "at a.py:4 show that it refuses all" };
  const tests = rulesOf("regression-test").parts.find(({ files }) => files === "tests");
  const known = { ...state, testPlaces: [near] };
  const opening = await openingOfEdit(shown, known, { ...asked, part: tests ?? part });
  expect(opening).toContain("# Example of a test in this repository\n\n### tests/test_pay.py");
  expect(await openingOfEdit(shown, known, { ...asked, part })).not.toContain("test_pays");
});
