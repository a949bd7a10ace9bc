import { expect, it } from "vitest";
import type { Baseline } from "../../agent/baseline.ts";
import type { TestOutcome } from "../../domain/test-outcome.ts";
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
    text: text.slice(0, start) + replacement + text.slice(start + 1),
  };
}

/** A compiler that complains at a place of no candidate whenever `guilty` is in the program. */
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
  const baseline = {
    outcomes: [target],
    targets: [target],
    durationMs: 1,
    command: {},
  } as unknown as Baseline;
  const screen = {
    context: { workspace, limits: { remainingMs: () => 1000 } },
    bench: { runBatch },
    baseline,
    batch: { kind: "switch", size: 10 },
  } as unknown as Screen;
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
