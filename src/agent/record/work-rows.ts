/** Lists a run's work and costs as rows of the report. Reads only the run's events. */
import { countOf } from "../../base/count.ts";
import type { RunEvent } from "../../domain/run-event.ts";
import {
  type ActionCost,
  type Cost,
  callsOf,
  costOf,
  costsByAction,
  costsByTool,
  type ToolCost,
  tokensOf,
} from "./costs.ts";

export interface WorkRow {
  /** An action, a tool or an arm. */
  readonly action: string;
  /** The action's intent, the number of the tool's runs, or the arm's outcome. */
  readonly intent: string;
  readonly failed: boolean;
  /** Number of calls. It may be fractional, because several tools share an answer that calls them. */
  readonly calls: number;
  readonly tokens: number;
  /** The cost in US dollars; absent if the price of a call is unknown. */
  readonly usd?: number | undefined;
  /** The reason for a failure. */
  readonly why?: string | undefined;
}

/** Lists each arm with its actions and tools, then the work outside arms. */
export function workRows(events: readonly RunEvent[]): readonly WorkRow[] {
  const end = events.find((event) => event.event === "run-ended");
  const older = statedRows(end?.event === "run-ended" ? end.findings : undefined);
  if (older.length > 0) return older;
  const arms = events.filter((event) => event.event === "arm-started");
  const isOf = (arm: string) => (event: RunEvent) => "arm" in event && event.arm === arm;
  const ofArms = arms.flatMap(({ arm, strategy, decoding: { sample } }) => {
    const own = events.filter(isOf(arm));
    const label = typeof sample === "number" ? `${strategy}, sample ${sample + 1}` : strategy;
    return [
      armRow(`arm ${arm}: ${label}`, own),
      ...partsOf(own).map((row) => ({ ...row, action: `${arm}. ${row.action}` })),
    ];
  });
  const names = new Set(arms.map(({ arm }) => arm));
  return [...ofArms, ...partsOf(events.filter((event) => !("arm" in event && names.has(event.arm ?? ""))))];
}

/** The rows in the end event of a record of version 1. */
function statedRows(findings: unknown): readonly WorkRow[] {
  const { actions = [] } = (findings ?? {}) as { readonly actions?: readonly WorkRow[] };
  return actions;
}

function armRow(action: string, events: readonly RunEvent[]): WorkRow {
  const ended = events.find((event) => event.event === "arm-ended");
  const [outcome, reason] =
    ended?.event === "arm-ended" ? [ended.outcome, ended.reason] : ["none", "no end was recorded"];
  return {
    action,
    intent: `${outcome}: ${reason}`,
    failed: outcome !== "verified",
    ...figuresOf(costOf(callsOf(events))),
  };
}

/** Actions, with a separate row for the calls between them; without actions, tools. */
function partsOf(events: readonly RunEvent[]): readonly WorkRow[] {
  const actions = costsByAction(events);
  const between = callsOf(events).filter(({ round }) => round === undefined);
  if (actions.length === 0) return costsByTool(between, events).map(toolRow);
  if (between.length === 0) return actions.map(actionRow);
  const roles = [...new Set(between.map(({ role }) => role))].join(", ");
  const rest = { action: "between actions", intent: roles, failed: false, ...figuresOf(costOf(between)) };
  return [...actions.map(actionRow), rest];
}

function actionRow({ action, intent, failed, why, cost }: ActionCost): WorkRow {
  return { action, intent, failed, ...figuresOf(cost), ...(why === undefined ? {} : { why }) };
}

function toolRow({ tool, times, failed, cost }: ToolCost): WorkRow {
  const often = times === 1 ? "once" : countOf(times, "time");
  const refused = failed === 0 ? "" : `, ${failed} refused`;
  return {
    action: tool === "" ? "no tool" : tool,
    intent: tool === "" ? "answers without a call" : `${often}${refused}`,
    failed: false,
    ...figuresOf(cost),
  };
}

function figuresOf(cost: Cost): Pick<WorkRow, "calls" | "tokens" | "usd"> {
  return { calls: cost.calls, tokens: tokensOf(cost), usd: cost.unpriced > 0 ? undefined : cost.usd };
}
