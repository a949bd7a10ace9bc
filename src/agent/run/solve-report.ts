import type { SolveReport, Usage } from "../../domain/solve-report.ts";
import type { KindChoice } from "../../domain/task.ts";
import type { Workspace } from "../../workspace/contract.ts";
import type { Limits } from "../record/limits.ts";
import { treeOfWritten } from "../state/tree-of-written.ts";
import type { StrategyEnd } from "../strategy.ts";
import { describeSwitches } from "../switches.ts";
import type { RunDescription } from "./run-store.ts";

export interface ReportInput {
  readonly description: RunDescription;
  readonly directory: string;
  readonly workspace: Workspace;
  readonly end: StrategyEnd;
  /** The way Millwright determined the task's kind; undefined if the user gave the kind. */
  readonly kind: KindChoice | undefined;
  readonly usage: Usage;
  readonly seconds: number;
}

/**
 * Makes the document of `solve --output json`. Its patch is the difference between the base and the chosen candidate.
 */
export async function makeReport(input: ReportInput): Promise<SolveReport> {
  const { description, end, workspace } = input;
  const tree = end.candidate?.tree;
  const off = description.switches === undefined ? [] : describeSwitches(description.switches);
  const { remarks, programs = [] } = end.findings;
  const tests = end.state === undefined ? workspace.base : await treeOfWritten(workspace, end.state);
  const { command, foundBy } = end.testCommand ?? { command: "", foundBy: "" };
  return {
    schema: "millwright.solve/1",
    outcome: end.outcome,
    reason: end.reason,
    exitCode: exitCodeOfEnd(end),
    run: description.run,
    runDirectory: input.directory,
    task: describeTask(input),
    strategy: description.strategy,
    model: description.model,
    ...(off.length === 0 ? {} : { off }),
    sandbox: description.sandbox,
    testCommand: end.testCommand === undefined ? null : { command, foundBy },
    patch: tree === undefined ? "" : await workspace.trees.diff(workspace.base, tree),
    files: tree === undefined ? [] : [...(await workspace.trees.stat(workspace.base, tree))],
    ...(tests === workspace.base ? {} : { testsPatch: await workspace.trees.diff(workspace.base, tests) }),
    ...(programs.length === 0 ? {} : { programs: [...programs] }),
    ...(end.failed === undefined ? {} : { failed: end.failed }),
    gate: [...end.gate],
    strength: tree === undefined ? null : (end.strength ?? "weak"),
    ...(remarks.length === 0 ? {} : { remarks: [...remarks] }),
    candidates: end.candidates,
    seconds: Math.round(input.seconds * 10) / 10,
    usage: input.usage,
  };
}

function describeTask({ description: { task }, kind }: ReportInput): SolveReport["task"] {
  if (kind === undefined) return { id: task.id, kind: task.kind };
  const { by, reason } = kind;
  return { id: task.id, kind: kind.kind, chosen: { by, reason } };
}

/**
 * Marks an end without a patch as limited if no time is left, and adds the limit to its reason. Example: the tests on
 * the base took all the time.
 */
export function withTimeLimit<E extends Pick<StrategyEnd, "outcome" | "limited" | "reason">>(
  end: E,
  limits: Pick<Limits, "remainingMs" | "exhausted">,
): E {
  if (end.outcome !== "none" || end.limited || limits.remainingMs() > 0) return end;
  const limit = limits.exhausted();
  return limit === undefined ? end : { ...end, limited: true, reason: `${end.reason} (${limit})` };
}

/**
 * Returns the exit code: 0 verified (with or without a limit), 12 stopped by a limit, 10 an unverified patch, 11 no
 * patch.
 */
export function exitCodeOfEnd(end: Pick<StrategyEnd, "outcome" | "limited">): number {
  if (end.outcome === "verified") return 0;
  if (end.limited) return 12;
  return end.outcome === "unverified" ? 10 : 11;
}
