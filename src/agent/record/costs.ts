/** Computes the use of tokens, money and time in a run, only from its events. */

import { countOf } from "../../base/count.ts";
import { keysOf, recordOf } from "../../base/keys.ts";
import type { RunEvent } from "../../domain/run-event.ts";
import { noUsage, type StatedUsage, type Usage } from "../../domain/solve-report.ts";

export type CallEnded = Extract<RunEvent, { readonly event: "call-ended" }>;
export type ActionEnded = Extract<RunEvent, { readonly event: "action-ended" }>;
type ToolEnded = Extract<RunEvent, { readonly event: "tool-ended" }>;

export interface Cost extends Usage {
  /** Number of calls with an unknown price. */
  readonly unpriced: number;
  /** Milliseconds of waiting for models; simultaneous calls count separately. */
  readonly ms: number;
}

export const noCost: Cost = { ...noUsage, unpriced: 0, ms: 0 };

export function costOf(calls: readonly CallEnded[]): Cost {
  return calls.reduce((sum, { usage, ms }) => addCost(sum, { ...usage, ms }), noCost);
}

/** Returns the usage of the whole run, in the form that reports contain. */
export function usageOf(events: readonly RunEvent[]): StatedUsage {
  const { calls, inputTokens, cachedTokens, outputTokens, usd, unpriced } = costOf(callsOf(events));
  return { calls, inputTokens, cachedTokens, outputTokens, usd, ...(unpriced > 0 ? { unpriced } : {}) };
}

/** Returns the price as text, such as `$0.0123`. An unknown price is "price unknown", not zero. */
export function describePrice({ usd, unpriced = 0 }: Pick<StatedUsage, "usd" | "unpriced">): string {
  if (unpriced === 0) return `$${usd.toFixed(4)}`;
  return usd === 0 ? "price unknown" : `$${usd.toFixed(4)} and ${countOf(unpriced, "call")} of unknown price`;
}

export function callsOf(events: readonly RunEvent[]): readonly CallEnded[] {
  return events.filter((event) => event.event === "call-ended");
}

/** The costs of a finished action. */
export interface ActionCost {
  readonly arm: string | undefined;
  readonly round: number;
  readonly action: string;
  readonly intent: string;
  readonly failed: boolean;
  readonly why: string | undefined;
  readonly cost: Cost;
  /** Milliseconds from the action's start to its end, without the time between two processes of the run. */
  readonly ms: number;
}

/** Returns the costs of each action, in the order in which actions ended. */
export function costsByAction(events: readonly RunEvent[]): readonly ActionCost[] {
  const calls = Map.groupBy(callsOf(events), actionKey);
  const clock = workClock(events);
  const started = new Map<string, { readonly intent: string; readonly ms: number }>();
  return events.flatMap((event, at) => {
    const ms = clock[at] ?? 0;
    if (event.event === "action-started") started.set(actionKey(event), { intent: event.intent, ms });
    if (event.event !== "action-ended") return [];
    const { arm, round, action, failed, why } = event;
    const start = started.get(actionKey(event));
    const own = calls.get(actionKey(event));
    return {
      ...{ arm, round, action, failed, why, intent: start?.intent ?? "" },
      cost: own === undefined ? statedCost(event) : costOf(own),
      ms: ms - (start?.ms ?? ms),
    };
  });
}

/** The costs of one tool's calls by models. */
export interface ToolCost {
  readonly tool: string;
  readonly times: number;
  readonly failed: number;
  /** The tool's share of the answers that called it. An answer with n calls is divided equally among the calls. */
  readonly cost: Cost;
  /** Milliseconds of running time. */
  readonly ms: number;
}

/** Costs by tool, the one with the most tokens first. Answers without calls have a separate row with the `tool` "". */
export function costsByTool(calls: readonly CallEnded[], events: readonly RunEvent[]): readonly ToolCost[] {
  const orders = new Set(calls.map(({ order }) => order));
  const done = events.filter(
    (event): event is ToolEnded => event.event === "tool-ended" && orders.has(event.call),
  );
  const rows = new Map<string, ToolCost>();
  const rowOf = (tool: string): ToolCost =>
    rows.get(tool) ?? { tool, times: 0, failed: 0, cost: noCost, ms: 0 };
  for (const call of calls) {
    const called = call.tools.length === 0 ? [""] : call.tools.map(({ tool }) => tool);
    const share = shareOf(costOf([call]), called.length);
    for (const tool of called) {
      const row = rowOf(tool);
      rows.set(tool, { ...row, cost: addCost(row.cost, share) });
    }
  }
  for (const { tool, failed, ms } of done) {
    const row = rowOf(tool);
    rows.set(tool, { ...row, times: row.times + 1, failed: row.failed + (failed ? 1 : 0), ms: row.ms + ms });
  }
  return [...rows.values()].sort((one, other) => tokensOf(other.cost) - tokensOf(one.cost));
}

export function tokensOf({ inputTokens, outputTokens }: Cost): number {
  return inputTokens + outputTokens;
}

/** Returns a key that identifies a call's action within its arm. Calls outside actions share one key per arm. */
export function actionKey({
  arm = "",
  round,
  action = "",
}: Pick<CallEnded, "arm" | "round" | "action">): string {
  return JSON.stringify([arm, round ?? 0, action]);
}

/** Returns the working time at each event, without gaps between the run's processes. */
function workClock(events: readonly RunEvent[]): readonly number[] {
  let used = 0;
  return events.map(({ event, at }, index) => {
    if (event !== "run-resumed") used += Math.max(0, at - (events[index - 1]?.at ?? at));
    return used;
  });
}

/** Records of version 1 have an action's figures in its end event. */
function statedCost({ calls = 0, tokens = 0, usd = 0 }: ActionEnded): Cost {
  return { ...noCost, calls, inputTokens: tokens, usd };
}

export function addCost(sum: Cost, more: Cost): Cost {
  return mapCost(sum, (value, key) => value + more[key]);
}

function shareOf(cost: Cost, parts: number): Cost {
  return mapCost(cost, (value) => value / parts);
}

function mapCost(cost: Cost, change: (value: number, key: keyof Cost) => number): Cost {
  return recordOf(keysOf(noCost), (key) => change(cost[key], key));
}
