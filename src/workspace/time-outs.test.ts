import { describe, expect, test } from "vitest";
import type { TestKey, TestOutcome, TestStatus } from "../domain/test-outcome.ts";
import type { CommandEnd } from "../sandbox/contract.ts";
import { askAgain, markTimeOuts } from "./time-outs.ts";

function failing(message: string, type = "TimeoutError"): TestOutcome {
  const key = { package: "", target: "t", name: "is slow" };
  return { key, status: "failed", durationMs: 1, failure: { type, message, frames: [], text: "" } };
}

describe("markTimeOuts", () => {
  const limits = { testTimeoutMs: 10_000, end: "exited" } as const;
  test.each<[string, TestStatus]>([
    ["the test took longer than 10 s", "timed-out"],
    ["the test took longer than 2 s", "timed-out"],
    ["the test took longer than its limit of 10000 ms", "timed-out"],
    ["the test did not end within 10000 ms", "timed-out"],
    ["the test did not end within 10.02 s", "timed-out"],
    // ctest's TIMEOUT of the project
    ["the test did not end within 1 s", "failed"],
    ['Timeout of 10000ms exceeded. For async tests and hooks, ensure "done()" is called', "timed-out"],
    ['Timeout of 2000ms exceeded. For async tests and hooks, ensure "done()" is called', "failed"],
    ['thrown: "Exceeded timeout of 10000 ms for a test.', "timed-out"],
    ['thrown: "Exceeded timeout of 300 ms for a test.', "failed"],
    ["Test timed out in 10000ms.", "timed-out"],
    ["Test timed out in 500ms.", "failed"],
    ["Error: Timeout - Async function did not complete within 10000ms (set by …)", "timed-out"],
    // The program's own
    ["timed out", "failed"],
    ["the read operation timed out after 3 s", "failed"],
  ])("%s: %s", (message, status) => {
    const [marked] = markTimeOuts([failing(message)], limits);
    expect(marked?.status).toBe(status);
    expect(marked?.failure?.message.includes("--test-timeout")).toBe(status === "timed-out");
  });

  test("a failure that only quotes such a text is the test's own", () => {
    expect(
      markTimeOuts([failing("the test took longer than 1 s", "AssertionError")], limits)[0]?.status,
    ).toBe("failed");
  });

  test("what ran when the whole run met its limit met that; what died by itself did not", () => {
    const died = failing("the test process was killed while this test ran", "Crash");
    expect(markTimeOuts([died], { ...limits, end: "timed-out" })[0]).toMatchObject({
      status: "timed-out",
      failure: { message: expect.stringContaining("the limit of the whole run") },
    });
    expect(markTimeOuts([died], limits)[0]?.status).toBe("failed");
  });
});

describe("askAgain", () => {
  function outcome(name: string, status: TestStatus, target = "a"): TestOutcome {
    return { key: { package: "", target, name }, status, durationMs: 1 };
  }

  async function ask(
    outcomes: readonly TestOutcome[],
    answers: Readonly<Record<string, TestStatus>>,
    invalid?: string,
    end: CommandEnd = "exited",
  ) {
    const asked: string[] = [];
    const settled = await askAgain(
      outcomes,
      ({ key }) => key.name !== "of no interest",
      async (key: TestKey) => {
        asked.push(key.name);
        const answer = outcome(key.name, answers[key.name] ?? "not-run", key.target);
        return { report: { outcomes: [answer], invalid }, end };
      },
    );
    return { asked, statuses: settled.map(({ key, status }) => `${key.name} ${status}`) };
  }

  test("each test that met our limit is asked alone, and what it says then counts", async () => {
    const outcomes = [
      outcome("slow", "timed-out"),
      outcome("good", "passed"),
      outcome("bad", "timed-out"),
      outcome("of no interest", "timed-out"),
    ];
    expect(await ask(outcomes, { slow: "passed", bad: "failed" })).toEqual({
      asked: ["slow", "bad"],
      statuses: ["slow passed", "good passed", "bad failed", "of no interest timed-out"],
    });
  });

  test("where one hangs, the others of its file are not waited for; those of another are", async () => {
    const outcomes = [
      outcome("hangs", "timed-out"),
      outcome("hangs too", "timed-out"),
      outcome("is slow", "timed-out", "b"),
    ];
    expect(await ask(outcomes, { hangs: "timed-out", "is slow": "passed" })).toEqual({
      asked: ["hangs", "is slow"],
      statuses: ["hangs timed-out", "hangs too timed-out", "is slow passed"],
    });
  });

  test("an invalid report makes no test pass, unless a limit cut it off", async () => {
    const outcomes = [outcome("slow", "timed-out"), outcome("bad", "timed-out", "b")];
    const answers = { slow: "passed", bad: "failed" } as const;
    const askUntil = async (end: CommandEnd) => (await ask(outcomes, answers, "exit code 3", end)).statuses;
    expect(await askUntil("exited")).toEqual(["slow timed-out", "bad failed"]);
    expect(await askUntil("timed-out")).toEqual(["slow passed", "bad failed"]);
  });

  test("an answer that is none changes nothing", async () => {
    expect((await ask([outcome("slow", "timed-out")], {})).statuses).toEqual(["slow timed-out"]);
  });
});
