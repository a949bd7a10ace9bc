import type { ActionContext } from "../action.ts";
import { keepWork } from "../measure/keep-work.ts";
import { measureAll } from "../measure/measure-all.ts";
import { settleBase } from "../measure/settle-base.ts";
import type { TaskState } from "../state/task-state.ts";
import type { StrategyEnd } from "../strategy.ts";
import type { ThinkEnd } from "../think/think.ts";
import { conclude } from "./conclude.ts";

/** What a loop with a shell left in its working tree becomes candidates, and the gate judges them, whatever the loop said. */
export async function judgeWork(
  context: ActionContext,
  state: TaskState,
  { tree, origin }: { readonly tree: string; readonly origin: string },
  ended: ThinkEnd<true>,
): Promise<StrategyEnd> {
  const { full = context.limits } = context.limits;
  const kept = await keepWork({ ...context, limits: full }, await settleBase(context, state), tree, origin);
  const end = await conclude(context, await measureAll(context, kept.state), ended);
  const remarks = [...end.findings.remarks, ...kept.remarks];
  return { ...end, findings: { ...end.findings, remarks } };
}
