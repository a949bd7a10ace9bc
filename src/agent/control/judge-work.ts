import type { ActionContext } from "../action.ts";
import { gateHolds } from "../kinds/repair-gate.ts";
import { rulesOf } from "../kinds/rules-of.ts";
import { type KeptWork, keepWork } from "../measure/keep-work.ts";
import { measureAll } from "../measure/measure-all.ts";
import { settleBase } from "../measure/settle-base.ts";
import { type Aside, putAside } from "../state/put-aside.ts";
import type { TaskState } from "../state/task-state.ts";
import { bestCandidate } from "../state/task-state.ts";
import type { StrategyEnd } from "../strategy.ts";
import type { ThinkEnd } from "../think/think.ts";
import { judgeFinally } from "../verdict/judge-finally.ts";
import { conclude } from "./conclude.ts";

/** Figures and lists of what is missing that are told. */
const mostMissing = 12;

/** What a loop left in its working tree, and says of it. */
export interface WorkLeft {
  readonly tree: string;
  readonly origin: string;
  readonly aside?: readonly Aside[];
}

async function keepWithAside(
  context: ActionContext,
  state: TaskState,
  { tree, origin, aside = [] }: WorkLeft,
): Promise<KeptWork> {
  const settled = await settleBase(context, state, { byWords: false });
  const own = await keepWork(context, settled, tree, origin);
  // What only shares words with the statement counts where nothing that was written shows the fault.
  const kept = { ...own, state: await settleBase(context, own.state) };
  const put = putAside(context, kept.state, aside);
  return put.ok
    ? { ...kept, state: put.value }
    : { ...kept, remarks: [...kept.remarks, `Nothing was put aside: ${put.message}`] };
}

/**
 * What the gate finds in work that may go on: undefined where it holds. What is run is recorded, so that the last judgement of the same
 * tree runs nothing again.
 */
export async function tellWork(
  context: ActionContext,
  state: TaskState,
  work: WorkLeft,
): Promise<string | undefined> {
  const kept = await keepWithAside(context, state, work);
  const { delivers } = rulesOf(context.task.kind);
  // What was not measured is worth least: an attempt that was given would be judged in its place.
  const measured = await measureAll(context, kept.state);
  const candidate = bestCandidate(measured, delivers);
  const remarks = kept.remarks.map((remark) => `- ${remark}`);
  if (candidate === undefined)
    return [`There is no ${delivers === "test" ? "test" : "patch"} to hand in.`, ...remarks].join("\n");
  const { gate, row } = await judgeFinally(context, measured, candidate);
  if (gateHolds(gate)) return undefined;
  const unmet = gate.filter(({ holds }) => !holds);
  return [
    ...unmet.map(({ predicate, evidence }) => `- ${predicate}: ${evidence}`),
    ...(row?.missing ?? []).slice(0, mostMissing).map((item) => `- ${item}`),
    ...remarks,
  ].join("\n");
}

/** What a loop with a shell left in its working tree becomes candidates, and the gate judges them, whatever the loop said. */
export async function judgeWork(
  context: ActionContext,
  state: TaskState,
  work: WorkLeft,
  ended: ThinkEnd<true>,
): Promise<StrategyEnd> {
  const { full = context.limits } = context.limits;
  const kept = await keepWithAside({ ...context, limits: full }, state, work);
  const end = await conclude(context, await measureAll(context, kept.state), ended);
  const remarks = [...end.findings.remarks, ...kept.remarks];
  return { ...end, findings: { ...end.findings, remarks } };
}
