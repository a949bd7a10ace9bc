/** A standalone program in place of a framework's test: whole runs of `unified` with a scripted model. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlayground, fingerprint, type Playground } from "./millwright.ts";
import { editBlock, type ScriptedAnswer, solveScripted } from "./scripted-solve.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const statement =
  "A transfer of the `whole_overdraft`, or one that empties an account, is refused: InsufficientFunds is raised";

/** A repository in which no test shows the fault. */
function copyWithoutFailingTests(): string {
  const repository = playground.copyRepository("repair-python");
  const tests = join(repository, "tests", "test_transfer.py");
  writeFileSync(tests, readFileSync(tests, "utf8").replace(/ {4}def test_(?:empties|uses)[\s\S]*?\n\n/g, ""));
  return repository;
}

const file = ".millwright/programs/whole.py";
const command = `PYTHONPATH=. python3 ${file}`;

const call = (
  role: string,
  name: string,
  input: object,
  when: Pick<ScriptedAnswer, "contains" | "times"> = {},
): ScriptedAnswer => ({ role, calls: [{ name, input }], ...when });
const write = (text: string): ScriptedAnswer =>
  call("reproduction", "edit", { edits: editBlock(file, "", text) });
const show = (when: Pick<ScriptedAnswer, "contains"> = {}, more: object = {}): ScriptedAnswer =>
  call("reproduction", "show", { programs: [{ file, command }], ...more }, when);
const mend = (after: string): readonly ScriptedAnswer[] => [
  call("editing", "edit", {
    edits: editBlock("ledger/account.py", "    return amount < available", after),
  }),
  call("editing", "done", { summary: "all that is available may be paid" }),
];
const approve = call("review", "verdict", {
  patch: { approved: true, analysis: "It compares with all that is available", advice: "" },
  tests: { approved: true, analysis: "They ask for all of it" },
});

const program =
  'from ledger.account import Account\n\naccount = Account("rent", 5)\naccount.withdraw(5)\nassert account.balance == 0';
const places = { places: ["ledger/account.py:22-24"] };

test("a program that fails without the patch for the stated reason and passes with it is moderate evidence", async () => {
  const repository = copyWithoutFailingTests();
  const before = fingerprint(repository);
  const { report, exitCode } = await solveScripted(playground, {
    ...{ repository, statement, strategy: "unified" },
    answers: [
      write(program),
      show({}, places),
      show({ contains: "One test fails for the stated reason" }, places),
      ...mend("    return amount <= available"),
      approve,
    ],
  });
  expect(report.gate.filter(({ holds }) => !holds)).toEqual([]);
  expect({ exitCode, outcome: report.outcome, strength: report.strength }).toEqual({
    exitCode: 0,
    outcome: "verified",
    strength: "moderate",
  });
  const evidence = JSON.stringify(report.gate);
  expect(evidence).toContain("insufficientfunds");
  expect(evidence).toContain("the exit code does not show");
  // This includes the program with another expected balance.
  expect(evidence).toContain("failed as they must after Millwright changed their expected values");
  // The program judges the patch, and is no part of it.
  expect(report.files.map(({ path }) => path)).toEqual(["ledger/account.py"]);
  expect(fingerprint(repository)).toBe(before);
});

test("a program that still fails with the patch refutes the patch", async () => {
  const repository = copyWithoutFailingTests();
  const { report, exitCode } = await solveScripted(playground, {
    ...{ repository, statement, strategy: "unified" },
    answers: [
      write(program),
      show({}, places),
      show({}, places),
      ...mend("    return amount < available or amount == 0"),
      call("planning", "finish", { candidate: "c1" }, { times: "always" }),
      { ...approve, times: "always" },
    ],
  });
  expect(exitCode).not.toBe(0);
  expect(report.outcome).not.toBe("verified");
  expect(report.gate.find(({ predicate }) => predicate === "failing-tests-pass")?.holds).toBe(false);
});

test.each([
  ['print("InsufficientFunds is raised: success")', "none fails, so no test shows the reported problem"],
  ['import sys\nprint("InsufficientFunds is raised")\nsys.exit(1)', "calls no code of the repository"],
  ['raise Exception("InsufficientFunds is raised")', "calls no code of the repository"],
])("a program that only prints its result is no evidence: %s", async (text, told) => {
  const repository = copyWithoutFailingTests();
  const { report, exitCode } = await solveScripted(playground, {
    ...{ repository, statement, strategy: "unified" },
    answers: [
      write(text),
      show({}, { because: "InsufficientFunds is raised, as the statement says" }),
      call(
        "reproduction",
        "cannot-show",
        { because: "unclear", reason: "the program shows nothing" },
        { contains: told },
      ),
      call("planning", "edit-code", { intent: "let the whole of what is available be paid" }),
      ...mend("    return amount <= available"),
      call("planning", "finish", { candidate: "c1" }, { times: "always" }),
      { ...approve, times: "always" },
    ],
  });
  // The edit comes only after the message to the author.
  expect(report.files.map(({ path }) => path)).toEqual(["ledger/account.py"]);
  expect(report.gate.find(({ predicate }) => predicate === "failing-tests-fail-on-base")?.holds).toBe(false);
  expect(exitCode).not.toBe(0);
  expect(report.outcome).not.toBe("verified");
});
