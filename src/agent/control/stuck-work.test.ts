import { expect, test } from "vitest";
import type { Span } from "../code/diff-spans.ts";
import { emptyState, type MatrixRow, type Refutation, type TaskState } from "../state/task-state.ts";
import { offersOf, refuse, refuseSpans, tabuPlaces } from "./controller.ts";
import { type Done, findStuck, findVainEdits, type Spans } from "./stuck-work.ts";

/** Candidates by id, each with its score and the lines of one file that it changes; undefined: not measured. */
type Made = readonly [id: string, score: number[] | undefined, lines: [number, number][], parent?: string];

function work(...made: readonly Made[]) {
  const row = (candidate: string, score: number[]): MatrixRow => ({
    ...{ candidate, score, outcomes: [], targets: [], broken: undefined, invalid: undefined },
  });
  const state: TaskState = {
    ...emptyState,
    candidates: made.map(([id, , , parent]) => ({
      ...{ id, tree: id, kind: "code" as const, origin: id === "g" ? "the given attempt" : id },
      ...(parent === undefined ? {} : { parent }),
    })),
    rows: made.flatMap(([id, score]) => (score === undefined ? [] : [row(id, score)])),
  };
  const spans: Spans = new Map(made.map(([id, , lines]) => [id, lines.map(([a, b]) => span(a, b))]));
  return { state, spans };
}

const span = (startLine: number, endLine: number): Span => ({ file: "a.py", startLine, endLine });
const did = (action: string, rest: Partial<Done> = {}): Done => ({
  ...{ action, input: {}, text: "it", isError: false, unmet: undefined, raised: false },
  ...rest,
});
const left = (
  way: Refutation["way"],
  candidates: string[],
  [start, end]: [number, number],
  from = "base",
) => ({
  ...{ way, from, candidates, note: "" },
  places: [{ ...span(start, end), why: "" }],
});

const tries: readonly [string, readonly (number | undefined)[], readonly number[], readonly string[]][] = [
  ["three that overlap and raise nothing", [0, 0, 0], [10, 12, 11], ["c1", "c2", "c3"]],
  ["the second raised the best score", [0, 1, 0], [10, 10, 10], ["c3"]],
  ["the first was worth something, those after it no more", [1, 1, 0], [10, 10, 10], ["c2", "c3"]],
  ["one of them is elsewhere", [0, 0, 0], [10, 40, 10], ["c1", "c3"]],
  ["one was not measured", [0, undefined, 0], [10, 10, 10], ["c1", "c3"]],
];
test.for(tries)("edits in vain: %s", ([, scores, lines, expected]) => {
  const made = scores.map((score, index): Made => {
    const start = lines[index] ?? 0;
    return [`c${index + 1}`, score === undefined ? undefined : [score], [[start, start + 3]]];
  });
  const { state, spans } = work(...made);
  expect(findVainEdits(state, spans).candidates).toEqual(expected);
  expect(findStuck(state, [], spans) !== undefined).toBe(expected.length === 3);
});

test("of one that breaks tests, what comes after it is not in vain before all tests were run on it", () => {
  const whole = (state: TaskState, id: string): TaskState => ({
    ...state,
    rows: state.rows.map((row) => (row.candidate === id ? { ...row, broken: ["t"] } : row)),
  });
  const unknown = -Number.MAX_SAFE_INTEGER;
  const { state, spans } = work(
    ["c1", [2, -3], [[5, 9]]],
    ["c2", [2, unknown], [[5, 9]]],
    ["c3", [1, unknown], [[6, 9]]],
  );
  expect(findVainEdits(whole(state, "c1"), spans).candidates).toEqual(["c3"]);
});

test("the lines that more than one of them changes are left, and those of one alone are not", () => {
  const { state, spans } = work(
    [
      "c1",
      [0],
      [
        [5, 9],
        [50, 50],
      ],
    ],
    ["c2", [0], [[8, 12]]],
    ["c3", [0], [[9, 9]]],
  );
  expect(findVainEdits(state, spans).places).toEqual([span(5, 12)]);
});

test.for([
  ["the same three times", [did("a"), did("b"), did("a"), did("a")], /^a ran 3 times/],
  ["other words", [did("a"), did("a", { input: { n: 1 } }), did("a", { text: "other" })], undefined],
  [
    "failures that differ in a number",
    ["1 s", "2 s", "3 s"].map((text) => did("a", { isError: true, text })),
    /^a failed 3 times/,
  ],
  ["ping-pong", [did("a"), did("b"), did("a"), did("b")], /^a and b alternated/],
  ["with news between", [did("a"), did("a"), did("b", { raised: true }), did("a")], undefined],
  ["after a way back", [did("a"), did("a"), did("backtrack"), did("a")], undefined],
  [
    "finish twice",
    [did("finish", { unmet: ["p"], raised: true, text: "1" }), did("b"), did("finish", { unmet: ["p"] })],
    /refused twice for the same reason: p/,
  ],
  [
    "the second raised the score",
    [did("finish", { unmet: ["p"], text: "1" }), did("b"), did("finish", { unmet: ["p"], raised: true })],
    undefined,
  ],
  [
    "for something else",
    [did("finish", { unmet: ["p", "q"], text: "1" }), did("finish", { unmet: ["p"] })],
    undefined,
  ],
] as const)("actions: %s", ([, history, sign]) => {
  const found = findStuck(emptyState, history, new Map())?.sign;
  if (sign === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(sign);
});

test("the ways back: no fork without another candidate, no second idea for the same lines", () => {
  const { state, spans } = work(["c1", [1], [[80, 80]]], ["c2", [0], [[5, 5]]]);
  const vain = findVainEdits(state, spans);
  expect(offersOf(state, vain)).toEqual(["fork", "elsewhere", "hypothesis"]);
  const again = { ...state, refuted: [left("hypothesis", ["c0"], [4, 6])] };
  expect(offersOf(again, vain)).toEqual(["fork", "elsewhere"]);
  expect(offersOf(emptyState, { candidates: [], places: [] })).toEqual(["hypothesis"]);
});

test("lines that were left are refused, but for a candidate that changes them itself", () => {
  const state = {
    ...emptyState,
    refuted: [left("elsewhere", ["c1"], [5, 9]), left("fork", ["c2"], [20, 20], "c1")],
  };
  expect(refuseSpans(tabuPlaces(state, []), [span(9, 12)])).toContain("a.py:9-12");
  expect(refuseSpans(tabuPlaces(state, []), [span(3, 6), span(20, 20)])).toBeUndefined();
  expect(tabuPlaces(state, [span(6, 6)])).toEqual([]);
});

test("nothing is made from what is refuted until a fork goes back to it, and an attempt is built upon once", () => {
  const { state, spans } = work(["g", [1], [[1, 1]]], ["c2", [1], [[1, 1]], "g"]);
  const ask = (now: TaskState, from: string): string | undefined =>
    refuse({ state: now, spans, history: [], hopeless: undefined }, { name: "edit-code" }, { from });
  expect(ask(state, "c2")).toContain("First write a patch without the attempt");
  expect(ask(state, "base")).toBeUndefined();
  const own = { id: "c3", tree: "c3", kind: "code" as const, origin: "own" };
  const tried = { ...state, candidates: [...state.candidates, own] };
  expect(ask(tried, "c2")).toBeUndefined();
  const refuted = { ...tried, refuted: [left("elsewhere", ["c2"], [1, 1])] };
  expect(ask(refuted, "c2")).toContain("c2 is refuted");
  expect(
    ask({ ...refuted, refuted: [...refuted.refuted, left("fork", ["c3"], [9, 9], "c2")] }, "c2"),
  ).toBeUndefined();
});
