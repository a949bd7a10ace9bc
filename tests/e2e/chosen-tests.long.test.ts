/** A planner chooses test files, tests and commands, on the base and on candidates, as in USEagent's Table 2. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { takeFailingTestsAway, wholeTest } from "./kind-tasks.ts";
import { createPlayground, type Playground } from "./millwright.ts";
import { editBlock, type ScriptedAnswer, solveScripted } from "./scripted-solve.ts";
import { act, done, edit } from "./scripted-steps.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const statement = "Emptying an account by `withdraw` raises InsufficientFunds, though it can pay";
const file = "tests/test_transfer.py";
const moves = `${file}::TransferTest.test_moves_the_amount`;
const run = (input: object, contains?: string | readonly string[]): ScriptedAnswer => ({
  ...act("execute-tests", input),
  ...(contains === undefined ? {} : { contains }),
});
const reproduce: readonly ScriptedAnswer[] = [
  {
    role: "reproduction",
    calls: [
      { name: "edit", input: { edits: editBlock("tests/test_whole.py", "", wholeTest) } },
      { name: "show", input: { files: ["tests/test_whole.py"] } },
    ],
  },
  { role: "reproduction", calls: [{ name: "show", input: { files: ["tests/test_whole.py"] } }] },
];
test("unified: before and after an edit, and none of it judges a candidate", async () => {
  const repository = playground.copyRepository("repair-python");
  takeFailingTestsAway(repository);
  const answers: readonly ScriptedAnswer[] = [
    run({ tests: [moves] }),
    run({ files: [file] }, `base, ${moves}: 1 of 1 test passes`),
    run({ command: "python3 -c 'print(6 * 7)'; exit 3" }, `base, ${file}: 5 of 5 tests pass`),
    {
      ...act("reproduction", { intent: "show it" }),
      contains: ["ends with exit code 3", "stdout:\n42"],
    },
    ...reproduce,
    run({ sets: [["r1"]], files: ["tests/test_whole.py"] }),
    {
      ...act("edit-code", { intent: "let all of it be paid", from: "base" }),
      contains: "base+r1, tests/test_whole.py: 0 of 1 test passes, 1 fails",
    },
    edit(editBlock("ledger/account.py", "    return amount < available", "    return amount <= available")),
    done("all of it may be paid"),
    run({ candidate: "c1", files: ["tests/gone.py"] }),
    { ...act("state", {}), contains: "base+c1 has no file tests/gone.py" },
    { ...act("finish", { candidate: "c1" }), contains: ["Test runs:", `- base, ${file}: 5 of 5 tests pass`] },
  ];
  const args = ["--no-rules", "--no-held-back", "--without", "review-patch"];
  const end = await solveScripted(playground, { repository, statement, strategy: "unified", args, answers });
  expect(
    end.report.gate.filter(({ holds }) => !holds),
    end.stderr,
  ).toEqual([]);
  expect(end.actions.filter((name) => name === "execute-tests")).toHaveLength(5);
});

test("a command sees no held-back test, and its name gives no result", async () => {
  const repository = playground.copyRepository("repair-python");
  takeFailingTestsAway(repository);
  const body = `${wholeTest}\n\n    def test_pays_seven(self):\n        Account("rent", 7).withdraw(7)\n\n    def test_pays_nine(self):\n        Account("rent", 9).withdraw(9)`;
  const answers: readonly ScriptedAnswer[] = [
    act("reproduction", { intent: "show it" }),
    {
      role: "reproduction",
      calls: [
        { name: "edit", input: { edits: editBlock("tests/test_whole.py", "", body) } },
        { name: "show", input: { files: ["tests/test_whole.py"] } },
      ],
    },
    run({ sets: [["r1"]], command: "cat tests/test_whole.py" }),
    run({ sets: [["r1"]], files: ["tests/test_whole.py"] }, "while tests are held back"),
    {
      ...act("finish", { nothingToChange: "x" }),
      contains: "base+r1, tests/test_whole.py: 0 of 2 tests pass, 2 fail; 1 held back",
    },
  ];
  const end = await solveScripted(playground, {
    ...{ repository, statement, strategy: "unified", args: ["--no-rules"], answers },
  });
  expect(end.actions, end.stderr).toEqual(["reproduction", "execute-tests", "execute-tests", "finish"]);
});
