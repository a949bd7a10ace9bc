/**
 * Chooses a patch by majority vote. Patches whose changed files have the same normal form count as one (Agentless, Xia
 * et al., FSE 2025; MarsCode Agent, Liu et al., 2024). Millwright's normal form covers every language with a grammar,
 * and also normalises names of local variables.
 */
import type { Candidate } from "../../domain/candidate.ts";
import { normalKey } from "../../syntax/normal-form.ts";
import type { Workspace } from "../../workspace/contract.ts";

/** Candidates with the same meaning, in the given order. */
export interface VoteGroup {
  readonly candidates: readonly [Candidate, ...Candidate[]];
  /** The candidates' common normal form. Equal texts mean equal patches. */
  readonly form: string;
}

export interface Vote {
  /** The first candidate of the largest group. Undefined if all candidates change only comments and formatting. */
  readonly winner: Candidate | undefined;
  /** Groups by size, the largest first. Equal groups keep the order of their first candidates. */
  readonly groups: readonly VoteGroup[];
}

export interface VoteOptions {
  /** True to ignore the paths of files. Callers use this for new files with arbitrary names. */
  readonly ignorePaths?: boolean;
}

/**
 * Groups candidates with the same meaning; the largest group wins. Ignores candidates that change only comments and
 * formatting.
 */
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
  // Stable sorting keeps the first seen group first.
  const groups = [...byForm]
    .map(([form, same]) => ({ form, candidates: same }))
    .sort((one, other) => other.candidates.length - one.candidates.length);
  return { winner: groups[0]?.candidates[0], groups };
}

/** Returns one line for each file whose normal form differs from the base's; "" if no file differs. */
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
