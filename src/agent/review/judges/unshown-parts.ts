/** Finds the stated cases whose words occur in none of a candidate's deciding tests. */

import { succeed } from "../../../base/result.ts";
import type { Candidate } from "../../../domain/candidate.ts";
import type { TestKey } from "../../../domain/test-outcome.ts";
import type { ActionContext } from "../../action.ts";
import type { TaskState } from "../../state/task-state.ts";
import { treesOfTests } from "../statement/shown-literals.ts";
import type { StatedPart } from "../statement/stated-parts.ts";
import { type Judged, judgeOnThread, type ThreadContext } from "./judge-threads.ts";

const kinds: ReadonlySet<string> = new Set(["repair", "partial-fix"]);

/**
 * Lists the stated cases that no test shows. `tests`: the tests that decide whether the candidate is correct. Returns
 * an empty list without tests, and for kinds other than `repair` and `partial-fix`.
 */
export async function listUnshownParts(
  context: ThreadContext & Pick<ActionContext, "task">,
  { candidates }: Pick<TaskState, "candidates">,
  { tree }: Candidate,
  tests: readonly TestKey[],
): Promise<Judged<readonly StatedPart[]>> {
  const { kind, statement } = context.task;
  if (!kinds.has(kind) || tests.length === 0) return succeed([]);
  const [, ...written] = treesOfTests(context.workspace, candidates);
  return judgeOnThread("parts", context, { statement, within: [tree, ...written], tests });
}
