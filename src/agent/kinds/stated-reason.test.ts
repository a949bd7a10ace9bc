import { expect, test } from "vitest";
import type { TestFailure, TestOutcome } from "../../domain/test-outcome.ts";
import { readSignature } from "../state/statement-signature.ts";
import { matchReason, type TestText } from "./stated-reason.ts";

const signature = readSignature(
  "`settle_all` pays twice: an account of 250 has 0 left, and raises no OverdrawnError",
);
const file = "tests/test_settle.py";

function outcomeOf(failure: Partial<TestFailure>, name = "test_settle_all"): TestOutcome {
  const whole = { type: "AssertionError", message: "", frames: [{ file, line: 2 }], text: "", ...failure };
  return { key: { package: "", target: file, name }, status: "failed", durationMs: 1, failure: whole };
}

const textOf = (line: string, body = ""): TestText => ({
  isTest: (path) => path === file,
  line: async () => line,
  body: async () => body,
});
const matches = async (failure: Partial<TestFailure>, line = "", body = ""): Promise<boolean> =>
  (await matchReason(signature, outcomeOf(failure), textOf(line, body))).matches;

test("the error, the message, a frame of the code, or the line that fails has to agree; the test's own name says nothing", async () => {
  expect(await matches({ type: "OverdrawnError" })).toBe(true);
  expect(await matches({ message: "assert 0 == 250" })).toBe(true);
  expect(await matches({ message: "assert 1 == 2" }, "assert settle_all(accounts) == 2")).toBe(true);
  const frames = [
    { file, line: 2 },
    { file: "bank/settle.py", line: 9, function: "settle_all" },
  ];
  expect(await matches({ type: "KeyError", message: "7", frames })).toBe(true);
  expect(await matches({ message: "assert 1 == 2" }, "assert total == 2")).toBe(false);
  expect(await matches({ message: `${file} test_settle_all broke` })).toBe(false);
});

test("where it compares, what it does before counts too, by what the statement quotes or names alone", async () => {
  const failure = { message: "assert 1 == 2" };
  expect(await matches(failure, "assert total == 2", "total = settle_all(accounts)")).toBe(true);
  expect(await matches(failure, "assert total == 2", "account.pays(twice)\nleft")).toBe(false);
  const ended = { type: "KeyError", message: "7" };
  expect(await matches({ ...failure, ...ended, text: "" }, "", "other(total)")).toBe(false);
  expect(await matches({ type: "NameError", message: "name 'acounts'" }, "", "settle_all(acounts)")).toBe(
    false,
  );
});

test("a test that is wrong itself fails for no stated reason, whatever stands on its line", async () => {
  const line = "assert settle_all(acounts) == 2";
  expect(await matches({ type: "NameError", message: "name 'acounts' is not defined" }, line)).toBe(false);
  expect(await matches({ type: "ImportError", message: "cannot import name 'settle_all'" }, line)).toBe(true);
});

test("words of the test's own text are no evidence: of a command that it started only what that said counts", async () => {
  const program = ["Command failed: node -e ", "  const pay = import('settle_all');", "  pay(250);"];
  const said = (type: string, place: string): string =>
    [...program, place, "", `${type}: 7 is not known`, "    at pay (x.js:1:1)", "Node.js v20.20.2"].join(
      "\n",
    );
  const line = "execFile('node', ['-e', 'settle_all()'])";
  const inCode = [{ file: "bank/settle.js", line: 9 }];
  expect(await matches({ type: "Error", message: said("ReferenceError", "[eval1]:2") }, line)).toBe(false);
  const message = said("ReferenceError", "bank/settle.js:9");
  expect(await matches({ type: "Error", message, frames: inCode }, line)).toBe(false);
  expect(await matches({ type: "Error", message: said("RangeError", "bank/x.js:9") }, line)).toBe(false);
  expect(await matches({ type: "Error", message: said("OverdrawnError", "bank/x.js:9") }, line)).toBe(true);
});

test("a TypeError counts as the test's own where no code of the repository is in its frames", async () => {
  const line = "settle_all(accounts).total.left()";
  const failure = { type: "TypeError", message: "cannot read 'left' of undefined" };
  const stated = await matchReason(signature, outcomeOf(failure), textOf(line));
  expect(stated.matches).toBe(false);
  expect(stated.evidence).toContain(
    `TypeError: cannot read 'left' of undefined (${file}:2) in the test itself`,
  );
  const frames = [
    { file, line: 2 },
    { file: "bank/settle.py", line: 9 },
  ];
  expect(await matches({ ...failure, frames }, line)).toBe(true);
  expect(await matches({ type: "TypeError", message: "settle_all() got an unexpected argument" })).toBe(true);
});

test("a name that the code itself gets wrong is a fault of the code", async () => {
  const frames = [
    { file, line: 2 },
    { file: "bank/close.py", line: 9, function: "close" },
  ];
  const failure = { type: "UnboundLocalError", message: "local variable 'rest' is not set", frames };
  expect(await matches(failure, "close(settle_all(accounts))")).toBe(true);
  expect(await matches({ ...failure, frames: frames.slice(0, 1) }, "close(settle_all(accounts))")).toBe(
    false,
  );
});
