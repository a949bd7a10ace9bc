import { expect, test } from "vitest";
import type { TestOutcome } from "../domain/test-outcome.ts";
import ctest from "../languages/cpp/ctest.ts";
import { nothingReceived } from "../languages/report-frames.ts";
import { addMissing, readExecution } from "./test-runner.ts";

const outcome = (target: string, name: string, status: TestOutcome["status"] = "passed"): TestOutcome => ({
  key: { package: "", target, name },
  status,
  durationMs: 1,
});
const said = (outcomes: readonly TestOutcome[]): string[] =>
  outcomes.map(({ key, status }) => `${key.target}:${key.name} ${status}`);

test("each test that was asked for has an answer; a target that was asked for as a whole has those of its tests", () => {
  const whole = { package: "", target: "tests/a.rs", name: "" };
  const one = { package: "", target: "tests/b.rs", name: "one" };
  const selection = { kind: "tests", tests: [whole, one] } as const;
  const others = [outcome("tests/b.rs", "two"), outcome("tests/b.rs", "three", "failed")];
  expect(said(addMissing([outcome("tests/a.rs", "works"), ...others], selection))).toEqual([
    "tests/a.rs:works passed",
    "tests/b.rs:three failed",
    "tests/b.rs:one not-run",
  ]);
  expect(said(addMissing([outcome("tests/a.rs", "", "errored")], selection))).toEqual([
    "tests/a.rs: errored",
    "tests/b.rs:one not-run",
  ]);
  expect(said(addMissing([], selection))).toEqual(["tests/a.rs: not-run", "tests/b.rs:one not-run"]);
});

test("a report that its parser cannot read is invalid", () => {
  const files = new Map([["build-status", Buffer.from("0\n")]]);
  const output = { stdout: "@@tests AAAA\n", stderr: "", exitCode: 0 };
  const execution = {
    received: nothingReceived,
    files,
    ...output,
    end: "exited",
    durationMs: 1,
  } as const;
  const read = { framework: ctest, selection: { kind: "all" }, testTimeoutMs: 1000, root: "/r" } as const;
  expect(readExecution(execution, read).report).toMatchObject({
    outcomes: [],
    invalid: expect.stringContaining("the report cannot be read"),
  });
});
