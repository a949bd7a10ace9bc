/** An isolated reproduction, a trace of it and a repair, with a scripted model: whole runs in a real sandbox. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { takeFailingTestsAway } from "./kind-tasks.ts";
import { createPlayground, fingerprint, type Playground } from "./millwright.ts";
import { requestsOf, type ScriptedAnswer, solveScripted } from "./scripted-solve.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const statement =
  "A transfer of the `whole_overdraft`, or one that empties an account, is refused: InsufficientFunds is raised";

const use = (name: string, input: object = {}): ScriptedAnswer => ({
  role: "editing",
  calls: [{ name, input }],
});
/** Said only where the last message has this in it. */
const after = (contains: string | readonly string[], next: ScriptedAnswer): ScriptedAnswer => ({
  ...next,
  contains,
});
const entry = ".millwright/reproduction/reproduction.py";
const mend = use("str_replace", {
  path: "ledger/account.py",
  old: "return amount < available",
  new: "return amount <= available",
});
const reproduction = [
  "import ledger.account",
  "account = ledger.account.Account('a', 10, 0)",
  "print('allowed', ledger.account.can_cover(account, 10))",
  "",
].join("\n");

test("a reproduction beside the target is traced, the fault is mended, and nothing of either is in the patch", async () => {
  const repository = playground.copyRepository("repair-python");
  const before = fingerprint(repository);
  const end = await solveScripted(playground, {
    strategy: "rustforger",
    statement,
    repository,
    answers: [
      after(
        ["# The reproduction project", "It depends on ledger", entry],
        use("bash", {
          command: `cat > ${entry} <<'END'\n${reproduction}END\nPYTHONPATH=$PWD python3 ${entry}`,
        }),
      ),
      after(
        "allowed False",
        use("trace", {
          instrument: ["ledger/account.py:can_cover"],
          command: `PYTHONPATH=$PWD python3 ${entry}`,
        }),
      ),
      after(
        "through which Millwright records the calls",
        use("trace", {
          instrument: ["ledger/account.py:can_cover"],
          command: "sh .millwright/reproduction/run",
        }),
      ),
      after(["can_cover(", "amount = 10", "→ false", "#1.1"], use("trace_show", { call: "#1.1" })),
      after("amount = 10", mend),
      after(
        "return amount <= available",
        use("trace", { instrument: ["ledger/acount.py"], command: "true" }),
      ),
      after("ledger/account.py", use("submit", { summary: "All that is available may be paid" })),
    ],
  });
  expect(end.exitCode, end.stderr).toBe(0);
  expect(end.report).toMatchObject({
    strategy: "rustforger",
    outcome: "verified",
    files: [{ path: "ledger/account.py" }],
  });
  expect(end.report.patch).not.toMatch(/millwright|reproduction|trace/);
  expect(fingerprint(repository)).toBe(before);
});

test("without the two parts of the paper's ablations neither is offered; what stands at a limit is handed over", async () => {
  const repository = playground.copyRepository("repair-python");
  takeFailingTestsAway(repository);
  const end = await solveScripted(playground, {
    strategy: "rustforger",
    statement,
    repository,
    args: ["--without", "workspace", "--without", "trace", "--max-steps", "2"],
    answers: [
      { ...use("trace", { instrument: ["ledger/account.py"], command: "true" }) },
      after("no tool", mend),
      { role: "editing", text: "So it is.", times: "always" },
    ],
  });
  expect(end.exitCode, end.stderr).toBe(12);
  expect(end.report.patch).toContain("+    return amount <= available");
  expect(end.report.outcome).toBe("unverified");
});

const editor = ["bash", "view", "create", "str_replace", "insert", "submit"];
const tracer = ["trace", "trace_show"];
const columns = [
  { name: "complete", off: [], workspace: true, trace: true },
  { name: "workspace without Trace", off: ["--no-trace"], workspace: true, trace: false },
  { name: "neither", off: ["--no-workspace", "--no-trace"], workspace: false, trace: false },
];

test.for(columns)(
  "table 6, $name: the column's requests, one after the other, with the column's tools",
  async ({ off, workspace, trace }) => {
    const repository = playground.copyRepository("repair-python");
    const end = await solveScripted(playground, {
      ...{ strategy: "rustforger", statement, repository, args: off },
      answers: [mend, after("return amount <= available", use("submit", { summary: "it pays" }))],
    });
    const requests = requestsOf(end);
    expect(requests.map(({ role }) => role)).toEqual(["editing", "editing"]);
    const expected = [...editor, ...(trace ? tracer : [])].toSorted();
    for (const { system, tools = [], settings } of requests) {
      expect(tools.map(({ name }) => name).toSorted()).toEqual(expected);
      expect(settings.temperature).toBe(0);
      expect([system.includes("in the reproduction project"), system.includes("Trace the fault")]).toEqual([
        workspace,
        trace,
      ]);
    }
    const [opening] = requests[0]?.messages ?? [];
    expect(opening?.text?.includes("# The reproduction project")).toBe(workspace);
    expect(requests.map(({ messages }) => messages.map(({ role }) => role))).toEqual([
      ["user"],
      ["user", "assistant", "tool"],
    ]);
    expect(end.report.outcome, end.stderr).toBe("verified");
  },
);
