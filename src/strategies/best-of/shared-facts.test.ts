import { expect, test } from "vitest";
import { emptyState, type Fact, type TaskState } from "../../agent/state/task-state.ts";
import type { TestKey } from "../../domain/test-outcome.ts";
import { factsFor, hasUserAnswered } from "./shared-facts.ts";

const key = (name: string): TestKey => ({ package: "", target: "tests/test_a.py", name });
const failing = (name: string) => ({ key: key(name), status: "failed" as const, durationMs: 1 });
const written = [{ id: "1.r1", tree: "t", kind: "reproduction" as const, origin: "shown" }];
const run = (id: string, state: Partial<TaskState>) => ({
  arm: { id },
  state: { ...emptyState, ...state },
  candidates: written,
});
const fault = {
  targets: [key("seen"), key("hidden")],
  heldBack: [key("hidden")],
  baseRuns: [[failing("seen"), failing("hidden")]],
  reason: { holds: true, evidence: "the type ValueError" },
};
const refuted = [
  { way: "elsewhere" as const, from: "base", candidates: ["c1"], places: [], note: "not here at a.py:3" },
];

test("an arm hears what those before it measured, once, and no test that is held back", () => {
  const known: Fact = { kind: "project", text: "Known before" };
  const python: Fact = { kind: "project", text: "Python 3.12" };
  const traced: Fact = { kind: "trace", of: "c1", text: "Traced on c1: pay" };
  const onBase: Fact = { kind: "trace", of: "base", text: "Traced on base: pay" };
  const first = run("1", { fault, refuted, facts: [known, python, traced, onBase] });
  const told = factsFor([first], "repair", [known]);
  const facts = told.map(({ text }) => text);
  expect(facts).toHaveLength(4);
  expect(facts[0]).toMatch(
    /showed the fault on the base in two runs \(the type ValueError\): .*seen\. .*arm 1\)$/,
  );
  expect(facts.join()).not.toContain("hidden");
  expect(facts.slice(1)).toEqual([
    "Tried without success: not here at a.py:3 (from arm 1)",
    "Python 3.12 (from arm 1)",
    "Traced on base: pay (from arm 1)",
  ]);
  expect(told.map(({ kind }) => kind)).toEqual(["project", "vain", "project", "trace"]);
  const second = run("2", { facts: told });
  expect(factsFor([first, second], "repair", [known])).toEqual(told);
});

test("of a partial fix nothing refuted is told, and the user is asked by one arm", () => {
  const asked = run("1", { refuted, assumptions: ["All of it? yes (the user's answer)"] });
  expect(factsFor([asked], "partial-fix", []).map(({ text }) => text)).toEqual([
    "The run asked the user: All of it? yes (the user's answer) (from arm 1)",
  ]);
  expect(hasUserAnswered([asked])).toBe(true);
  expect(hasUserAnswered([run("1", { assumptions: ["All of it? yes (no answer from the user)"] })])).toBe(
    false,
  );
});
