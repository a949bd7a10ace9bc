/** Strategies as they are published: what a model is asked, in which order, and what is run and when. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { RunEvent } from "../../src/domain/run-event.ts";
import { takeFailingTestsAway, wholeTest } from "./kind-tasks.ts";
import { createPlayground, type Playground } from "./millwright.ts";
import { editBlock as block, requestsOf, type ScriptedAnswer, solveScripted } from "./scripted-solve.ts";
import { act, done, edit } from "./scripted-steps.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const statement = "Emptying an account by `withdraw` raises InsufficientFunds, though it can pay";
const small = "    return amount < available";
const verdict = {
  patch: { approved: true, analysis: "can_cover compares with all that is available" },
  tests: { approved: true, analysis: "they ask for all of it" },
};

const loop: readonly ScriptedAnswer[] = [
  act("reproduction", { intent: "show it" }),
  {
    role: "reproduction",
    calls: [
      { name: "edit", input: { edits: block("tests/test_whole.py", "", wholeTest) } },
      { name: "show", input: { files: ["tests/test_whole.py"] } },
    ],
  },
  act("edit-code", { intent: "let nothing be paid" }),
  edit(block("ledger/account.py", small, "    return False")),
  done("nothing may be paid"),
  act("edit-code", { intent: "let all of it be paid", from: "base" }),
  edit(block("ledger/account.py", small, "    return amount <= available")),
  done("all of it may be paid"),
];
const review: readonly ScriptedAnswer[] = [
  act("review-patch", { candidate: "c2" }),
  { role: "review", calls: [{ name: "verdict", input: verdict }] },
];

/** Titles of runs of tests before the solution is judged. */
function ranInLoop(events: readonly RunEvent[]): string[] {
  const judged = events.findIndex((event) => event.event === "phase-started" && event.phase === "verify");
  return events
    .slice(0, judged)
    .flatMap((event) =>
      event.event === "step-started" && /\btests?\b/.test(event.title) ? [event.title] : [],
    );
}

test("each round is asked anew with description, state and last output; nothing is measured but what is chosen; finish ends it, and the gate comes after", async () => {
  const repository = playground.copyRepository("repair-python");
  takeFailingTestsAway(repository);
  const files = ["tests/test_transfer.py"];
  const tests = act("execute-tests", { files, candidates: ["c2", "r1"] });
  const end = await solveScripted(playground, {
    ...{ repository, statement, strategy: "unified", args: ["--as-published"] },
    answers: [...loop, tests, ...review, act("finish", { candidate: "c1" })],
  });
  expect(end.actions).toEqual([
    ...["reproduction", "edit-code", "edit-code", "execute-tests", "review-patch", "finish"],
  ]);
  const requests = requestsOf(end);
  const planned = requests.filter(({ role }) => role === "planning");
  expect(requests.map(({ role }) => role)).toEqual([
    ...["planning", "reproduction", "planning", "editing", "editing", "planning", "editing", "editing"],
    ...["planning", "planning", "review", "planning"],
  ]);
  for (const { messages, settings } of planned) {
    expect(messages.map(({ role }) => role)).toEqual(["user"]);
    expect(settings.temperature).toBe(0);
  }
  expect(planned[0]?.messages[0]?.text).toBe(
    `# The description\n\nResolve this issue.\n\n${statement}\n\n# The task state\n\nTests that show the fault: none yet.`,
  );
  expect(planned[2]?.messages[0]?.text).toMatch(
    /# The output of the last action\n\nCandidate c1: nothing may/,
  );
  expect(planned.at(-1)?.messages[0]?.text).not.toContain("gate");
  // After the review, only the task state still has the results of the chosen tests.
  expect(planned.at(-1)?.messages[0]?.text).toContain(
    "Test runs:\n- c2+r1, tests/test_transfer.py: 5 of 5 tests pass",
  );
  // Two runs of the reproduction, one of the files that were named, one for the review.
  expect(ranInLoop(end.events)).toEqual(["run tests", "run tests", "run tests", "run tests"]);
  // What the model calls the solution is handed over, and the gate says what it is worth.
  expect(end.exitCode).toBe(10);
  expect(end.report.patch).toContain("+    return False");
  expect(end.report.off).toEqual(["as published"]);
});

test("without execute-tests only the reproduction runs; at the limit of rounds a model chooses the solution", async () => {
  const repository = playground.copyRepository("repair-python");
  takeFailingTestsAway(repository);
  const places = { places: [], answer: "nothing else" };
  const search: ScriptedAnswer[] = [
    { ...act("code-retrieval", { intent: "look again" }), times: "always" },
    { role: "retrieval", calls: [{ name: "report", input: places }], times: "always" },
  ];
  const chosen: ScriptedAnswer = {
    ...{ role: "planning", system: "Choose the candidate", json: { candidate: "c2", reason: "it pays" } },
    contains: ["## c1", "## c2"],
  };
  const end = await solveScripted(playground, {
    ...{ repository, statement, strategy: "unified" },
    args: ["--as-published", "--without", "execute-tests"],
    answers: [chosen, ...loop, ...search],
  });
  const planned = requestsOf(end).filter(({ role }) => role === "planning");
  expect(planned).toHaveLength(21);
  expect(planned.flatMap(({ tools = [] }) => tools.map(({ name }) => name))).not.toContain("execute-tests");
  expect(ranInLoop(end.events)).toEqual(["run tests", "run tests"]);
  expect(end.report).toMatchObject({ outcome: "verified", off: ["as published", "without execute-tests"] });
  expect(end.report.patch).toContain("+    return amount <= available");
});

const mends = (from: string, to: string, said: string): ScriptedAnswer[] => [
  { ...edit(block("ledger/account.py", from, to)), contains: said },
  done("it pays"),
];
const places = { places: [], answer: "can_cover decides" };
const look: ScriptedAnswer = {
  ...{ role: "retrieval", calls: [{ name: "report", input: places }], times: "always" },
};
const judged = (approved: boolean): ScriptedAnswer => ({
  role: "review",
  calls: [
    {
      name: "verdict",
      input: { ...verdict, patch: { approved, analysis: "it compares with all that is available" } },
    },
  ],
});

test("workflow: the sequence runs only its reproduction, a review ends it, and the gate comes after", async () => {
  const repository = playground.copyRepository("repair-python");
  takeFailingTestsAway(repository);
  const end = await solveScripted(playground, {
    ...{ repository, statement, strategy: "workflow", args: ["--as-published"] },
    answers: [
      ...loop.slice(1, 3),
      look,
      ...mends(small, "    return False", "Do what the statement asks for."),
      judged(false),
      ...mends("    return False", "    return amount <= available", "Continue from c1"),
      judged(true),
    ],
  });
  expect(end.actions, end.stderr).toEqual([
    ...["reproduction", "code-retrieval", "edit-code", "review-patch", "edit-code", "review-patch"],
  ]);
  // Two runs of the reproduction on the base, and one in each review.
  expect(ranInLoop(end.events)).toEqual(["run tests", "run tests", "run tests", "run tests"]);
  const texts = requestsOf(end).flatMap(({ messages }) => messages.map(({ text = "" }) => text));
  expect(texts.filter((text) => /no-test-breaks|failing-tests-/.test(text))).toEqual([]);
  expect(end.report).toMatchObject({ outcome: "verified", off: ["as published"] });
  expect(end.report.patch).toContain("+    return amount <= available");
});

test("workflow: execute-tests runs the found files and the candidate's own tests, and nothing else", async () => {
  const repository = playground.copyRepository("repair-python");
  takeFailingTestsAway(repository);
  const write: ScriptedAnswer = edit(block("tests/test_whole.py", "", wholeTest));
  const end = await solveScripted(playground, {
    ...{ repository, statement, strategy: "workflow", args: ["--as-published", "--kind", "regression-test"] },
    answers: [look, write, done("a test of the whole balance")],
  });
  expect(end.actions, end.stderr).toEqual([
    ...["test-retrieval", "code-retrieval", "edit-code", "execute-tests"],
  ]);
  expect(ranInLoop(end.events)).toEqual(["run tests"]);
  expect(end.report.files.map(({ path }) => path)).toEqual(["tests/test_whole.py"]);
});

test("react: nothing is measured or told before the model works, and submit ends it", async () => {
  const repository = playground.copyRepository("repair-python");
  const call = (name: string, input: object): ScriptedAnswer => ({
    role: "editing",
    calls: [{ name, input }],
  });
  const end = await solveScripted(playground, {
    ...{ repository, statement, strategy: "react", args: ["--as-published"] },
    answers: [
      call("str_replace", { path: "ledger/account.py", old: small, new: "    return False" }),
      call("submit", { summary: "nothing may be paid" }),
    ],
  });
  const requests = requestsOf(end);
  expect(requests).toHaveLength(2);
  expect(requests[0]?.messages).toEqual([
    {
      role: "user",
      text: expect.stringMatching(
        /^# The task\n\nResolve this issue\.\n\nEmptying .* Commands start there\.$/s,
      ),
    },
  ]);
  expect(JSON.stringify(requests)).not.toMatch(/gate|judged|fails? before|test_empties/);
  expect(ranInLoop(end.events)).toEqual([]);
  expect(end.report).toMatchObject({ outcome: "unverified", off: ["as published"] });
});
