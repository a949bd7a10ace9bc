import { describe, expect, test } from "vitest";
import type { TestOutcome, TestStatus } from "../domain/test-outcome.ts";
import { matchIds, portableId } from "./test-ids.ts";

function outcome(target: string, name: string, status: TestStatus = "passed", member = ""): TestOutcome {
  return { key: { package: member, target, name }, status, durationMs: 0 };
}

describe("matchIds", () => {
  test.each([
    ["pytest", outcome("tests/test_a.py", "TestA::test_b[1-2]"), "tests/test_a.py::TestA::test_b[1-2]"],
    ["unittest", outcome("tests/test_a.py", "TestA.test_b"), "test_b (tests.test_a.TestA)"],
    ["unittest", outcome("tests/test_a.py", "TestA.test_b"), "test_b (tests.test_a.TestA.test_b)"],
    ["unittest", outcome("tests/test_a.py", "TestA.test_b"), "tests.test_a.TestA.test_b"],
    ["mocha", outcome("test/a.js", "outer > inner > works"), "outer inner works"],
    ["jest", outcome("src/a.test.js", "outer > works"), "src/a.test.js::outer works"],
    ["vitest", outcome("src/a.test.ts", "outer > works", "passed", "web"), "src/a.test.ts > outer > works"],
  ])("%s: %j is called %s", (framework, each, id) => {
    const { statuses, unmatched } = matchIds({ framework, outcomes: [each] }, [id]);
    expect(unmatched).toEqual([]);
    expect(statuses.get(id)).toBe("passed");
  });

  test("an id that names no test is said to, even one that is nearly right", () => {
    const outcomes = [outcome("tests/test_a.py", "test_b[1]")];
    const ids = ["tests/test_a.py::test_b", "tests/test_a.py::test_c", "test_b[1]"];
    expect(matchIds({ framework: "pytest", outcomes }, ids).unmatched).toEqual(ids);
  });

  test("an id that names several tests passes only when all of them do, and is named", () => {
    const twice = [outcome("test/a.js", "works"), outcome("test/b.js", "works", "failed")];
    const { statuses, ambiguous } = matchIds({ framework: "mocha", outcomes: twice }, [
      "works",
      "test/a.js::works",
    ]);
    expect([...statuses]).toEqual([
      ["works", "failed"],
      ["test/a.js::works", "passed"],
    ]);
    expect(ambiguous).toEqual(["works"]);
  });

  test("a parametrised id that was cut inside its brackets means all that begin so", () => {
    const outcomes = [
      outcome("t.py", "test_b[one two]"),
      outcome("t.py", "test_b[one three]", "failed"),
      outcome("t.py", "test_b[four]"),
    ];
    const { statuses } = matchIds({ framework: "pytest", outcomes }, ["t.py::test_b[one", "t.py::test_b[fo"]);
    expect([...statuses.values()]).toEqual(["failed", "passed"]);
  });

  test("a name that contains the project's folder has one id on all machines, and no other test counts for it", () => {
    const run = {
      framework: "pytest",
      root: "/build/7",
      outcomes: [
        outcome("tests/test_a.py", "test_same[/build/7/tests/test_a.py]"),
        outcome("tests/test_a.py", "test_same[/build/70/tests/test_b.py]"),
        outcome("tests/test_a.py", "test_answers[/api/v1/items]"),
      ],
    };
    const here = "tests/test_a.py::test_same[/build/7/tests/test_a.py]";
    const moved = "tests/test_a.py::test_same[/testbed/tests/test_a.py]";
    expect([...matchIds(run, [here, moved]).statuses.values()]).toEqual(["passed", "passed"]);
    const others = [
      "tests/test_a.py::test_same[/testbed/tests/test_b.py]",
      "tests/test_a.py::test_answers[/api/v2/items]",
    ];
    expect(matchIds(run, others).unmatched).toEqual(others);
    expect(portableId(here, run.root)).toBe(moved);
  });
});
