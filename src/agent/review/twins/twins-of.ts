/** Finds the twins of a candidate on a thread, once per tree. */
import { succeed } from "../../../base/result.ts";
import type { Candidate } from "../../../domain/candidate.ts";
import type { TaskKind } from "../../../domain/task.ts";
import type { Workspace } from "../../../workspace/contract.ts";
import type { JudgeContext } from "../../action.ts";
import { readChange } from "../../code/change.ts";
import { type Judged, judgeOnThread, type ThreadContext } from "../judges/judge-threads.ts";
import { judgeSize } from "../texts/too-large.ts";
import type { Twin } from "./unchanged-twins.ts";

/** Kinds that repair a fault, which may have been copied. */
const repairing: ReadonlySet<TaskKind> = new Set(["repair", "partial-fix"]);
type Twins = Promise<Judged<readonly Twin[]>>;
const known = new WeakMap<Workspace, Map<string, Twins>>();

/**
 * Returns the candidate's twins. Caches them per tree, unless it cannot read the tree. Returns an empty list for task
 * kinds without a fault, and for patches that are too large to read.
 */
export function twinsOf(
  context: ThreadContext & Pick<JudgeContext, "task">,
  { tree }: Pick<Candidate, "tree">,
): Twins {
  const { workspace, regions, task } = context;
  if (!repairing.has(task.kind)) return Promise.resolve(succeed([]));
  const ofTrees = known.get(workspace) ?? new Map<string, Twins>();
  known.set(workspace, ofTrees);
  const cached = ofTrees.get(tree);
  if (cached !== undefined) return cached;
  const found = readChange(workspace.trees, regions, workspace.base, tree).then(({ files }) =>
    judgeSize(files).length > 0 ? succeed([]) : judgeOnThread("twins", context, { files }),
  );
  ofTrees.set(tree, found);
  const forget = (): boolean => ofTrees.delete(tree);
  void found.then(({ ok }) => ok || forget(), forget);
  return found;
}
