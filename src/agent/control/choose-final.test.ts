import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { Workspace } from "../../workspace/contract.ts";
import { rowOfProgram } from "../candidates/run-programs.ts";
import { emptyState, type MatrixRow, type Review, type TaskState } from "../state/task-state.ts";
import { chooseFinal } from "./choose-final.ts";

const texts: Readonly<Record<string, string>> = {
  base: "def pay(a, b):\n    return a < b\n",
  equal: "def pay(a, b):\n    return a <= b\n",
  spaced: "def pay(a, b):\n    return (a <= b)  # all\n",
  always: "def pay(a, b):\n    return True\n",
};
const workspace = partOf<Workspace>({
  base: "base",
  trees: {
    stat: async () => [{ path: "pay.py" }],
    read: async (tree: string) => Buffer.from(texts[tree] ?? ""),
  },
});

/** Candidates c1, c2 and so on with these trees; each passes `passing` tests. */
function stateOf(
  trees: readonly string[],
  passing: readonly number[],
  reviews: readonly Review[],
): TaskState {
  const ids = trees.map((_, index) => `c${index + 1}`);
  const none = { outcomes: [], targets: [], broken: [], invalid: undefined };
  return {
    ...emptyState,
    candidates: ids.map((id, at) => ({ id, tree: trees[at] ?? "", kind: "code", origin: "" })),
    rows: ids.map((candidate, at): MatrixRow => ({ ...none, candidate, score: [passing[at] ?? 1, 0] })),
    reviews,
  };
}
const review = (candidate: string, isApproved: boolean): Review => ({ candidate, isApproved, findings: [] });
const chosen = async (...given: Parameters<typeof stateOf>) =>
  (await chooseFinal({ workspace }, stateOf(...given), "code"))?.id;

test("test results decide before reviews and votes", async () => {
  expect(await chosen(["equal", "always", "spaced"], [1, 2, 1], [review("c1", true)])).toBe("c2");
});

test("of equal candidates, one that a review refused is not delivered beside another", async () => {
  expect(await chosen(["equal", "always"], [], [review("c2", false)])).toBe("c1");
  expect(await chosen(["always"], [], [review("c1", false)])).toBe("c1");
});

test("then the meaning of most candidates wins, an approving review among equal votes, and the newest otherwise", async () => {
  expect(await chosen(["equal", "spaced", "always"], [], [])).toBe("c2");
  expect(await chosen(["equal", "always"], [], [review("c1", true)])).toBe("c1");
  expect(await chosen(["equal", "always"], [], [])).toBe("c2");
});

test("of equal candidates, the one with fewer failing standalone programs is delivered", async () => {
  const ended = { end: "exited", exitCode: 1, output: "", exception: "" };
  const program = {
    file: "show.py",
    command: "python3 show.py",
    folder: "",
    tree: "",
    text: "",
    base: ended,
  };
  const state = stateOf(["equal", "always"], [], []);
  const rows = [
    ...state.rows,
    rowOfProgram("c1", program, { ...ended, exitCode: 0 }),
    rowOfProgram("c2", program, ended),
  ];
  const chosenOf = async (programs: TaskState["programs"]) =>
    (await chooseFinal({ workspace }, { ...state, rows, ...(programs && { programs }) }, "code"))?.id;
  expect(await chosenOf([program])).toBe("c1");
  expect(await chosenOf([{ ...program, aside: "it is wrong" }])).toBe("c2");
});
