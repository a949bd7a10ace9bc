import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { RunEvent } from "../../domain/run-event.ts";
import { costsByAction, usageOf } from "./costs.ts";
import { workRows } from "./work-rows.ts";

/** An answer with 100 input and 20 output tokens, for 0.1 dollars, that calls these tools. */
const call = (order: number, tools: readonly string[], scope: object = {}): RunEvent => ({
  event: "call-ended",
  at: order * 1000,
  ...{ order, role: "editing", model: "m", handle: String(order), recorded: false, ms: 500, ...scope },
  tools: tools.map((tool, index) => ({ id: `${index}`, tool })),
  usage: { calls: 1, inputTokens: 100, cachedTokens: 50, outputTokens: 20, usd: 0.1, unpriced: 0 },
});
const used = (order: number, of: number, id: number, tool: string, failed = false): RunEvent => ({
  event: "tool-ended",
  at: order * 1000,
  ...{ order, call: of, id: `${id}`, tool, about: "", failed, ms: 10, output: "0", characters: 1 },
});
const acted = (
  event: "action-started" | "action-ended",
  at: number,
  round: number,
  more: object = {},
): RunEvent =>
  ({ event, at, round, action: "edit-code", intent: "let it pass", failed: false, ...more }) as RunEvent;
const costs = (rows: ReturnType<typeof workRows>) =>
  rows.map(({ action, intent, calls, tokens, usd = 0 }) => [
    action,
    intent,
    calls,
    tokens,
    Number(usd.toFixed(4)),
  ]);

test("an answer that calls several tools is paid by each of them, and one that calls none by nobody", () => {
  const events = [
    call(1, ["view", "bash", "bash", "bash", "bash"]),
    ...[0, 1, 2, 3, 4].map((id) => used(id + 2, 1, id, id === 0 ? "view" : "bash", id === 4)),
    call(7, ["view"]),
    used(8, 7, 0, "view"),
    call(9, []),
  ];
  expect(costs(workRows(events))).toEqual([
    ["view", "2 times", 1.2, 144, 0.12],
    ["no tool", "answers without a call", 1, 120, 0.1],
    ["bash", "4 times, 1 refused", 0.8, 96, 0.08],
  ]);
  expect(usageOf(events)).toEqual({
    calls: 3,
    inputTokens: 300,
    cachedTokens: 150,
    outputTokens: 60,
    usd: 0.30000000000000004,
  });
});

test("an action has the calls that were made in it, those between actions have a row, and so has each arm", () => {
  const arm = { arm: "1" };
  const inside = { ...arm, round: 1, action: "edit-code" };
  const events = [
    { event: "arm-started", at: 0, arm: "1", strategy: "unified", decoding: { sample: 1 } } as RunEvent,
    call(1, ["edit-code"], { ...arm, role: "planning" }),
    acted("action-started", 1000, 1, arm),
    call(2, ["edit"], inside),
    { event: "run-resumed", at: 100_000 } as RunEvent,
    call(101, ["done"], inside),
    acted("action-ended", 102_000, 1, { ...arm, failed: true, why: "no" }),
    { event: "arm-ended", at: 103_000, arm: "1", outcome: "none", reason: "No patch." } as RunEvent,
    call(104, [], { role: "review" }),
  ];
  expect(costs(workRows(events))).toEqual([
    ["arm 1: unified, sample 2", "none: No patch.", 3, 360, 0.3],
    ["1. edit-code", "let it pass", 2, 240, 0.2],
    ["1. between actions", "planning", 1, 120, 0.1],
    ["no tool", "answers without a call", 1, 120, 0.1],
  ]);
  expect(costsByAction(events)[0]).toMatchObject({ failed: true, why: "no", ms: 3000, cost: { ms: 1000 } });
});

test("a record of version 1 is shown as it was: with the figures of its actions' ends, or the rows of its own end", () => {
  const first = [
    acted("action-started", 0, 1),
    acted("action-ended", 9, 1, { calls: 3, tokens: 300, usd: 0.5 }),
  ];
  expect(costs(workRows(first))).toEqual([["edit-code", "let it pass", 3, 300, 0.5]]);
  const rows = [{ action: "bash", intent: "4 times", failed: false, calls: 1, tokens: 9 }];
  const end: RunEvent = Object.assign(partOf<RunEvent>({ event: "run-ended", at: 10 }), {
    findings: { actions: rows },
  });
  expect(workRows([...first, end])).toEqual(rows);
});

test("a row whose calls have no known price has no price, and the whole run counts them", () => {
  const priced = call(1, ["view"]);
  const unknown = call(2, []);
  if (unknown.event !== "call-ended") throw new Error("no call");
  const events = [priced, { ...unknown, usage: { ...unknown.usage, usd: 0, unpriced: 1 } }];
  expect(workRows(events).map(({ action, usd }) => [action, usd])).toEqual([
    ["view", 0.1],
    ["no tool", undefined],
  ]);
  expect(usageOf(events)).toMatchObject({ calls: 2, usd: 0.1, unpriced: 1 });
});
