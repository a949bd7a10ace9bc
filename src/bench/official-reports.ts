/**
 * Makes a batch of reports of official harnesses, so that `bench report` and `bench compare` can read them. SWE-bench's
 * harness and those derived from it (Multi-SWE-bench, Rust-SWE-bench) write one report per agent. A report lists the
 * task ids of each outcome.
 */
import { z } from "zod";
import { nameFirst } from "../base/count.ts";
import { MillwrightError } from "../base/errors.ts";
import { hashText } from "../base/hash.ts";
import { noUsage } from "../domain/solve-report.ts";
import type { BatchDocument, BatchTry } from "./batch-document.ts";
import { parseWhole, readTextFile } from "./rows.ts";
import { sizeOfPatch, type TaskFacts } from "./task-facts.ts";

const ids = z.array(z.string()).default([]);

const reportSchema = z.object({
  resolved_ids: z.array(z.string()),
  unresolved_ids: z.array(z.string()),
  empty_patch_ids: ids,
  error_ids: ids,
  incomplete_ids: ids,
  submitted_ids: ids,
  total_instances: z.int().optional(),
});
type Lists = Omit<z.infer<typeof reportSchema>, "total_instances">;

/** The first list that contains a task decides. The order matters: `incomplete_ids` may repeat ids of other lists. */
const outcomes: readonly (readonly [keyof Lists, BatchTry["outcome"], string])[] = [
  ["resolved_ids", "resolved", "resolved"],
  ["unresolved_ids", "unresolved", "tests failed"],
  ["empty_patch_ids", "agent-error", "the patch is empty"],
  // The harness does not tell patches that do not apply from faults of its own.
  ["error_ids", "unresolved", "the patch did not apply, or the harness failed"],
  ["submitted_ids", "unresolved", "no result"],
  ["incomplete_ids", "agent-error", "there is no prediction"],
];

export interface OfficialReport {
  readonly path: string;
  /** The agent's name in the batch. */
  readonly agent: string;
  readonly results: ReadonlyMap<string, Pick<BatchTry, "outcome" | "reason">>;
  /** The number of tasks that the report itself states. */
  readonly total: number | undefined;
  /** Patches by task; empty if no predictions were given. */
  readonly patches: ReadonlyMap<string, string>;
}

/** Reads an official harness's report. Throws MillwrightError("usage") if the file is not such a report. */
export function readOfficialReport(
  path: string,
  agent: string,
  patches: OfficialReport["patches"],
): OfficialReport {
  const parsed = reportSchema.safeParse(parseWhole(readTextFile(path)));
  if (!parsed.success) {
    const missing = parsed.error.issues
      .map(({ path: field }) => field.join("."))
      .filter((name) => name !== "");
    const fields = missing.length === 0 ? "" : ` (wrong or missing: ${nameFirst(missing, 5)})`;
    throw new MillwrightError("usage", `${path} is not the report of an official harness${fields}`, {
      hint: "SWE-bench's run_evaluation writes one report per run, with the lists resolved_ids and unresolved_ids.",
    });
  }
  const { total_instances: total, ...lists } = parsed.data;
  const results = new Map<string, Pick<BatchTry, "outcome" | "reason">>();
  for (const [list, outcome, reason] of outcomes)
    for (const id of lists[list]) if (!results.has(id)) results.set(id, { outcome, reason });
  return { path, agent, results, total, patches };
}

export interface ImportedTasks {
  /** The tasks' source, as the batch names it: a file of tasks, or the reports. */
  readonly file: string;
  /** The tasks' ids, in order, without repetition. */
  readonly ids: readonly string[];
  /** Facts about the tasks; empty if only the ids are known. */
  readonly facts: readonly TaskFacts[];
}

/** Returns the tasks that every report lists. */
export function commonTasks(reports: readonly OfficialReport[]): string[] {
  const [first, ...others] = reports;
  return [...(first?.results.keys() ?? [])]
    .filter((id) => others.every(({ results }) => results.has(id)))
    .sort();
}

/**
 * Makes a batch of official reports, with one arm per report. A requested task that a report does not list counts as a
 * task without a prediction. `isCounted`: selects, by path, the files that count as edited.
 */
export function batchOfReports(
  reports: readonly OfficialReport[],
  tasks: ImportedTasks,
  isCounted: (path: string) => boolean,
): BatchDocument {
  const { file, ids: taskIds, facts } = tasks;
  const tries = reports.flatMap(({ agent, results, patches }) =>
    taskIds.map((id): BatchTry => {
      const missing = { outcome: "agent-error", reason: "there is no prediction" } as const;
      const patch = patches.get(id);
      return {
        ...{ strategy: agent, model: null, id, attempt: 1, ...(results.get(id) ?? missing) },
        ...(patch === undefined ? {} : { edited: sizeOfPatch(patch, isCounted) }),
        ...{ verdict: null, run: "", agentSeconds: 0, gradingSeconds: 0, usage: noUsage },
      };
    }),
  );
  return {
    ...{ schema: "millwright.bench-run/1", version: "none", rules: ["official harness"], sandbox: "unknown" },
    tasks: { file, sha256: hashText(taskIds.join("\n")), count: taskIds.length, facts: [...facts] },
    arms: reports.map(({ agent }) => ({ strategy: agent, model: null })),
    tries,
  };
}
