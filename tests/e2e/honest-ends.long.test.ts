/** Ends that claim no more than is known: changes that no test can show, and tasks that need no change; with a scripted model. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { takeFailingTestsAway } from "./kind-tasks.ts";
import { createPlayground, type Playground } from "./millwright.ts";
import { editBlock, type ScriptedAnswer, solveScripted } from "./scripted-solve.ts";
import { act, predicate } from "./scripted-steps.ts";

let playground: Playground;
let repository: string;
beforeEach(() => {
  playground = createPlayground();
  repository = playground.copyRepository("repair-python");
  takeFailingTestsAway(repository);
  writeFileSync(join(repository, "README.md"), "# ledger\n\nIt keeps teh accounts.\n");
});
afterEach(() => playground.remove());

const statement = "The README says teh instead of the";
const reason = "it corrects a word of README.md, which no program reads";

const run = (
  answers: readonly ScriptedAnswer[],
  strategy = "unified",
  stated = statement,
  ...args: readonly string[]
) => solveScripted(playground, { strategy, statement: stated, repository, answers, args });

const correct: readonly ScriptedAnswer[] = [
  act("edit-code", { intent: "correct the word in README.md", from: "base" }),
  {
    role: "editing",
    calls: [
      {
        name: "edit",
        input: {
          edits: editBlock("README.md", "It keeps teh accounts.", "It keeps the accounts."),
        },
      },
      { name: "done", input: { summary: "the word is corrected" } },
    ],
  },
];
const verdict = (approved: boolean): ScriptedAnswer => ({
  role: "review",
  calls: [
    {
      name: "verdict",
      input: {
        patch: { approved, analysis: "It corrects the word that the statement names" },
        tests: { approved: true, analysis: "There are none, and none could be" },
      },
    },
  ],
});
const handOver = act("finish", { candidate: "c1", unverifiable: reason });

test("a correction of documentation ends unverified with an approving review, within six calls", async () => {
  const end = await run([...correct, handOver, verdict(true)]);
  expect(end.exitCode, end.stderr).toBe(10);
  const { report } = end;
  expect(report).toMatchObject({ outcome: "unverified", files: [{ path: "README.md" }] });
  expect(report.usage.calls).toBeLessThanOrEqual(6);
  expect(report.reason).toContain(
    `According to the agent, no test can show the change: ${reason}. The review approved the change.`,
  );
  expect(predicate(report, "no-test-breaks")?.holds).toBe(true);
  expect(predicate(report, "links-resolve")?.holds).toBe(true);
});

test("what the review refuses is heard once, and handed over with the objection where it is said again", async () => {
  const end = await run([...correct, handOver, verdict(false), { ...handOver, contains: "not approved" }]);
  expect(end.exitCode, end.stderr).toBe(10);
  expect(end.report.reason).toContain("No review approved the change.");
  expect(end.report.reason).toContain("an objection stands");
});

test("a broken link is told before the change is delivered, and stands in the gate where it stays", async () => {
  const after = "It keeps [the](gone.md) accounts.";
  const edit = editBlock("README.md", "It keeps teh accounts.", after);
  const [intent] = correct;
  const changed: ScriptedAnswer = {
    role: "editing",
    calls: [
      { name: "edit", input: { edits: edit } },
      { name: "done", input: { summary: "the word is corrected" } },
    ],
  };
  const told = ["links-resolve: the patch leaves links without a target: README.md: gone.md"];
  const end = await run([
    ...(intent === undefined ? [] : [intent, changed]),
    handOver,
    verdict(true),
    { ...handOver, contains: told },
  ]);
  expect(end.exitCode, end.stderr).toBe(10);
  expect(predicate(end.report, "links-resolve")?.holds).toBe(false);
  expect(predicate(end.report, "syntax-no-worse")?.holds).toBe(true);
});

test("a refused proposal tells of the other forms, and refusals never stand in the way of an honest end", async () => {
  const propose = act("finish", { candidate: "c1" });
  const end = await run([
    ...correct,
    propose,
    { ...propose, contains: "finish with `unverifiable`" },
    { ...act("edit-code", { intent: "the same again", from: "base" }), contains: "Not finished" },
    { ...handOver, contains: "the work is stuck" },
    verdict(true),
  ]);
  expect(end.exitCode, end.stderr).toBe(10);
  expect(end.report.reason).toContain("The review approved the change.");
});

test("a task that needs no change ends without a patch, with the evidence", async () => {
  const evidence = "README.md has the word already, line 3, and all tests pass";
  const end = await run([act("finish", { nothingToChange: evidence })]);
  expect(end.exitCode, end.stderr).toBe(11);
  expect(end.report).toMatchObject({ outcome: "none", patch: "" });
  expect(end.report.reason).toContain(evidence);
});

test("nothing to change is refused where a test was seen to fail for the stated reason", async () => {
  repository = playground.copyRepository("repair-python");
  const end = await run(
    [
      act("finish", { nothingToChange: "it works" }),
      { ...act("finish", { candidate: "c1" }), contains: "A change is needed, because" },
    ],
    "unified",
    "A transfer of the `whole_overdraft` is refused: InsufficientFunds is raised",
  );
  expect(end.report.outcome).toBe("none");
  expect(end.report.reason).not.toContain("it works");
});

const use = (name: string, input: object = {}): ScriptedAnswer => ({
  role: "editing",
  calls: [{ name, input }],
});

test("`submit` of a shell and an editor says what the gate finds, and leaves the choice to go on", async () => {
  const body =
    'import unittest\n\nfrom ledger.account import Account\n\n\nclass WholeTest(unittest.TestCase):\n    def test_pays_the_whole_balance(self):\n        Account("rent", 5).withdraw(5)\n';
  const end = await run(
    [
      use("bash", { command: "sed -i 's/amount < available/amount <= available/' ledger/account.py" }),
      use("submit", { summary: "all may be paid" }),
      {
        ...use("create", { path: "tests/test_whole.py", text: body }),
        contains: ["Not submitted yet", "failing-tests-fail-on-base"],
      },
      { ...use("submit", { summary: "all may be paid, with a test" }), contains: "test_whole.py" },
    ],
    "react",
    "Emptying an account is refused: InsufficientFunds is raised",
  );
  expect(end.exitCode, end.stderr).toBe(0);
  expect(end.report.outcome).toBe("verified");
  expect(readFileSync(join(end.report.runDirectory, "tests.diff"), "utf8")).toContain("WholeTest");
});

test("the same submitted twice is handed in as it is; a repository left as it was ends with what was said", async () => {
  const sed = use("bash", { command: "sed -i 's/teh/the/' README.md" });
  const submit = use("submit", { summary: "the word is corrected" });
  const end = await run([sed, submit, { ...submit, contains: "submit` again" }], "react");
  expect(end.exitCode, end.stderr).toBe(10);
  expect(end.report.files).toMatchObject([{ path: "README.md" }]);
  const said = use("submit", { summary: "README.md has it already" });
  const none = await run([said, { ...said, contains: "no patch" }], "react");
  expect(none.exitCode, none.stderr).toBe(11);
  expect(none.report.reason).toContain("README.md has it already");
});

const hasPytest = spawnSync("python3", ["-m", "pytest", "--version"]).status === 0;

test.skipIf(!hasPytest)(
  "new tests count in a file that the command runs, whatever it is called",
  async () => {
    const files = {
      "pytest.ini": "[pytest]\npython_files = test_*.py checks/*.py\npythonpath = .\n",
      "shop/__init__.py": "from . import rounding\n",
      "shop/rounding.py": "def round_price(price):\n    return int(price)\n",
      "checks/rounding.py":
        "from shop.rounding import round_price\n\n\ndef test_whole():\n    assert round_price(3) == 3\n",
    };
    const folder = join(playground.folder, "shop");
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, path, ".."), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    repository = folder;
    const added = "\n\ndef test_half():\n    assert round_price(2.5) == 3\n";
    const end = await run(
      [
        use("bash", {
          command: `printf '${added.replaceAll("\n", "\\n")}' >> checks/rounding.py && sed -i 's/int(price)/int(price + 0.5)/' shop/rounding.py`,
        }),
        use("submit", { summary: "halves are rounded up" }),
      ],
      "react",
      "Prices are rounded down: `round_price` has to round halves up",
      "--test-command",
      "python3 -m pytest",
    );
    expect(end.exitCode, end.stderr).toBe(0);
    expect(end.report.files).toMatchObject([{ path: "shop/rounding.py" }]);
  },
);

test("tests may be added to a file that has some, and nothing else may change there", async () => {
  const path = "tests/test_transfer.py";
  const old = readFileSync(join(repository, path), "utf8");
  const edit = (edits: string): ScriptedAnswer => ({
    role: "reproduction",
    calls: [{ name: "edit", input: { edits } }],
  });
  const show = { role: "reproduction", calls: [{ name: "show", input: { files: [path] } }] };
  const last = old.trimEnd().split("\n").at(-1) ?? "";
  const caseOf = (name: string): string =>
    `\n    def test_pays_${name}(self):\n        account = Account("rent", 5)\n        account.withdraw(5)\n        self.assertEqual(account.balance, 0)`;
  const end = await run(
    [
      act("reproduction", { intent: "the whole balance is paid" }),
      edit(editBlock(path, "import unittest", "import unittest  # here")),
      {
        ...edit(editBlock(path, last, `${last}\n${caseOf("all")}\n${caseOf("whole")}`)),
        contains: "add whole tests",
      },
      show,
      { ...act("finish", { nothingToChange: "none" }), contains: "2 fail for the stated reason" },
    ],
    "unified",
    "Emptying an account is refused: InsufficientFunds is raised",
  );
  expect(end.report.outcome, end.stderr).toBe("none");
  expect(end.report.testsPatch).toContain("+    def test_pays_whole");
});

test("where the rule can say neither yes nor no, its author says why it fails, and the evidence is moderate", async () => {
  const path = "tests/test_paid.py";
  const body =
    'import unittest\n\nfrom ledger.account import Account\n\n\nclass PaidTest(unittest.TestCase):\n    def test_a(self):\n        Account("rent", 5).withdraw(5)\n\n    def test_b(self):\n        Account("rent", 7).withdraw(7)';
  const show = (because: string): ScriptedAnswer => ({
    role: "reproduction",
    calls: [{ name: "show", input: { files: [path], because } }],
  });
  const end = await run(
    [
      act("reproduction", { intent: "all of it may be used" }),
      { role: "reproduction", calls: [{ name: "edit", input: { edits: editBlock(path, "", body) } }] },
      show(""),
      {
        ...show("InsufficientFunds comes, though there is as much as is asked for"),
        contains: "explain this in `because`",
      },
      { ...act("finish", { nothingToChange: "x" }), contains: "in the opinion of the tests' author" },
    ],
    "unified",
    "The last penny stays forever",
  );
  expect(end.report.testsPatch, end.stderr).toContain("PaidTest");
});

test.each(["unified", "react"])(
  "a part that the agent leaves open is reported, and the right patch is not verified: %s",
  async (strategy) => {
    repository = playground.copyRepository("repair-python");
    const leftOpen = ["a transfer of the whole overdraft is not documented yet"];
    const fix = {
      path: "ledger/account.py",
      from: "return amount < available",
      to: "return amount <= available",
    };
    const end = await run(
      strategy === "react"
        ? [
            {
              role: "editing",
              calls: [
                { name: "str_replace", input: { path: fix.path, old: fix.from, new: fix.to } },
                { name: "submit", input: { summary: "all that is available may be paid", leftOpen } },
              ],
            },
          ]
        : [
            act("edit-code", { intent: "allow the whole balance", from: "base" }),
            {
              role: "editing",
              calls: [
                { name: "edit", input: { edits: editBlock(fix.path, fix.from, fix.to) } },
                { name: "done", input: { summary: "all that is available may be paid", leftOpen } },
              ],
            },
            { ...act("finish", { candidate: "c1" }), contains: leftOpen[0] ?? "" },
          ],
      strategy,
      "A transfer of the `whole_overdraft`, or one that empties an account, is refused: InsufficientFunds is raised",
    );
    expect(end.exitCode, end.stderr).toBe(10);
    const { report } = end;
    expect(report.gate.filter(({ holds }) => !holds).map((each) => each.predicate)).toEqual([
      "nothing-left-open",
    ]);
    expect(report.reason).toContain(leftOpen[0]);
    expect(report.remarks).toContain(`Left open, according to the agent: ${leftOpen[0]}`);
  },
);
