/** `review-patch` and `reproduction` in whole runs with a scripted model and a real sandbox. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { chooseHeldBack } from "../../src/agent/candidates/written-tests.ts";
import { type SolveReport, solveReportSchema } from "../../src/domain/solve-report.ts";
import { createPlayground, type Playground } from "./millwright.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const statement =
  "A transfer of the `whole_overdraft`, or one that empties an account, is refused: InsufficientFunds is raised";

interface Scripted {
  readonly role: string;
  readonly name: string;
  readonly input: object;
}

interface Ended {
  readonly report: SolveReport;
  /** What the run's requests showed to models of a role, as text. */
  readonly shown: (role: string) => string;
}

async function solve(repository: string, answers: readonly Scripted[], ...more: string[]): Promise<Ended> {
  const script = join(playground.folder, "script.json");
  const told = answers.map(({ role, name, input }) => ({ when: { role }, calls: [{ name, input }] }));
  writeFileSync(script, JSON.stringify({ answers: told }));
  const model = `scripted:${script}`;
  const args = ["solve", statement, "--repo", repository, "--model", model, "--output", "json", ...more];
  const end = await playground.start(args).ended;
  expect(end.stdout, end.stderr).not.toBe("");
  const report = solveReportSchema.parse(JSON.parse(end.stdout));
  return { report, shown: (role) => readRequests(report.runDirectory, role) };
}

function readRequests(runDirectory: string, role: string): string {
  const folder = join(runDirectory, "calls");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".request.json"))
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")))
    .filter(({ request }) => request.role === role)
    .map(({ request }) => JSON.stringify(request.messages).replaceAll("\\n", "\n"))
    .join("\n");
}

const act = (name: string, input: object): Scripted => ({ role: "planning", name, input });
const edit = (role: string, path: string, before: string, after: string): Scripted => ({
  role,
  name: "edit",
  input: { edits: `${path}\n<<<<<<< SEARCH\n${before}\n=======\n${after}\n>>>>>>> REPLACE\n` },
});
const done = { role: "editing", name: "done", input: { summary: "it is mended" } };
const change = (before: string, after: string, path = "ledger/account.py"): Scripted[] => [
  act("edit-code", { intent: "let the whole of what is available be paid" }),
  edit("editing", path, before, after),
  done,
];
const wrongLine = "    return amount < available";

const review = (candidate: string, approved: boolean): Scripted[] => [
  act("review-patch", { candidate }),
  {
    role: "review",
    name: "verdict",
    input: {
      patch: { approved, analysis: "It decides by what is available.", advice: "" },
      tests: { approved: true, analysis: "They ask what the statement says.", advice: "" },
    },
  },
];
const finish = (candidate: string): Scripted => act("finish", { candidate });
const tests = (name: string, bodies: Readonly<Record<string, string>>): string =>
  [
    "import unittest\n\nfrom ledger.account import Account, InsufficientFunds\n\n",
    `class ${name}(unittest.TestCase):`,
    ...Object.entries(bodies).map(([each, body]) => `    def test_${each}(self):\n        ${body}\n`),
  ].join("\n");
const tryTests = (path: string, content: string): Scripted => ({
  role: "review",
  name: "try-tests",
  input: { path, content },
});

test("a patch that edits a test is refuted, and so is one that a reviewer's test breaks with; the good one has to pass that test", async () => {
  const repository = playground.copyRepository("repair-python");
  const attempt = join(playground.folder, "attempt.diff");
  const own = join(repository, "tests", "test_transfer.py");
  const text = readFileSync(own, "utf8");
  writeFileSync(
    own,
    text.replace(/ {8}with self.assertRaises\(InsufficientFunds\):\n.*\n/, "        pass\n"),
  );
  writeFileSync(attempt, execFileSync("git", ["diff"], { cwd: repository }));
  writeFileSync(own, text);
  const [, verdict] = review("c2", true) as [Scripted, Scripted];
  const added = tests("NobodyTest", {
    pays_a_part: 'Account("nobody", 5).withdraw(3)',
    beyond: 'self.assertRaises(InsufficientFunds, Account("nobody", 5).withdraw, 6)',
  });
  const { report, shown } = await solve(
    repository,
    [
      ...review("c1", true),
      ...change(
        wrongLine,
        '    if account.owner == "nobody":\n        return False\n    return amount <= available',
      ),
      // The gate holds for it, so it is reviewed by rule.
      tryTests("tests/test_nobody.py", added),
      verdict,
      finish("c2"),
      ...review("c2", true),
      ...change(wrongLine, "    return amount <= available"),
      verdict,
    ],
    "--kind",
    "partial-fix",
    "--partial-patch",
    attempt,
  );
  const planning = shown("planning");
  expect(planning).toContain("c1 is refuted.");
  expect(planning).toMatch(
    /edited-tests: The change removes or rewrites assertions of tests\/test_transfer\.py/,
  );
  const reviewing = shown("review");
  const broken = "tests/test_nobody.py::NobodyTest.test_pays_a_part";
  expect(reviewing).toMatch(/mutants\): \d of \d+ mutants .* pass every test .*ledger\/account\.py:2[345]/);
  expect(reviewing).toMatch(/NobodyTest\.test_pays_a_part: pass → FAIL \(broken by the patch\)/);
  expect(reviewing).toMatch(/NobodyTest\.test_beyond: pass → pass/);
  expect(reviewing).toContain(`c2 is refuted by ${broken}`);
  // What the added tests notice is no doubt any more.
  const [, noticed, survived] =
    /The added tests detect (\d+) of (\d+) mutants that survived/.exec(reviewing) ?? [];
  expect(Number(noticed)).toBeGreaterThan(0);
  const left = Number(survived) - Number(noticed);
  const mutants = /c2 is refuted[\s\S]*?- mutants: (\d+) of \d+ mutants/.exec(planning)?.[1] ?? "0";
  expect(Number(mutants)).toBe(left);
  expect(planning).toContain("c2 is refuted.");
  expect(planning).toContain(
    `added-tests: A test of the review passes without the patch and fails with it: ${broken} (InsufficientFunds: nobody cannot pay 3).`,
  );
  expect(planning).toContain(`A written test passes without the patch and fails with it: ${broken}.`);
  expect(planning).toMatch(
    /no-test-breaks: of \d+ tests that passed before, 1 fails: .*NobodyTest\.test_pays_a_part/,
  );
  // Of the third, nothing is refuted: it is proposed by rule.
  expect([report.outcome, report.candidates]).toEqual(["verified", 3]);
  expect(report.patch).toContain("+    return amount <= available");
});

test("a patch made for the tests that it was shown is refuted by one that was held back, and the run goes on", async () => {
  const repository = playground.copyRepository("repair-python");
  const own = join(repository, "tests", "test_transfer.py");
  const text = readFileSync(own, "utf8");
  writeFileSync(own, text.replace(/ {4}def test_(?:empties|uses)[\s\S]*?\n\n/g, ""));
  // Long, so that no number of a process in a path holds one by chance.
  const amounts = [31_000_019, 47_000_023, 53_000_029];
  const name = (amount: number): string => `WholeTest.test_pays_the_whole_${"abc"[amounts.indexOf(amount)]}`;
  const body = [
    "import unittest\n\nfrom ledger.account import Account\n\n\nclass WholeTest(unittest.TestCase):",
    ...amounts.map(
      (amount) =>
        `    def ${name(amount).slice(10)}(self):\n        Account("rent", ${amount}).withdraw(${amount})\n`,
    ),
    '    def test_pays_a_part(self):\n        Account("rent", 9).withdraw(4)',
  ].join("\n");
  const target = "tests/test_whole.py";
  const [held] = chooseHeldBack(
    amounts.map((amount) => ({ package: "", target, name: name(amount) })),
    "third",
  );
  const hidden = amounts.find((amount) => held?.name === name(amount)) ?? 0;
  const seen = amounts.filter((amount) => amount !== hidden);
  const { report, shown } = await solve(repository, [
    // By rule the tests are written first, and then the place is edited that their failure comes out of.
    edit("reproduction", target, "", body),
    { role: "reproduction", name: "show", input: { files: [target] } },
    ...change(wrongLine, `    return amount < available or amount in (${seen.join(", ")})`).slice(1),
    act("execute-tests", { candidate: "c1" }),
    ...review("c1", true),
    finish("c1"),
    ...change(wrongLine, "    return amount <= available"),
    // Reviewed and proposed by rule.
    ...review("c2", true).slice(1),
  ]);
  const planning = shown("planning");
  expect(planning).toMatch(
    /4 written; 3 fail for the stated reason .*; 1 test passes today: kept as a guard; 1 held back/,
  );
  expect(planning).toContain("including 0 of 1 held-back tests");
  expect(planning).toContain("c1 is refuted.");
  expect(planning).toContain(
    `held-back-tests: A held-back test of the same behaviour does not pass: ${target}::${name(hidden)} (InsufficientFunds).`,
  );
  expect(planning).toContain(`compares with (${seen.join(", ")}), which only the failing test`);
  expect(shown("editing")).not.toContain(String(hidden));
  expect(report.outcome).toBe("verified");
  expect(report.gate.find(({ predicate }) => predicate === "held-back-tests-pass")).toMatchObject({
    holds: true,
    evidence: expect.stringContaining("1 of 1"),
  });
  expect(report.patch).toContain("+    return amount <= available");
});

test("a written test with a wrong expectation is dropped with a reason, never silently; added tests are kept, held back or as guards", async () => {
  const repository = playground.copyRepository("repair-python");
  const own = join(repository, "tests", "test_transfer.py");
  writeFileSync(own, readFileSync(own, "utf8").replace(/ {4}def test_(?:empties|uses)[\s\S]*?\n\n/g, ""));
  const target = "tests/test_whole.py";
  const whole = { whole: 'Account("rent", 31).withdraw(31)' };
  const both = tests("WholeTest", { ...whole, beyond: 'Account("rent", 31).withdraw(32)' });
  const single = tests("WholeTest", whole);
  const more = both.slice(both.lastIndexOf("    def test_beyond"));
  const last = '        Account("rent", 31).withdraw(31)';
  const wrong = `${target}::WholeTest.test_beyond`;
  const added = tests("BoundaryTest", {
    overdraft: 'Account("rent", 5, overdraft=6).withdraw(11)',
    nothing: 'Account("rent", 5).withdraw(0)',
    old: 'self.assertRaises(InsufficientFunds, Account("rent", 5).withdraw, 5)',
  });
  const old = "tests/test_boundary.py::BoundaryTest.test_old";
  const reason = "The statement lets the whole be paid, and nothing beyond it.";
  const approved = { approved: true, analysis: "All that is available may be paid." };
  const drop = [wrong, old].map((test) => ({ test, reason }));
  const verdict = { patch: approved, tests: approved, drop };
  const { report, shown } = await solve(repository, [
    act("reproduction", { intent: "how it feels" }),
    {
      role: "reproduction",
      name: "cannot-show",
      input: {
        because: "no-output",
        reason: "a feeling is no output",
        places: ["ledger/account.py:22-24"],
        seen: "what is available is compared there",
      },
    },
    act("reproduction", { intent: "paying all of it" }),
    edit("reproduction", target, "", single),
    { role: "reproduction", name: "show", input: { files: [target] } },
    edit("reproduction", target, last, `${last}\n\n${more}`),
    { role: "reproduction", name: "show", input: { files: [target] } },
    ...change(wrongLine, "    return amount <= available"),
    // It is complete: what follows is not an editor's to do.
    act("edit-code", { intent: "see whether anything is missing", from: "c1" }),
    { role: "editing", name: "done", input: { summary: "Nothing is missing; the other test is wrong." } },
    act("reproduction", { intent: "the same", replaces: [`${target}::WholeTest.test_whole`] }),
    act("review-patch", { candidate: "c1" }),
    {
      role: "review",
      name: "verdict",
      input: { ...verdict, drop: [{ test: `${target}::WholeTest.test_whole`, reason }] },
    },
    tryTests("tests/test_boundary.py", added),
    { role: "review", name: "verdict", input: verdict },
    finish("c1"),
  ]);
  const planning = shown("planning");
  expect(shown("reproduction")).toContain(
    "A patch can easily be fitted to one test. Write at least two more tests",
  );
  expect(planning).toContain("The test author wrote no test (no-output): a feeling is no output");
  expect(planning).toContain("The author of the tests says: what is available is compared there");
  // For whoever works on.
  expect(shown("reproduction")).toContain("ledger/account.py:22-24");
  expect(planning).toMatch(/c1 is approved/);
  expect(planning).toContain(
    "The author's work changes no file: Nothing is missing; the other test is wrong.\n",
  );
  expect(planning).toContain(`Replaceable: ${wrong}.`);
  const reviewing = shown("review");
  expect(reviewing).toContain("You cannot drop these tests");
  expect(reviewing).toMatch(/test_overdraft: fail \(stated reason\) → pass/);
  expect(reviewing).toMatch(/test_old: pass → FAIL/);
  expect(report.outcome).toBe("verified");
  expect(report.gate.find(({ predicate }) => predicate === "failing-tests-pass")?.evidence).toMatch(
    /^2 of 2/,
  );
  const told = readFileSync(join(report.runDirectory, "report.md"), "utf8");
  for (const test of [wrong, old]) expect(told).toContain(`The review dropped the written test ${test}`);
  expect(told).toContain(reason);
});
