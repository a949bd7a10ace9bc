import { expect, test } from "vitest";
import type { BatchTry } from "../batch-document.ts";
import { renderBatches } from "../batch-tables.ts";
import { overlapOf } from "../reported-arms.ts";
import type { RunWork, WorkPart } from "./run-work.ts";
import { correlateTimeAndCost, summariseWork } from "./summarise-work.ts";

function made(
  id: string,
  resolved: boolean,
  work?: Partial<RunWork>,
  more: Partial<BatchTry> = {},
): BatchTry {
  return {
    ...{ id, strategy: "unified", model: "m", attempt: 1, reason: "", run: id, gradingSeconds: 1 },
    ...{ agentSeconds: 10, verdict: null, outcome: resolved ? "resolved" : "unresolved" },
    usage: { calls: 1, inputTokens: 900, cachedTokens: 0, outputTokens: 100, usd: 0.5 },
    ...(work === undefined ? {} : { work: { parts: [], sequences: [], ...work } }),
    ...more,
  };
}
const part = (name: string, uses: number, tokens: number, usd: number, seconds: number): WorkPart => ({
  ...{ name, uses, failed: 0, tokens, usd, seconds },
});

const tries = [
  made("a", true, {
    parts: [part("edit-code", 2, 600, 0.6, 30), part("trace", 1, 100, 0.1, 12)],
    sequences: [["trace", "edit-code", "edit-code"]],
    reproduction: { isShown: true, runs: 5 },
    compileErrors: { reproduction: { E0433: 2 }, other: { E0599: 1 } },
    located: { files: 2, lines: 30, file: true, function: true, snippet: true },
  }),
  made("b", true, {
    parts: [part("edit-code", 1, 200, 0.2, 10)],
    sequences: [["edit-code"]],
    reproduction: { isShown: true, runs: 2 },
    located: { files: 1, lines: 10, file: true, snippet: false },
  }),
  made("c", false, {
    parts: [part("edit-code", 1, 100, 0.1, 20)],
    sequences: [["edit-code", "trace"]],
    reproduction: { isShown: false, runs: 0, cause: "never ran" },
    compileErrors: { reproduction: {}, other: { E0599: 1 } },
    located: { files: 3, lines: 20, file: false, function: false, snippet: false },
  }),
  made("d", false),
];

test("the shares, means and counts of actions are those computed by hand", () => {
  const found = summariseWork(tries);
  expect(found?.attempts).toBe(3);
  const [edit, trace] = found?.parts ?? [];
  expect(edit).toMatchObject({
    ...{ name: "edit-code", uses: 4, used: { count: 3, of: 3 }, resolved: { count: 2, of: 3 } },
    each: { seconds: 15, tokens: 225, usd: expect.closeTo(0.225) },
    perAttempt: { seconds: 20, tokens: 300, usd: expect.closeTo(0.3) },
    ...{ tokenShare: 0.9, usdShare: expect.closeTo(0.9) },
  });
  expect(trace).toMatchObject({
    ...{ name: "trace", ofResolved: { count: 1, of: 2 }, resolved: { count: 1, of: 1 }, tokenShare: 0.1 },
  });
  expect(found?.steps).toEqual([
    { step: 1, action: "edit-code", count: 2 },
    { step: 1, action: "trace", count: 1 },
    { step: 2, action: "edit-code", count: 1 },
    { step: 2, action: "trace", count: 1 },
    { step: 3, action: "edit-code", count: 1 },
  ]);
});

test("localisation, reproductions and compile errors are counted over the attempts that have them", () => {
  const found = summariseWork(tries);
  expect(found?.located).toMatchObject({
    ...{ file: { count: 2, of: 3 }, function: { count: 1, of: 2 }, snippet: { count: 1, of: 3 } },
    ...{ files: 2, lines: 20 },
  });
  // 4, 1 and no rerun.
  expect(found?.reproductions).toMatchObject({
    ...{ shown: { count: 2, of: 3 }, causes: [{ cause: "never ran", count: 1 }] },
    reruns: expect.closeTo(5 / 3),
  });
  expect(found?.compileErrors).toEqual({
    ...{ total: 4, perAttempt: 4 / 3, duringReproduction: 2 },
    codes: [
      { code: "E0433", count: 2, duringReproduction: 2 },
      { code: "E0599", count: 2, duringReproduction: 0 },
    ],
    groups: [
      { group: "structure of the repository", count: 2 },
      { group: "types and traits", count: 2 },
    ],
  });
});

test("time and cost correlate over the attempts with a known price", () => {
  const timed = [1, 2, 3].map((at) =>
    made(String(at), true, undefined, {
      agentSeconds: at * 100,
      usage: { calls: 1, inputTokens: 1, cachedTokens: 0, outputTokens: 1, usd: at },
    }),
  );
  const free = made("free", true, undefined, {
    usage: { calls: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, usd: 0 },
  });
  expect(correlateTimeAndCost([...timed, free])).toEqual({ r: expect.closeTo(1), attempts: 3 });
  expect(correlateTimeAndCost([...timed.slice(0, 2), free])).toBeUndefined();
});

function reportOf(own: readonly BatchTry[]): string {
  const arms = [{ strategy: "unified", model: "m" }];
  const tasks = { file: "t", sha256: "0123456789abcdef", count: own.length };
  const schema = "millwright.bench-run/1" as const;
  const batch = { ...{ schema, version: "1", tasks, rules: [], sandbox: "docker", arms }, tries: [...own] };
  return renderBatches([{ path: "one", batch }]);
}

test("the report has these sections where there is data, and none of them elsewhere", () => {
  const text = reportOf(tries);
  expect(text).toContain(
    "| unified,m | edit-code | 4 | 100.0 | 100.0 | 66.7 | 15.0 | 20.0 | 83.3 | 225 | 90.0 | 0.2250 | 90.0 |",
  );
  expect(text).toContain(
    "| arm | action | 1 | 2 | 3 |\n| --- | --- | --- | --- | --- |\n| unified,m | edit-code | 2 | 1 | 1 |",
  );
  expect(text).toContain(
    "| unified,m | 66.7 | 20.8 to 93.9 | 50.0 | 9.5 to 90.5 | 33.3 | 6.1 to 79.2 | 2.0 | 20.0 | 3 |",
  );
  expect(text).toContain("| unified,m | 2 | 3 | 66.7 | 20.8 to 93.9 | 1.7 | never ran 1 |");
  expect(text).toContain("| unified,m | 4 | 1.3 | 50.0 | 50.0 | 50.0 |");
  expect(text).toContain("| unified,m | E0433 | 2 | 50.0 |");
  const without = reportOf([made("d", false)]);
  expect(without).not.toMatch(/## (?:Actions|Localisation|Reproductions|Compile errors|Time and cost)/);
});

test("each task is in exactly one set of the overlap", () => {
  const arm = (...resolved: string[]) => ({
    tries: ["a", "b", "c"].map((id) => made(id, resolved.includes(id))),
  });
  const named = [
    { name: "one", arm: arm("a", "b") },
    { name: "two", arm: arm("b") },
  ];
  expect(overlapOf(named)).toEqual([
    { arms: ["one"], tasks: ["a"] },
    { arms: ["one", "two"], tasks: ["b"] },
    { arms: [], tasks: ["c"] },
  ]);
});
