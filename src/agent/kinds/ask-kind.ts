/**
 * Asks a model once for a task's kind, if the rules are not sure of it. If the answer is unusable, keeps the choice of
 * the rules.
 */
import { z } from "zod";
import { type KindByRule, type KindChoice, taskKindSchema } from "../../domain/task.ts";
import { askModel, type SamplingContext } from "../think/sampling.ts";
import { attemptIn } from "./attempt-in-statement.ts";
import { kindQuestion, kindSystem } from "./kind.prompt.ts";
import { namedTarget } from "./named-target.ts";
import { findTarget, type ReadText, type Target } from "./target.ts";
import type { AskedTask } from "./tell-kind.ts";
import { isUnwritten } from "./unwritten-body.ts";

const answerSchema = z.object({
  kind: z.string(),
  reason: z.string().default(""),
  target: z.string().nullish(),
});

export interface KindQuestion {
  readonly task: AskedTask;
  readonly byRule: KindByRule;
  /** Reads files of the base. */
  readonly read: ReadText;
}

const longestReason = 200;

export async function askKind(
  context: SamplingContext,
  { task, byRule, read }: KindQuestion,
): Promise<KindChoice> {
  const { isSure: _, kinds, ...usual } = byRule;
  const named = await findNamed(task, read);
  const { answer, stopped } = await askModel(context, {
    role: "planning",
    system: kindSystem(kinds),
    messages: [{ role: "user", text: kindQuestion(task.statement, await factsOf(named, task)) }],
    output: { name: "kind", schema: answerSchema },
  });
  const said = answer?.output;
  const kind = taskKindSchema.safeParse(said?.kind).data;
  const instead = (why: string): KindChoice => ({ ...usual, reason: `${usual.reason}; ${why}` });
  if (said === undefined)
    return instead(`the model gave no answer${stopped === undefined ? "" : `: ${stopped.message}`}`);
  if (kind === undefined || !kinds.includes(kind))
    return instead("the model named no kind that this strategy supports");
  const reason = said.reason.replaceAll(/\s+/g, " ").trim().slice(0, longestReason);
  const choice = { kind, by: "model", reason: reason === "" ? "it gave no reason" : reason } as const;
  if (
    kind === "partial-fix" &&
    task.partialPatch === undefined &&
    attemptIn(task.statement, true) === undefined
  )
    return instead("the model chose partial-fix, but the task contains no earlier attempt");
  if (kind !== "code-generation" && kind !== "test-generation") return choice;
  if (task.target !== undefined) return choice;
  const found = await findTarget(said.target ?? undefined, read);
  const target = found.ok ? found.value : named;
  if (target === undefined) return instead(`the model chose ${kind}, but named no existing function`);
  return { ...choice, target: `${target.file}:${target.symbol}` };
}

async function findNamed({ statement, target }: AskedTask, read: ReadText): Promise<Target | undefined> {
  if (target === undefined) return namedTarget(statement, read);
  const found = await findTarget(target, read);
  return found.ok ? found.value : undefined;
}

async function factsOf(named: Target | undefined, { target }: AskedTask): Promise<string[]> {
  if (named === undefined) return [];
  const unwritten = await isUnwritten(named);
  const says = target === undefined ? "is named in the description" : "is the target that the user gave";
  return [
    `${named.file}:${named.symbol} ${says}, and exists in the repository${unwritten === true ? " without a body" : unwritten === false ? " with a body" : ""}.`,
  ];
}
