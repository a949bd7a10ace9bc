import { expect, it } from "vitest";
import { type Agreement, isUndecided } from "../../repair/agreement.ts";
import { type Choice, choosePlausible, type Known } from "./choose.ts";
import type { Judged } from "./search.ts";

const base = "key = operator + version\nif key in cache:\n    return cache[key]\n";

/** A patch of `base` that passes every test. */
function plausible(rank: number, before: string, replacement: string, prior: number): Judged {
  const start = base.indexOf(before);
  const line = base.slice(0, start).split("\n").length;
  return {
    rank,
    proposal: {
      ...{ file: "m.py", base, start, end: start + before.length, replacement, line, statementLine: line },
      ...{ template: "test", description: "", prior, likeness: 1 },
    },
    candidate: { id: `c${rank + 1}`, tree: `tree-${rank}`, kind: "code", origin: "test" },
    verdict: { verdict: "plausible", fixed: 1, turned: [], othersFixed: 0, broken: [] },
  };
}

const swapped = plausible(0, "operator + version", "version + operator", 0.5);
const bypassed = plausible(1, "key in cache", "operator in cache", 0.4);

function agree(inputs: number, alike: readonly number[]): Agreement {
  const none = { trusted: 0, kept: 0, passing: 0, passingKept: 0, shifted: 0, broken: 0 };
  return { ...none, inputs, others: alike.length, alike, share: 1, near: inputs, nearKept: inputs };
}

function gravesOf({ reservations = [] }: Choice): string[] {
  return reservations.filter(({ isGrave }) => isGrave).map(({ says }) => says);
}

function comparedOn(inputs: number): Known {
  return {
    agreements: new Map([
      [swapped, agree(inputs, [2])],
      [bypassed, agree(inputs, [1])],
    ]),
  };
}

it("does not prefer one of two places where too few inputs run the changed code", () => {
  expect(isUndecided({ inputs: 10 })).toBe(true);
  expect(gravesOf(choosePlausible([swapped, bypassed], comparedOn(10)))).toEqual([
    expect.stringMatching(/patches at other places pass every test too/),
  ]);
  expect(gravesOf(choosePlausible([swapped, bypassed], comparedOn(40)))).toEqual([]);
  expect(gravesOf(choosePlausible([swapped], comparedOn(10)))).toEqual([]);
  // Tests that show no values give one result for many inputs.
  expect(isUndecided({ inputs: 40, distinct: 2 })).toBe(true);
});

it("prefers a patch whose condition the tests need", () => {
  const known = { simpler: new Map([[swapped, "if the patch's condition is always `false`"]]) };
  expect(choosePlausible([swapped, bypassed], known).plausible[0]).toBe(bypassed);
  expect(gravesOf(choosePlausible([swapped], known))).toEqual([
    "the tests also pass if the patch's condition is always `false`",
  ]);
});

it("does not believe a patch that nothing tells from one whose statement the tests do not need", () => {
  const simpler = new Map([[swapped, "without the changed statement"]]);
  const alike = choosePlausible([swapped, bypassed], { ...comparedOn(40), simpler });
  expect(alike.plausible[0]).toBe(bypassed);
  expect(gravesOf(alike)).toEqual([
    "the tests also pass without the changed statement, in a patch with the same results on all inputs",
  ]);
  const agreements = new Map([[bypassed, { ...agree(40, []), others: 1 }]]);
  const unlike = choosePlausible([swapped, bypassed], { agreements, simpler });
  expect(gravesOf(unlike).filter((says) => says.startsWith("the tests"))).toEqual([]);
});

it("does not believe a condition if no time was left to check whether the tests need it", () => {
  expect(gravesOf(choosePlausible([bypassed], { unchecked: new Set([bypassed]) }))).toEqual([
    "no time was left to check whether the tests need the changed condition, statement or number",
  ]);
});

it("believes no added comparison with a literal of its own on few inputs", () => {
  const guess = plausible(0, "key in cache", "key in cache or version <= 3", 0.5);
  const on = (inputs: number): Known => ({ agreements: new Map([[guess, agree(inputs, [])]]) });
  const says = [
    "the patch adds a comparison with 3, and too few inputs reach the changed code to confirm this value",
  ];
  expect(gravesOf(choosePlausible([guess], on(7)))).toEqual(says);
  expect(gravesOf(choosePlausible([guess]))).toEqual(says);
  expect(gravesOf(choosePlausible([guess], on(40)))).toEqual([]);
  const usual = plausible(1, "key in cache", "key in cache and version", 0.1);
  expect(choosePlausible([guess, usual]).plausible[0]).toBe(usual);
});

it("believes no entry with a word of the failing test, on any number of inputs", () => {
  const changed = plausible(0, "key in cache", "key in cache or key", 0.5);
  const entry = { ...changed, proposal: { ...changed.proposal, template: "tested-entry" } };
  const agreements = new Map([[entry, agree(40, [])]]);
  expect(gravesOf(choosePlausible([entry], { agreements }))).toEqual([
    "the patch adds an entry with a word of the failing test, which no other test supports",
  ]);
});

it("judges equal changes at several places by the form of one", () => {
  const { proposal: one, ...rest } = plausible(0, "key in cache", "key in key", 0.5);
  const guess = plausible(1, "if key in cache", "if key in cache or version <= 3", 0.5);
  const wide = { start: 0, end: base.length, replacement: base.replace("key in cache", "key in key") };
  const widened = { ...rest, proposal: { ...one, ...wide, one: guess.proposal } };
  expect(gravesOf(choosePlausible([widened]))).toEqual([
    "the patch adds a comparison with 3, and too few inputs reach the changed code to confirm this value",
  ]);
});

it("believes no patch that only the failing test runs", () => {
  const run = (inputs: number, near: number): Known => ({
    agreements: new Map([[bypassed, { ...agree(inputs, []), near, nearKept: near }]]),
  });
  expect(gravesOf(choosePlausible([bypassed], run(12, 0)))).toEqual([
    "no passing test calls the changed code",
  ]);
  expect(gravesOf(choosePlausible([bypassed], run(12, 3)))).toEqual([]);
  expect(gravesOf(choosePlausible([bypassed], run(40, 0)))).toEqual([]);
});
