import { expect, it } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { Baseline } from "../../agent/measure/baseline.ts";
import type { TestKey, TestOutcome } from "../../domain/test-outcome.ts";
import type { BatchReport } from "../../languages/contract.ts";
import type { PreparedProposal } from "./proposals.ts";
import { type Screen, screenProposals } from "./screening.ts";

const text = "function f(a) {\n  return a;\n}\n";
const target: TestOutcome = {
  key: { package: "", target: "a.test.js", name: "adds" },
  status: "failed",
  durationMs: 1,
};

function proposal(number: number): PreparedProposal {
  const start = text.indexOf("return a") + "return ".length;
  const replacement = `a + ${number}`;
  return {
    file: "a.js",
    start,
    end: start + 1,
    replacement,
    line: 2,
    statementLine: 2,
    template: "add-operand",
    description: replacement,
    prior: 1,
    likeness: 1,
    base: text,
  };
}

/** A compiler that complains about a place outside all candidates whenever the program contains `guilty`. */
function screenWith(guilty: number): { screen: Screen; builds: number[][] } {
  const builds: number[][] = [];
  const runBatch = async (_: unknown, __: unknown, request: { candidates: readonly { id: number }[] }) => {
    const ids = request.candidates.map(({ id }) => id);
    builds.push(ids);
    const complaints = ids.includes(guilty) ? [{ file: "a.js", line: 1, message: "f is left unset" }] : [];
    const outcomes = new Map(ids.map((id) => [id, [target]]));
    return {
      complaints,
      outcomes: complaints.length > 0 ? new Map() : outcomes,
      invalid: undefined,
    } as BatchReport;
  };
  const workspace = { base: "base", trees: { write: async () => "tree" } };
  const baseline = partOf<Baseline>({
    outcomes: [target],
    targets: [target],
    durationMs: 1,
    command: {},
  });
  const screen = partOf<Screen>({
    context: { workspace, limits: { remainingMs: () => 1000 } },
    executor: { runBatch },
    baseline,
    batch: { kind: "schema", size: 10 },
    coverage: new Map(),
  });
  return { screen, builds };
}

it("finds the candidate that keeps a program from building though no complaint is in its text", async () => {
  const chunk = [0, 1, 2, 3, 4, 5, 6, 7].map((rank) => ({ rank, proposal: proposal(rank) }));
  const { screen, builds } = screenWith(6);
  const { results, remark } = await screenProposals(screen, chunk);
  expect(results.map(({ rank }) => rank)).toEqual([0, 1, 2, 3, 4, 6, 7]);
  expect(results.every(({ result }) => result === "fails")).toBe(true);
  expect(remark).toMatch(/does not build: a.js:1: f is left unset/);
  expect(builds.length).toBeLessThanOrEqual(7);
});

it("first takes out those with words of such a complaint", async () => {
  const named = (rank: number, replacement: string) => ({
    rank,
    proposal: { ...proposal(rank), replacement },
  });
  // The complaint says "f is left unset".
  const chunk = [named(0, "a + 1"), named(1, "f"), named(2, "a + 2"), named(3, "a + 3")];
  const { screen, builds } = screenWith(2);
  const { results } = await screenProposals(screen, chunk);
  expect(results.map(({ rank }) => rank).toSorted()).toEqual([0, 2, 3]);
  expect(builds).toEqual([[1, 2, 3, 4], [1, 3, 4], [2]]);
});

it("asks the tests that run the changed statement once the failing ones pass, and takes out what breaks them", async () => {
  const other: TestOutcome = { key: { ...target.key, name: "keeps" }, status: "passed", durationMs: 1 };
  const asked: string[][] = [];
  const runBatch = async (
    _: unknown,
    __: unknown,
    { candidates, tests }: { candidates: readonly { id: number }[]; tests: readonly TestKey[] },
  ) => {
    asked.push(tests.map(({ name }) => name));
    const isTargets = tests[0]?.name === target.key.name;
    const statusOf = (id: number): TestOutcome["status"] =>
      isTargets ? (id === 4 ? "failed" : "passed") : id === 2 ? "failed" : "passed";
    const outcomes = candidates.map(
      ({ id }) => [id, tests.map((key) => ({ key, status: statusOf(id), durationMs: 1 }))] as const,
    );
    return partOf<BatchReport>({ complaints: [], outcomes: new Map(outcomes), invalid: undefined });
  };
  const { screen } = screenWith(-1);
  const baseline = { ...screen.baseline, outcomes: [target, other] };
  const coverage = new Map([["a.test.js::keeps", { "a.js": [2] }]]);
  const chunk = [0, 1, 2, 3].map((rank) => ({ rank, proposal: proposal(rank) }));
  const executor = partOf<Screen["executor"]>({ runBatch });
  const { results } = await screenProposals({ ...screen, baseline, coverage, executor }, chunk);
  expect(asked).toEqual([["adds"], ["keeps"]]);
  expect(results.map(({ result }) => result)).toEqual(["passes", "breaks", "passes", "fails"]);
  expect(results[1]?.broken).toEqual(["a.test.js::keeps"]);
});

it("asks them for a single candidate, and for one that repairs some tests, where all tests take long", async () => {
  const named = (name: string, status: TestOutcome["status"]): TestOutcome => ({
    key: { ...target.key, name },
    status,
    durationMs: 1,
  });
  const targets = [named("adds", "failed"), named("subtracts", "failed")];
  const keeps = named("keeps", "passed");
  const asked: number[][] = [];
  // By candidate, the tests that pass.
  const passed: Readonly<Record<number, readonly string[]>> = {
    1: ["adds", "subtracts"],
    2: ["adds"],
    3: [],
  };
  const runBatch = async (
    _: unknown,
    __: unknown,
    { candidates, tests }: { candidates: readonly { id: number }[]; tests: readonly TestKey[] },
  ) => {
    asked.push(candidates.map(({ id }) => id).slice(0, 3));
    const statusOf = (id: number, { name }: TestKey) =>
      passed[id]?.includes(name) === false ? ("failed" as const) : ("passed" as const);
    const outcomes = candidates.map(
      ({ id }) => [id, tests.map((key) => ({ key, status: statusOf(id, key), durationMs: 1 }))] as const,
    );
    return partOf<BatchReport>({ complaints: [], outcomes: new Map(outcomes), invalid: undefined });
  };
  const { screen } = screenWith(-1);
  const chunk = [0, 1, 2].map((rank) => ({ rank, proposal: proposal(rank) }));
  const coverage = new Map([["a.test.js::keeps", { "a.js": [2] }]]);
  const run = async (durationMs: number) => {
    asked.length = 0;
    const baseline = { ...screen.baseline, targets, outcomes: [...targets, keeps], durationMs };
    const executor = partOf<Screen["executor"]>({ runBatch });
    const { results } = await screenProposals({ ...screen, baseline, coverage, executor }, chunk);
    return { results: results.map(({ result }) => result), second: asked[1]?.filter((id) => id < 10) };
  };
  expect(await run(100)).toEqual({ results: ["passes", "fails", "fails"], second: undefined });
  expect(await run(30_000)).toEqual({ results: ["breaks", "breaks", "fails"], second: [1, 2] });
});

it("asks them for a single candidate where the build is kept", async () => {
  const keeps: TestOutcome = { key: { ...target.key, name: "keeps" }, status: "passed", durationMs: 1 };
  const run = async (keepsBuild: boolean) => {
    const asked: { tests: string[]; failing: string[] | undefined }[] = [];
    const runBatch = async (
      _: unknown,
      __: unknown,
      request: {
        candidates: readonly { id: number }[];
        tests: readonly TestKey[];
        failing?: readonly TestKey[];
      },
    ) => {
      const { candidates, tests, failing } = request;
      asked.push({ tests: tests.map(({ name }) => name), failing: failing?.map(({ name }) => name) });
      const outcomes = candidates.map(
        ({ id }) => [id, tests.map((key) => ({ key, status: "passed" as const, durationMs: 1 }))] as const,
      );
      return partOf<BatchReport>({ complaints: [], outcomes: new Map(outcomes), invalid: undefined });
    };
    const { screen } = screenWith(-1);
    const baseline = { ...screen.baseline, outcomes: [target, keeps] };
    const coverage = new Map([["a.test.js::keeps", { "a.js": [2] }]]);
    const executor = partOf<Screen["executor"]>({ runBatch });
    const batch = { ...screen.batch, keepsBuild };
    await screenProposals({ ...screen, baseline, coverage, executor, batch }, [
      { rank: 0, proposal: proposal(0) },
    ]);
    return asked;
  };
  const targets = { tests: ["adds"], failing: ["adds"] };
  expect(await run(false)).toEqual([targets]);
  expect(await run(true)).toEqual([targets, { tests: ["keeps"], failing: [] }]);
});
