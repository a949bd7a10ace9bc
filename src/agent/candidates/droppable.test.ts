import { expect, it } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { RunEvent } from "../../domain/run-event.ts";
import type { TaskKind } from "../../domain/task.ts";
import type { TestKey, TestOutcome } from "../../domain/test-outcome.ts";
import { findPlaceForTests } from "../code/test-place.ts";
import type { Recorder } from "../record/recorder.ts";
import { emptyState, type MatrixRow, type TaskState } from "../state/task-state.ts";
import { dropTest, findReplaced, listDroppable, replaceTests } from "./droppable.ts";
import { tellRow } from "./tell-row.ts";
import { chooseHeldBack } from "./written-tests.ts";

const key = (name: string): TestKey => ({ package: "", target: "test_a.py", name });
const keys = ["a", "b", "c"].map(key);
const fault = { targets: keys, heldBack: [key("c")], baseRuns: [], reason: { holds: true, evidence: "" } };

function row(candidate: string, passing: string, broken: string[] = []): MatrixRow {
  const targets = keys.map(
    (each): TestOutcome => ({
      key: each,
      status: passing.includes(each.name) ? "passed" : "failed",
      durationMs: 1,
    }),
  );
  return { candidate, outcomes: targets, targets, broken, invalid: undefined, score: [] };
}

function stateOf(...rows: MatrixRow[]): TaskState {
  const candidates = rows.map(({ candidate }) => ({
    id: candidate,
    tree: candidate,
    kind: "code" as const,
    origin: "",
  }));
  return { ...emptyState, fault, rows, candidates };
}

const droppable = (own: string[], ...rows: MatrixRow[]): string[] =>
  listDroppable(stateOf(...rows), rows.at(-1) as MatrixRow, new Set(own)).map(({ name }) => name);

it("offers a written test to be dropped where a candidate passes all others and none passes it", () => {
  expect(droppable([], row("c1", "a"), row("c2", "ab"))).toEqual(["c"]);
  expect(droppable([], row("c1", "c"), row("c2", "ab"))).toEqual([]);
  expect(droppable([], row("c2", "ab", ["x"]))).toEqual([]);
  expect(droppable([], row("c2", ""))).toEqual([]);
  expect(droppable(["test_a.py::c"], row("c2", "ab"))).toEqual([]);
});

it("offers a written guard that no candidate passes, where nothing else is broken", () => {
  const guard: TestOutcome = { key: key("g"), status: "passed", durationMs: 1 };
  const guarded = { ...stateOf(row("c1", "abc", ["test_a.py::g"])), fault: { ...fault, guards: [guard] } };
  const offered = (each: MatrixRow, ...more: MatrixRow[]) =>
    listDroppable({ ...guarded, rows: [...guarded.rows, ...more] }, each, new Set()).map(({ name }) => name);
  expect(offered(row("c1", "abc", ["test_a.py::g"]))).toEqual(["g"]);
  expect(offered(row("c1", "abc", ["test_a.py::g", "test_a.py::x"]))).toEqual([]);
  const passed = { ...row("c1", "ab"), outcomes: [guard] };
  expect(offered(row("c1", "abc", ["test_a.py::g"]), passed)).toEqual([]);
  expect(dropTest(guarded.fault, "test_a.py::g").guards).toEqual([]);
});

it("replaces by another only a written test that no candidate passes, and says so", () => {
  const state = stateOf(row("c1", "a"), row("c2", "ab"));
  const find = (...names: string[]) => findReplaced({ suite: partOf({ outcomes: [] }) }, state, names);
  expect(find("c", "a")).toMatchObject({ ok: false });
  const found = find("test_a.py::c");
  const events: RunEvent[] = [];
  const recorder = partOf<Recorder>({ events, append: (event) => events.push({ ...event, at: 0 }) });
  const left = replaceTests({ recorder }, state, found.ok ? found.value : [], "r2");
  expect(left.fault?.targets.map(({ name }) => name)).toEqual(["a", "b"]);
  expect(left.assumptions.join()).toContain("test_a.py::c was dropped");
  expect(events.length).toBe(1);
});

it("replaces no guard by a test that fails without a patch, and names none that is held back", () => {
  const guard: TestOutcome = { key: key("g"), status: "passed", durationMs: 1 };
  const broken = row("c1", "abc", ["test_a.py::g"]);
  const guarded = { ...stateOf(broken), fault: { ...fault, guards: [guard] } };
  const find = (state: TaskState, name: string) =>
    findReplaced({ suite: partOf({ outcomes: [] }) }, state, [name]);
  expect(find(guarded, "g")).toMatchObject({ ok: false, message: expect.stringContaining("`review-patch`") });
  const held = find(stateOf(row("c1", "a")), "none");
  expect(held.ok ? "" : held.message).toMatch(/test_a\.py::b\./);
  expect(held.ok ? "" : held.message).not.toContain("test_a.py::c");
});

it("tells of a doubtful test only the ways out that there are", () => {
  const state = stateOf(row("c1", "a"), row("c2", "ab"));
  const tell = (kind: TaskKind, ...without: string[]): string =>
    tellRow(
      partOf({ recorder: {}, suite: { outcomes: [] }, switches: { without }, task: { kind } }),
      state,
      row("c2", "ab"),
    );
  expect(tell("repair")).toMatch(
    /`reproduction` can replace such a test, and `review-patch` of this candidate can/,
  );
  expect(tell("repair", "reproduction")).not.toContain("`reproduction`");
  expect(tell("repair", "review-patch")).toContain("`reproduction` can replace such a test.");
  expect(tell("feature")).not.toContain("`reproduction`");
  expect(tell("feature", "review-patch")).not.toContain("may itself be wrong");
});

it("takes what a given attempt fails for no sign of a wrong test before another patch fails it too", () => {
  const state = stateOf(row("c1", "ab"));
  const given = state.candidates.map((each) => ({ ...each, origin: "the given attempt" }));
  const tell = (candidates: TaskState["candidates"]): string =>
    tellRow(
      partOf({ recorder: {}, suite: { outcomes: [] }, switches: { without: [] }, task: { kind: "repair" } }),
      { ...state, candidates },
      row("c1", "ab"),
    );
  expect(tell(state.candidates)).toContain("may itself be wrong");
  expect(tell(given.slice(0, 1))).not.toContain("may itself be wrong");
});

it("drops a test from what is asked, and from what is held back", () => {
  const left = dropTest(fault, "test_a.py::c");
  expect([left.targets.length, left.heldBack.length]).toEqual([2, 0]);
});

it("holds back about a third, at least one of two, and never the only one", () => {
  const many = (count: number): TestKey[] => Array.from({ length: count }, (_, index) => key(`t${index}`));
  const counts = [1, 2, 3, 4, 5, 6, 9].map((count) => chooseHeldBack(many(count), "third").length);
  expect(counts).toEqual([0, 1, 1, 1, 2, 2, 3]);
  expect(chooseHeldBack(many(3).toReversed(), "third")).toEqual(chooseHeldBack(many(3), "third"));
  expect(chooseHeldBack(many(3), "all").length).toBe(3);
});

it("says where tests cannot stand in a file of their own", () => {
  expect(findPlaceForTests({ framework: "cargo-test", command: "cargo test" }, ["src/main.rs"])).toContain(
    "no library target",
  );
  expect(findPlaceForTests({ framework: "cargo-test", command: "cargo test" }, ["src/lib.rs"])).toMatch(
    /^The command builds with the default features\. Files in `tests\/`/,
  );
  expect(findPlaceForTests({ framework: "pytest", command: "pytest" }, ["a.py"])).toBeUndefined();
});
