/**
 * Computes figures of one attempt's work from its run's record and the known fix. A batch stores these figures with
 * each try.
 */
import { z } from "zod";
import {
  addCost,
  type Cost,
  callsOf,
  costOf,
  costsByAction,
  costsByTool,
  noCost,
  tokensOf,
} from "../../agent/record/costs.ts";
import type { RunEvent } from "../../domain/run-event.ts";
import { compileErrorsOf, compileErrorsSchema } from "./compile-errors.ts";
import { judgeLocated, locatedSchema, type ReadBase } from "./located-places.ts";
import { reproductionOf, reproductionSchema } from "./reproductions.ts";
import type { RunRecord } from "./run-record.ts";
import { listSaid } from "./test-steps.ts";

const partSchema = z.object({
  name: z.string(),
  uses: z.int(),
  failed: z.int(),
  /** Input and output tokens. May be fractional, because several tools share an answer that calls them. */
  tokens: z.number(),
  usd: z.number(),
  /** Calls without a known price; absent if there are none. */
  unpriced: z.number().optional(),
  seconds: z.number(),
});
export type WorkPart = z.infer<typeof partSchema>;

export const runWorkSchema = z.object({
  /** Uses of each action, or of each tool in a run without actions. `between actions` has the other calls. */
  parts: z.array(partSchema),
  /** The actions of each arm, in the order of their starts; empty in a run without actions. */
  sequences: z.array(z.array(z.string())),
  reproduction: reproductionSchema.optional(),
  compileErrors: compileErrorsSchema.optional(),
  located: locatedSchema.optional(),
});
export type RunWork = z.infer<typeof runWorkSchema>;

export interface KnownFix {
  readonly goldPatch: string;
  readonly readBase: ReadBase;
  /** The run's own patch; absent if unknown. */
  readonly patch?: string;
}

export async function workOf(record: RunRecord, { goldPatch, readBase, patch }: KnownFix): Promise<RunWork> {
  const { events } = record;
  const said = await listSaid(record);
  const reproduction = reproductionOf(record, said);
  const compileErrors = compileErrorsOf(said);
  const located = await judgeLocated(events, goldPatch, readBase, patch);
  return {
    parts: partsOf(events),
    sequences: sequencesOf(events),
    ...(reproduction === undefined ? {} : { reproduction }),
    ...(compileErrors === undefined ? {} : { compileErrors }),
    ...(located === undefined ? {} : { located }),
  };
}

export const betweenActions = "between actions";

function partsOf(events: readonly RunEvent[]): WorkPart[] {
  const actions = costsByAction(events);
  if (actions.length === 0)
    return costsByTool(callsOf(events), events)
      .filter(({ times, cost }) => times > 0 || tokensOf(cost) > 0)
      .map(({ tool, times, failed, cost, ms }) =>
        partFrom({ name: tool === "" ? "no tool" : tool, uses: times, failed, cost, ms }),
      );
  const between = callsOf(events).filter(({ round }) => round === undefined);
  const parts = [...Map.groupBy(actions, ({ action }) => action)].map(([name, own]) =>
    partFrom({
      name,
      uses: own.length,
      failed: own.filter(({ failed }) => failed).length,
      cost: own.reduce((sum, { cost }) => addCost(sum, cost), noCost),
      ms: own.reduce((sum, { ms }) => sum + ms, 0),
    }),
  );
  if (between.length === 0) return parts;
  const cost = costOf(between);
  return [...parts, partFrom({ name: betweenActions, uses: 0, failed: 0, cost, ms: cost.ms })];
}

interface Measured extends Pick<WorkPart, "name" | "uses" | "failed"> {
  readonly cost: Cost;
  readonly ms: number;
}

function partFrom({ name, uses, failed, cost, ms }: Measured): WorkPart {
  const { usd, unpriced } = cost;
  const seconds = ms / 1000;
  return { name, uses, failed, tokens: tokensOf(cost), usd, ...(unpriced > 0 ? { unpriced } : {}), seconds };
}

function sequencesOf(events: readonly RunEvent[]): string[][] {
  const started = events.filter((event) => event.event === "action-started");
  const arms = Map.groupBy(started, ({ arm }) => arm);
  return [...arms.values()].map((own) => own.map(({ action }) => action));
}
