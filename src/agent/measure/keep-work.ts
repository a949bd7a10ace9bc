/** What a strategy left in a working tree becomes candidates: the parts that the task's kind has, and tests that show the fault. */
import type { FileChange, TreeStore } from "../../workspace/contract.ts";
import type { ActionContext } from "../action.ts";
import { type ChangedFiles, changedFiles } from "../kinds/changed-files.ts";
import type { Part } from "../kinds/contract.ts";
import { rulesOf } from "../kinds/rules-of.ts";
import { keepCandidate } from "../state/keep-candidate.ts";
import type { TaskState } from "../state/task-state.ts";
import { keepWritten, runWritten } from "./written-tests.ts";

export interface KeptWork {
  readonly state: TaskState;
  /** For people: what of the work is not used, and why. */
  readonly remarks: readonly string[];
}

/**
 * Of a patch of code alone the tests are no part. Where no test of the repository shows what the statement reports, they serve to show
 * it, provided that they fail without the code for the reason that it gives.
 */
export async function keepWork(
  context: ActionContext,
  state: TaskState,
  tree: string,
  origin: string,
): Promise<KeptWork> {
  const { workspace, task } = context;
  const { base, trees } = workspace;
  const changed = await changedFiles(trees, base, tree);
  const { parts } = rulesOf(task.kind);
  const unused = new Set([...changed.tests, ...changed.code, ...changed.inside]);
  let next = state;
  for (const part of parts) {
    const files = filesOf(changed, part);
    if (files.length === 0) continue;
    for (const path of files) unused.delete(path);
    const kept = { tree: await pick(trees, base, tree, files), kind: part.kind, origin };
    next = keepCandidate(context, next, kept).state;
  }
  const left = [...unused];
  const tests = left.filter((path) => changed.tests.includes(path));
  if (tests.length === 0 || next === state || next.fault !== undefined)
    return { state: next, remarks: describeUnused(left, "") };
  const shown = await showFault(context, next, await pick(trees, base, tree, tests), tests);
  if (typeof shown !== "string") return { state: shown, remarks: [] };
  return { state: next, remarks: describeUnused(left, `: ${shown}`) };
}

/** A source in which only its tests change belongs to them. */
function filesOf({ tests, code, inside }: ChangedFiles, { files }: Part): string[] {
  const ofTests = [...tests, ...inside.filter((path) => !code.includes(path))];
  if (files === "both") return [...ofTests, ...code];
  return files === "tests" ? ofTests : [...code];
}

function describeUnused(paths: readonly string[], why: string): string[] {
  return paths.length === 0
    ? []
    : [`Changed too, and no part of what is delivered: ${paths.join(", ")}${why}.`];
}

/** The base with these files of another tree. */
async function pick(trees: TreeStore, base: string, tree: string, paths: readonly string[]): Promise<string> {
  const modes = new Map((await trees.list(tree)).map(({ path, mode }) => [path, mode]));
  const changes: FileChange[] = [];
  for (const path of paths) {
    const content = (await trees.read(tree, path)) ?? null;
    const mode = modes.get(path) as FileChange["mode"];
    changes.push({ path, content, ...(mode === undefined ? {} : { mode }) });
  }
  return trees.write(base, changes);
}

/** The state with the reproduction, or why the tests are none. Nobody is left from whom some could be held back. */
async function showFault(
  context: ActionContext,
  state: TaskState,
  tree: string,
  files: readonly string[],
): Promise<TaskState | string> {
  const ran = await runWritten(context, tree, files);
  if (!ran.ok) return `their run cannot be trusted, ${ran.message}`;
  if (ran.value.failing.length === 0)
    return ran.value.strangers.length === 0
      ? "none of them fails without the patch"
      : "none of them fails without the patch for the reason that the statement gives";
  const switches = { ...context.switches, heldBack: false };
  const kept = await keepWritten({ ...context, switches }, state, ran.value, "third");
  return kept.ok ? kept.value.state : kept.message;
}
