/** Finds the stated cases that none of a candidate's deciding tests shows by its words. */
import type { Candidate } from "../../domain/candidate.ts";
import type { TestKey } from "../../domain/test-outcome.ts";
import type { ActionContext } from "../action.ts";
import type { TaskState } from "../state/task-state.ts";
import { baseFiles } from "./base-files.ts";
import { readOwnTests } from "./own-tests.ts";
import { treesOfTests } from "./shown-literals.ts";
import { listLeftOut } from "./stated-pairs.ts";
import { findUnshownParts, type StatedPart } from "./stated-parts.ts";

const kinds: ReadonlySet<string> = new Set(["repair", "partial-fix"]);

/**
 * Lists the stated cases that no test shows. `tests`: the tests that decide whether the candidate is right. Empty
 * without tests.
 */
export async function listUnshownParts(
  { workspace, task: { kind, statement } }: Pick<ActionContext, "workspace" | "task">,
  { candidates }: Pick<TaskState, "candidates">,
  { tree }: Candidate,
  tests: readonly TestKey[],
): Promise<StatedPart[]> {
  if (!kinds.has(kind) || tests.length === 0) return [];
  const { trees, base } = workspace;
  const [, ...written] = treesOfTests(workspace, candidates);
  const own = await readOwnTests(trees, base, [tree, ...written], tests);
  const left = await listLeftOut(statement, own, baseFiles(workspace));
  const named = left.map((name) => ({ text: `\`${name}\``, isCertain: true }));
  return [...named, ...findUnshownParts(statement, own)];
}
