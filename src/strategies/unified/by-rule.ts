/**
 * Performs steps by rule if measurements leave a planner no other choice. This departs from the Meta-Agent, which
 * chooses each action. The run first writes a test of the fault if the test's failure can be compared with the
 * statement. If this failure comes from the likeliest place, the run then edits the code. If a candidate's gate holds,
 * or only lacks a review of claims about broken tests, the run reviews the candidate. It proposes the candidate unless
 * the review objects. The run follows the first advice of a review. The record marks steps by rule.
 */

import type { ActionContext, JudgeContext } from "../../agent/action.ts";
import { deliveredBy } from "../../agent/candidates/measure-edit.ts";
import { isOpposed } from "../../agent/control/choose-final.ts";
import type { Work } from "../../agent/control/perform-action.ts";
import { awaitsReview, tellUnnamed, withRewordings } from "../../agent/kinds/open-claims.ts";
import { gateHolds } from "../../agent/kinds/repair-gate.ts";
import { rulesOf } from "../../agent/kinds/rules-of.ts";
import { remarkOnce } from "../../agent/record/once.ts";
import { tellLeftOpen } from "../../agent/state/left-open.ts";
import { type MatrixRow, rowOf, type TaskState, withoutHeldBack } from "../../agent/state/task-state.ts";
import type { ThinkTool, ToolReply } from "../../agent/think/think.ts";
import { judgePrograms, wrongPrograms } from "../../agent/verdict/judge-programs.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { Predicate } from "../../domain/gate.ts";
import { isSourceFile } from "../../languages/source-files.ts";

type Tools = readonly ThinkTool<true>[];

/** Maximum number of unmet items to report from the whole suite. */
const mostUnmet = 12;

/** Wraps the tools. After a call of `edit-code`, the run continues by rule while test results decide the next step. */
export function followEdits(context: JudgeContext, work: Work, tools: Tools): Tools {
  return tools.map((tool) =>
    tool.name === "edit-code"
      ? {
          ...tool,
          run: (input) => editAndFollow(context, work, tools, input),
        }
      : tool,
  );
}

async function editAndFollow(
  context: JudgeContext,
  work: Work,
  tools: Tools,
  input: unknown,
): Promise<ToolReply<true>> {
  const tool = tools.find(({ name }) => name === "edit-code");
  if (tool === undefined) throw new Error("the tool edit-code is missing");
  const known = new Set(work.state.candidates.map(({ id }) => id));
  const reply = await tool.run(input);
  const written = work.state.candidates.find(({ id, kind }) => !known.has(id) && kind !== "reproduction");
  const made = written && deliveredBy(context.task.kind, work.state, written);
  if (reply.isError === true || made === undefined) return reply;
  const isWithFix = written !== made;
  if (!saysYes(rowOf(work.state, made.id), isWithFix) || context.limits.exhausted() !== undefined)
    return reply;
  const next = await follow(context, work, tools, made);
  return { ...next, text: `${reply.text}\n\n${next.text}` };
}

/**
 * True if the main tests ran, and none counts against the candidate. Does not require tests measured with a fix to
 * pass, because they fail on the base.
 */
function saysYes(row: MatrixRow | undefined, isWithFix: boolean): boolean {
  if (row === undefined || row.invalid !== undefined || (row.missing ?? []).length > 0) return false;
  return isWithFix || row.targets.every(({ status }) => status === "passed");
}

async function follow(
  context: JudgeContext,
  work: Work,
  tools: Tools,
  made: Candidate,
): Promise<ToolReply<true>> {
  const { id } = made;
  const judged = await rulesOf(context.task.kind).judge(context, work.state, made);
  const { gate, row } = judged;
  if (row !== undefined) work.state = { ...work.state, rows: [...work.state.rows, row] };
  const isAwaiting = awaitsReview(judged);
  if (!gateHolds(gate) && !isAwaiting) {
    const unmet = gate.filter(({ holds }) => !holds);
    const listed = listPredicates(unmet);
    const missing = (row?.missing ?? []).slice(0, mostUnmet).map((item) => `- ${item}`);
    const unnamed = tellUnnamed(judged, work.state.saysWrong ?? []);
    return {
      text: [
        `The gate judged ${id}. These conditions do not hold yet:`,
        ...[...listed, ...missing, ...unnamed],
      ].join("\n"),
    };
  }
  if (isAwaiting) work.state = withRewordings(work.state, judged);
  const held = isAwaiting
    ? `For ${id}, the gate lacks only a review of the claims about broken tests.`
    : `The gate holds for ${id}.`;
  const { failing } = await judgePrograms(context, work.state, made);
  if (failing.length > 0)
    return {
      text: [`${held} These conditions do not hold:`, ...listPredicates(failing), wrongPrograms].join("\n"),
    };
  const open = tellLeftOpen(work.state, id);
  if (open !== "")
    return {
      text: `${held} ${open}\nContinue from ${id}, or propose ${id}: the run then ends unverified.`,
    };
  remark(
    context,
    `${held} By rule, a review reads ${id}, and the run proposes it unless the review objects.`,
  );
  const said = [`${held} The run continued by rule:`];
  for (const name of ["review-patch", "finish"]) {
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined || context.limits.exhausted() !== undefined) continue;
    const reply = await tool.run({ candidate: id });
    said.push(reply.text);
    if (reply.end === true) return { text: said.join("\n\n"), end: true };
    if (reply.isError === true || isOpposed(work.state, { id })) break;
  }
  const revised = await reviseOnce(context, work, tools, id);
  const text = [...said, ...(revised === undefined ? [] : [revised.text])].join("\n\n");
  return { ...revised, text };
}

function listPredicates(unmet: readonly Predicate[]): string[] {
  return unmet.map(({ predicate, evidence }) => `- ${predicate}: ${evidence}`);
}

/** Follows the review's advice, the first time that a review does not approve. A planner could only say the same. */
async function reviseOnce(
  context: JudgeContext,
  work: Work,
  tools: Tools,
  id: string,
): Promise<ToolReply<true> | undefined> {
  const advised = work.state.reviews.filter(({ advice }) => advice !== undefined);
  const [review] = advised;
  if (review?.advice === undefined || advised.length > 1 || review.candidate !== id) return undefined;
  if (context.limits.exhausted() !== undefined) return undefined;
  remark(context, `The review of ${id} asks for a change. By rule, the run makes this change once.`);
  return editAndFollow(context, work, tools, { intent: review.advice, from: id });
}

/**
 * Searches for the test command before the planner's first action, if the rules found none. Returns the result for the
 * planner; "" without a search.
 */
export async function probeFirst(
  context: Pick<ActionContext, "suite" | "recorder">,
  tools: Tools,
): Promise<string> {
  const tool = tools.find(({ name }) => name === "probe-environment");
  if (context.suite.lacks === undefined || tool === undefined) return "";
  remark(
    context,
    "No test command is known. By rule, the run looks for one before the planner chooses an action.",
  );
  return (await tool.run({})).text;
}

/**
 * Writes a reproduction before the planner's first action, if a repair or partial fix has no test of its fault, and the
 * statement tells how to recognise the failure. Returns the result for the planner; "" without an attempt.
 */
export async function reproduceFirst(
  context: Pick<ActionContext, "suite" | "signature" | "task" | "recorder">,
  work: Work,
  tools: Tools,
): Promise<string> {
  const { kind } = context.task;
  const tool = tools.find(({ name }) => name === "reproduction");
  const isWanted = (kind === "repair" || kind === "partial-fix") && work.state.fault === undefined;
  if (!isWanted || tool === undefined || !canBeRecognised(context)) return "";
  if ((work.state.programs ?? []).length > 0) return "";
  remark(
    context,
    "No test shows the fault. By rule, the run writes one before the planner chooses an action.",
  );
  return (await tool.run({})).text;
}

/**
 * In a task of the kind `repair`, edits the code before the planner's first action, if the place of the fault is known.
 * Returns undefined otherwise. The place is known in two cases:
 * - The failure that shows the fault comes from the file that the statement's words match.
 * - The model that wrote the tests has read the code and named the place.
 *
 * In these cases, the planner would choose the same edit, unless it knows failed attempts of another strategy.
 */
export async function editFirst(
  context: Pick<ActionContext, "likely" | "task" | "recorder" | "limits">,
  work: Work,
  tools: Tools,
): Promise<ToolReply<true> | undefined> {
  const tool = tools.find(({ name }) => name === "edit-code");
  if (context.task.kind !== "repair" || tool === undefined || !isLocated(context, work.state))
    return undefined;
  if (isTold(work.state) || context.limits.exhausted() !== undefined) return undefined;
  remark(
    context,
    "A failing test shows the fault, and the place to edit is known. By rule, the run edits the code before the planner chooses an action.",
  );
  return tool.run({ from: "base" });
}

function isLocated({ likely }: Pick<ActionContext, "likely">, { fault, codePlaces }: TaskState): boolean {
  if (fault !== undefined && codePlaces.length > 0) return true;
  const [first] = likely?.places ?? [];
  const shown = withoutHeldBack(fault, fault?.baseRuns[0] ?? []);
  return shown.some(({ failure }) => {
    const own = failure?.frames.findLast(({ file }) => isSourceFile(file));
    return own !== undefined && own.file === first?.file;
  });
}

function isTold({ facts }: TaskState): boolean {
  return facts.some(({ kind, arm }) => kind === "vain" && arm !== undefined);
}

/** True if the statement names something that a failure may show, so Millwright can compare the two. */
function canBeRecognised({ signature: { errorTypes, strong } }: Pick<ActionContext, "signature">): boolean {
  return errorTypes.length + strong.length > 0;
}

function remark({ recorder }: Pick<ActionContext, "recorder">, text: string): void {
  remarkOnce(recorder, text, "note");
}
