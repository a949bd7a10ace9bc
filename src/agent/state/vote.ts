/**
 * Majority vote over patches: those whose changed files have the same normal form are one patch (Agentless, Xia et al., FSE 2025;
 * MarsCode Agent, Liu et al., 2024). Ours is for every language that has a grammar, and evens out the names of local variables too.
 */
import type { Candidate } from "../../domain/candidate.ts";
import { normalKey } from "../../syntax/normal-form.ts";
import type { Workspace } from "../../workspace/contract.ts";

/** Candidates of one meaning, in the order in which they were given. */
export interface VoteGroup {
  readonly candidates: readonly [Candidate, ...Candidate[]];
  /** What they share: equal texts, equal patches. */
  readonly form: string;
}

export interface Vote {
  /** The first candidate of the largest group; undefined where no candidate changes anything that counts. */
  readonly winner: Candidate | undefined;
  /** The largest first; of equals the one that was seen first. */
  readonly groups: readonly VoteGroup[];
}

export interface VoteOptions {
  /** Where a file stands does not count: for new files whose names say nothing. */
  readonly ignorePaths?: boolean;
}

/** Candidates that change nothing but comments and formatting have no voice. */
export async function voteCandidates(
  { workspace }: { readonly workspace: Workspace },
  candidates: readonly Candidate[],
  options: VoteOptions = {},
): Promise<Vote> {
  const byForm = new Map<string, [Candidate, ...Candidate[]]>();
  for (const candidate of candidates) {
    const form = await formOf(workspace, candidate.tree, options);
    if (form === "") continue;
    const same = byForm.get(form);
    if (same === undefined) byForm.set(form, [candidate]);
    else same.push(candidate);
  }
  // Sorting is stable: the first seen stays first.
  const groups = [...byForm]
    .map(([form, same]) => ({ form, candidates: same }))
    .sort((one, other) => other.candidates.length - one.candidates.length);
  return { winner: groups[0]?.candidates[0], groups };
}

/** A line for each file whose meaning differs from the base's; "" where none does. */
export async function formOf(
  { trees, base }: Workspace,
  tree: string,
  { ignorePaths = false }: VoteOptions = {},
): Promise<string> {
  const lines: string[] = [];
  for (const { path } of await trees.stat(base, tree)) {
    const before = await keyOf(path, await trees.read(base, path));
    const after = await keyOf(path, await trees.read(tree, path));
    if (before !== after) lines.push(`${ignorePaths ? "" : path} ${after}`);
  }
  return lines.sort().join("\n");
}

async function keyOf(path: string, content: Buffer | undefined): Promise<string> {
  return content === undefined ? "no file" : normalKey(path, content.toString("utf8"));
}
