import { describe, expect, test } from "vitest";
import { madeCall, madeProcess } from "../../../tests/trace-calls.ts";
import type { RanTrace } from "../run-trace.ts";
import type { TraceProcess } from "../trace-model.ts";
import { makeTraceReport, type TraceReport } from "../trace-report.ts";
import { renderReport } from "./report.ts";

const ran: RanTrace = {
  end: "exited",
  exitCode: 0,
  milliseconds: 1500,
  stdout: "",
  stderr: "",
  texts: [],
  leftOut: 0,
  loaded: [],
  joined: [],
  plans: [],
  rounds: 1,
  buildErrors: [],
};

function report(more: Partial<RanTrace>, processes: readonly TraceProcess[] = []): TraceReport {
  return makeTraceReport({
    ran: { ...ran, ...more },
    processes,
    command: ["cargo", "test"],
    target: "/t",
    sandbox: "local",
    file: undefined,
    timeoutMs: 60_000,
    remarks: [],
  });
}

const called = [madeProcess([madeCall("f")])];

describe("what a trace came to", () => {
  test.each([
    ["a failing command that was recorded", { exitCode: 101 }, called, "recorded", 0],
    ["nothing was called", {}, [], "nothing-recorded", 11],
    ["it was not built", { exitCode: 101, buildErrors: ["error: x"] }, [], "build-failed", 11],
    ["at the limit", { end: "timed-out", exitCode: null }, called, "timed-out", 12],
    ["the user stopped it", { end: "aborted", exitCode: null }, called, "interrupted", 130],
  ] as const)("%s", (_name, more, processes, outcome, exitCode) => {
    expect(report(more, processes)).toMatchObject({ outcome, exitCode });
  });

  test("a signal is named, that of a process which the command started too", () => {
    expect(report({ end: "signalled", exitCode: 134 }, called)).toMatchObject({
      command: { signal: "SIGABRT" },
      reason: expect.stringContaining("the command aborted (SIGABRT)"),
    });
    const stderr = "process didn't exit successfully: `x` (signal: 11, SIGSEGV: invalid memory reference)";
    expect(report({ exitCode: 101, stderr }, called).reason).toContain(
      "ended with exit code 101; one of its processes was ended by SIGSEGV",
    );
    expect(report({ exitCode: 1 }, called).command.signal).toBeUndefined();
  });

  test("functions that are recorded with less are named with the reason, those left out counted by it", () => {
    const one = { path: "a.rs", line: 3, endLine: 4, level: "calls", group: "function" } as const;
    const functions = [
      { ...one, id: 1, name: "odd", reason: "cannot move out of `x`" },
      { ...one, id: 2, name: "size", group: "left-out", level: "none", reason: "const fn" },
      { ...one, id: 3, name: "width", group: "left-out", level: "none", reason: "const fn" },
      { ...one, id: 4, name: "(anonymous)", group: "test", level: "none", reason: "no name" },
    ] as const;
    const plan = { changes: [], scratchFiles: new Map(), env: {}, functions, unknown: [] };
    const text = renderReport(report({ plans: [{ languages: ["rust"], plan }] }, called), called, 10_000);
    expect(text).toContain("odd (a.rs:3): entry and exit only, cannot move out of `x`");
    expect(text).toContain("left out: 2 × const fn (size, width)");
    expect(text).toContain("1 of 1 traced function was called; 3 cannot be traced");
    expect(text).toContain("recorded with less detail: 1\n");
  });

  test("where a process came to a limit, that is said before its calls", () => {
    const cut = { function: { name: "g", path: "a.py", line: 1 }, why: "bytes", count: 7 } as const;
    const processes = [{ ...madeProcess([madeCall("f")]), cuts: [cut, { ...cut, why: "sampled" as const }] }];
    const text = renderReport(report({}, processes), processes, 10_000);
    expect(text).toMatch(
      /note: process 1 reached the limit of bytes, so (at least )?7 calls were not recorded/,
    );
  });
});

test("of a command that failed the ends of both streams are told, and which tests failed", () => {
  const processes = [madeProcess([madeCall("f", { test: "tests::a" })])];
  const more = { exitCode: 101, stdout: "test tests::a ... FAILED\n", stderr: "error: test failed\n" };
  const failed = report(more, processes);
  expect(failed.failedTests).toEqual(["tests::a"]);
  const text = renderReport(failed, processes, 4000);
  expect(text).toMatch(/1 call of 1 process was recorded/);
  expect(text).toMatch(
    /output:\n {2}test tests::a \.\.\. FAILED\nthe end of its errors:\n {2}error: test failed/,
  );
  expect(text).toContain("test tests::a (failed)");
});

describe("a text of limited length", () => {
  const deep = (depth: number): ReturnType<typeof madeCall> =>
    madeCall(`level${depth}`, {
      args: [["text", { j: "x".repeat(300) }]],
      children: depth === 0 ? [] : [deep(depth - 1), madeCall(`side${depth}`), deep(depth - 1)],
    });
  const boom = madeCall("start", {
    how: "throw",
    children: [madeCall("origin", { how: "throw", message: "boom" })],
  });
  const processes = [madeProcess([deep(9), boom], { calls: 2000 })];

  test.each([3000, 12_000, 60_000])("%i characters", (room) => {
    const text = renderReport(report({ exitCode: 1 }, processes), processes, room);
    expect(text.length).toBeLessThan(room + 200);
    expect(text.indexOf("origin()")).toBeGreaterThan(0);
    expect(text.indexOf("origin()")).toBeLessThan(text.indexOf("level9"));
    expect(text).toMatch(/calls below #1\.\d+|more, which does not fit/);
  });

  test("a short trace is told whole", () => {
    const text = renderReport(report({}, called), called, 3000);
    expect(text).toContain("f()  [src/lib.rs:1");
    expect(text).not.toContain("…");
  });
});
