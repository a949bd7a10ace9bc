import { expect, test } from "vitest";
import type { TestOutcome, TestStatus } from "../../domain/test-outcome.ts";
import { sayBefore } from "./fails-before.ts";
import { changedNames } from "./new-names.ts";
import { tell } from "./without-code.ts";

const key = (name: string, target = "tests/test_close.py") => ({ package: "", target, name });
function outcome(name: string, status: TestStatus, type = "", message = "", target?: string): TestOutcome {
  const failure = type === "" ? {} : { failure: { type, message, frames: [], text: message } };
  return { key: key(name, target), status, durationMs: 1, ...failure };
}

const base = [outcome("test_old", "passed", "", "", "tests/test_account.py")];
const known = { base, names: new Set(["close", "closing"]) };
const say = (outcomes: readonly TestOutcome[], invalid?: string, from = known) =>
  sayBefore(key("test_new"), { outcomes, invalid }, from);

test("a test that fails by itself without the code fails before, one that passes there does not", () => {
  expect(say([outcome("test_new", "failed", "AssertionError", "1 != 2")])).toBe("fails");
  expect(say([outcome("test_new", "errored", "AttributeError", "no attribute 'close'")])).toBe("fails");
  expect(say([outcome("test_new", "passed")])).toBe("passes");
  expect(say([outcome("test_new", "skipped")])).toBe("unknown");
});

test("a test that exceeds Millwright's limit without the code does not fail before", () => {
  const late = [
    outcome("test_new", "timed-out", "TimeoutError", "the test took longer than 10000 ms in close"),
  ];
  expect(say(late)).toBe("unknown");
  const other = outcome(
    "test_other",
    "timed-out",
    "TimeoutError",
    "the test took longer than 10000 ms in close",
  );
  expect(say([outcome("test_new", "not-run"), other])).toBe("unknown");
});

test("what does not load or build fails before where its failure names what is new", () => {
  const missing = outcome("test_new", "not-run");
  const target = (message: string) => [missing, outcome("", "errored", "ImportError", message)];
  expect(say(target("cannot import name 'close' from 'ledger'"))).toBe("does-not-load");
  expect(say(target("No module named 'ledger.closing'"))).toBe("does-not-load");
  expect(say(target("No module named 'yaml'"))).toBe("unknown");
  expect(say(target("cannot import name 'closed'"))).toBe("unknown");
  expect(say([outcome("test_new", "failed", "CompileError", "undefined: close")])).toBe("does-not-load");
  expect(say([outcome("test_new", "failed", "CompileError", "no space left on device")])).toBe("unknown");
});

test("a run that broke down shows nothing, nor does a target that the base does not build either", () => {
  const missing = outcome("test_new", "not-run");
  expect(say([missing], "the run reported nothing (it was killed)")).toBe("unknown");
  expect(say([missing], "error: cannot find function `close` in this scope")).toBe("does-not-load");
  const built = outcome("", "errored", "CompileError", "undefined: close");
  expect(say([missing, built])).toBe("does-not-load");
  const broken = { ...known, base: [...base, outcome("", "errored", "CompileError", "undefined: other")] };
  expect(say([missing, built], undefined, broken)).toBe("unknown");
});

test("new names are those of definitions that change, and not of the class around them", async () => {
  const before = "class Account:\n    def pay(self):\n        return 1\n";
  const after = `${before}\n    def close(self):\n        return self.pay()\n\n\ndef reopen(one):\n    return one\n`;
  expect(await changedNames("ledger/account.py", before, after)).toEqual(["close", "reopen"]);
  expect(await changedNames("ledger/account.py", "", before)).toEqual(["Account", "pay"]);
});

test("one new test has to fail before; what passes, is flaky or unknown is said, and so is a requirement without any", () => {
  const all = tell(
    [
      { key: key("test_a"), before: "fails" },
      { key: key("test_b"), before: "does-not-load" },
      { key: key("test_c"), before: "passes" },
      { key: key("test_d"), before: "flaky" },
      { key: key("test_e"), before: "unknown" },
    ],
    [
      { id: "1", text: "It closes", tests: ["test_a", "test_c"], changes: [] },
      { id: "2", text: "It is listed", tests: ["test_c"], changes: [] },
      { id: "3", text: "It is told", tests: [], changes: [] },
      { id: "4", text: "It is kept", tests: ["test_c", "test_e"], changes: [] },
    ],
  );
  expect(all.predicate.holds).toBe(true);
  expect(all.predicate.evidence).toBe(
    "2 of 5 new tests fail without the code; 1 of them does not load there, because the code's definitions are missing; also pass without the code: tests/test_close.py::test_c; give different results in two runs: tests/test_close.py::test_d; have unknown results without the code: tests/test_close.py::test_e",
  );
  expect(all.missing).toEqual([
    "Requirement 2 (It is listed): its new tests also pass without the code. Assert behaviour that only the new code has. If the unchanged code already meets the requirement, set `kept`.",
    "Requirement 4 (It is kept): the results of its new tests without the code are unknown. Run the tests again. If the results stay unknown, change these tests.",
  ]);
  const none = tell([{ key: key("test_c"), before: "passes" }], []);
  expect([none.predicate.holds, tell([], []).predicate.holds]).toEqual([false, false]);
});
