import { expect, test } from "vitest";
import { renderChanges } from "./render-changes.ts";
import { renderFailures, renderRow, renderState } from "./render-state.ts";
import { emptyState, type TaskState } from "./task-state.ts";

const place = { file: "a.py", startLine: 3, endLine: 9, why: "it decides" };
const other = { file: "b.py", startLine: 1, endLine: 2, why: "it asks" };
const candidate = { id: "c1", tree: "t", kind: "code" as const, origin: "pays all" };
const key = (name: string) => ({ package: "", target: "test_a.py", name });
const failing = (name: string, message: string) => ({
  key: key(name),
  status: "failed" as const,
  durationMs: 1,
  failure: { type: "AssertionError", message, frames: [], text: `${message}\nand its whole trace` },
});

test("after an action only what it changed and does not say itself is said", () => {
  const before: TaskState = { ...emptyState, codePlaces: [place] };
  const after: TaskState = { ...before, codePlaces: [other, place], candidates: [candidate] };
  expect(renderChanges(before, after)).toBe(
    "Code locations:\n- b.py:1-2: it asks\nCandidates:\n- c1: pays all",
  );
  const said = "Found.\n- b.py:1-2: it asks";
  expect(renderChanges(before, { ...before, codePlaces: [other, place] }, said)).toBe("");
  const row = {
    candidate: "c1",
    outcomes: [],
    targets: [],
    broken: undefined,
    invalid: undefined,
    score: [],
  };
  const measured = { ...after, rows: [row] };
  const figures = "0 of 0 tests that show the fault pass";
  expect(renderChanges(after, measured, `Candidate c1: pays all\n\nc1: ${figures}.`)).toBe("");
  expect(renderChanges(after, measured, "c1: pays all")).toBe(`Candidates:\n- c1: pays all; ${figures}`);
});

test("a reproduction that told its tests tells them once", () => {
  const targets = ["Wire > it pays", "Wire > it owes"].map(key);
  const reason = { holds: true, evidence: "they share words" };
  const made = { id: "r1", tree: "t", kind: "reproduction" as const, origin: "2 tests; 1 guard" };
  const after: TaskState = {
    ...emptyState,
    candidates: [made],
    fault: { targets, heldBack: [], baseRuns: [], reason },
  };
  const said = "Reproduction r1: 3 written.\n\ntest_a.py::Wire > it pays fails:\nE\n\nit owes fails: E";
  expect(renderChanges(emptyState, after, said)).toBe("");
  expect(renderChanges(emptyState, after, "Done.")).toContain("it pays, it owes (they share words)");
});

test("the state tells requirements, what review found, what was refuted, and how many tests are held back, not which", () => {
  const state: TaskState = {
    ...emptyState,
    candidates: [candidate],
    requirements: [{ id: "1", text: "an empty list is refused", tests: ["t::a"], changes: [] }],
    reviews: [{ candidate: "c1", findings: [{ check: "mutants", weight: "doubt", text: "3 survive" }] }],
    refuted: [
      {
        way: "elsewhere",
        from: "base",
        candidates: ["c1"],
        places: [place],
        note: "the limit is not read there",
      },
    ],
    fault: {
      targets: [key("test_shown"), key("test_hidden")],
      heldBack: [key("test_hidden")],
      baseRuns: [],
      reason: { holds: true, evidence: "two were written" },
    },
  };
  const text = renderState(state);
  expect(text).toContain("- 1. an empty list is refused (test t::a; no change)");
  expect(text).toContain("- c1: pays all; review: doubt: 3 survive (mutants)");
  expect(text).toContain("- c1: the limit is not read there");
  expect(text).toContain("and 1 more that are held back");
  expect(text).not.toContain("test_hidden");
});

test("tests that fail are told in the words of the kind, and of a kind that has none nothing is", () => {
  const told = (kind: NonNullable<TaskState["kind"]>, fault?: TaskState["fault"]): string =>
    renderState({ ...emptyState, kind, fault });
  expect(told("repair")).toContain("Tests that show the fault: none yet.");
  expect(told("code-generation")).toContain("Tests of the target that fail without it: none yet.");
  expect(told("feature")).toBe("");
  const reason = { holds: true, evidence: "word ".repeat(100) };
  const hidden = { targets: [key("a")], heldBack: [key("a")], baseRuns: [], reason };
  const [line = ""] = told("feature", hidden).split("\n");
  expect(line).toContain("fail without a patch: 1 that are held back (word");
  expect(line.length).toBeLessThan(320);
});

test("what is left out of a failure is kept whole, and named", () => {
  const kept: string[] = [];
  const outputs = { keep: (text: string) => `handle${kept.push(text)}`, find: () => undefined };
  const long = failing("a", Array.from({ length: 900 }, (_, at) => `line ${at}`).join("\n"));
  const [text = ""] = renderFailures([long, failing("b", "two")], outputs);
  expect(text).toContain("(output:handle1 has all 901 lines)");
  expect(kept).toEqual([long.failure.text]);
});

test("the first failure has its whole trace, others a line each", () => {
  const texts = renderFailures([failing("a", "one"), failing("b", "two"), failing("c", "three")]);
  expect(texts[0]).toBe("test_a.py::a fails:\none\nand its whole trace");
  expect(texts[1]).toBe("b fails: AssertionError: two\nc fails: AssertionError: three");
});

test("a test that met a limit of ours is not told as failing", () => {
  const late = { ...failing("b", "the test took longer than 10 s"), status: "timed-out" } as const;
  expect(renderFailures([late])[0]).toContain("timed-out (the test hangs, or is slow):");
  expect(renderFailures([failing("a", "one"), late])[1]).toContain("timed-out (the test hangs, or is slow)");
});

test("tests of one file and group are named after it, and one that came later is no failing one", () => {
  const targets = ["Wire > writes > one", "Wire > writes > two (1, 2)", "Wire > reads > a.b"].map(key);
  const fault = { targets, heldBack: [], baseRuns: [], reason: { holds: true, evidence: "they fail" } };
  expect(renderState({ ...emptyState, fault })).toContain(
    "test_a.py::Wire > writes > one, two (1, 2); test_a.py::Wire > reads > a.b",
  );
  const passed = { key: key("Wire > writes > one"), status: "passed" as const, durationMs: 1 };
  const row = { candidate: "c1", outcomes: [], targets: [passed], broken: [], invalid: undefined, score: [] };
  expect(renderRow(row, { ...fault, heldBack: targets.slice(2) })).toBe(
    "1 of 1 test that shows the fault passes, 0 other tests break, 2 added since then were not run yet",
  );
  expect(renderRow({ ...row, compared: 312 }, undefined)).toContain("0 of 312 other tests break");
  expect(renderRow({ ...row, broken: ["a.py::b"], compared: 1 }, undefined)).toContain(
    "1 of 1 other test breaks (a.py::b)",
  );
  expect(renderRow({ ...row, broken: ["a.py::b", "a.py::c"] }, undefined)).toContain(
    "2 other tests break (a.py::b, a.py::c)",
  );
});

test("the state keeps runs of sets, chosen tests and commands, the newest of equal ones, and names no held-back test", () => {
  const run = (ran: string | undefined, told: string, failed: readonly string[] = []) => ({
    ...{ candidate: "c1+r1", targets: [], broken: undefined, invalid: undefined, score: [], told },
    ...{ outcomes: failed.map((name) => failing(name, "no")), ...(ran === undefined ? {} : { ran }) },
  });
  const state: TaskState = {
    ...emptyState,
    candidates: [candidate],
    fault: { targets: [], heldBack: [key("hidden")], baseRuns: [], reason: { holds: true, evidence: "" } },
    rows: [
      run("a_test.py", "0 of 1 test passes, 1 fails"),
      run(undefined, "1 of 3 tests passes, 2 fail", ["hidden", "pays"]),
      run("`make`", "ends with exit code 2"),
      run("a_test.py", "1 of 1 test passes"),
    ],
  };
  const [, told] = renderState(state).split("Test runs:\n");
  expect(told?.split("\n")).toEqual([
    "- c1+r1, a_test.py: 1 of 1 test passes",
    "- c1+r1: 1 of 3 tests passes, 2 fail; failing: test_a.py::pays",
    "- c1+r1, `make`: ends with exit code 2",
  ]);
  // The reply of the action shows the failures.
  const before = { ...state, rows: [] };
  const reply = "c1+r1, a_test.py: 1 of 1 test passes. c1+r1: 1 of 3 tests passes, 2 fail.";
  expect(renderChanges(before, { ...state, rows: state.rows.slice(1, 2) }, reply)).toBe("");
});

test("a skipped test does not look like a failing one", () => {
  const targets = [failing("pays", "no"), { key: key("windows"), status: "skipped" as const, durationMs: 0 }];
  const row = {
    candidate: "c1",
    outcomes: targets,
    targets,
    broken: undefined,
    invalid: undefined,
    score: [],
  };
  expect(renderRow(row, undefined)).toBe("0 of 2 tests that show the fault pass, 1 is skipped");
});

test("failures that a message leaves out stay readable under a handle", () => {
  const kept: string[] = [];
  const outputs = { keep: (text: string) => `h${kept.push(text)}`, find: () => undefined };
  const failed = Array.from({ length: 11 }, (_, at) => failing(`t${at}`, `no ${at}`));
  expect(renderFailures(failed, outputs).at(-1)).toBe("… and 2 more (output:h1).");
  expect(kept).toEqual(["t9 fails: AssertionError: no 9\nt10 fails: AssertionError: no 10"]);
  expect(renderFailures(failed).at(-1)).toBe("… and 2 more.");
});
