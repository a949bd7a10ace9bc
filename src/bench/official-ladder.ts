/** Applies a patch as a benchmark's own harness does, for the verdict by the benchmark's rule alone. */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { quoteWord } from "../base/shell-word.ts";
import type { Checkout } from "../workspace/contract.ts";

/** The commands of one version of a harness that apply a patch. The harness takes the first one that succeeds. */
export interface Ladder {
  /** The version's name in results and logs. */
  readonly name: string;
  readonly steps: readonly string[];
  /** True if the harness restores the files between two commands. */
  readonly restores: boolean;
  /** If this command succeeds after the last one, the patch counts as applied. */
  readonly check?: string;
}

/**
 * SWE-bench's commands (`run_evaluation.py`), the current version first. Version 5.0.2 also tries `git apply --3way`,
 * which needs the history that Millwright removes: it only helps if an earlier version of a file fits the patch.
 */
export const sweBenchLadders: readonly Ladder[] = [
  {
    name: "swe-bench-5",
    steps: ["git apply --verbose", "git apply --verbose --reject", "patch --batch --forward --fuzz=5 -p1 -i"],
    restores: true,
    check: "git apply --check --reverse",
  },
  {
    name: "swe-bench-4",
    steps: ["git apply --verbose", "git apply --verbose --reject", "patch --batch --fuzz=5 -p1 -i"],
    restores: false,
  },
];

/** Milliseconds for one command. */
const limitMs = 60_000;

/** Returns the tree with the patch; undefined if no command of the ladder applies it. Runs in the sandbox. */
export async function climbLadder(
  { steps, restores, check }: Ladder,
  checkout: Pick<Checkout, "scratch" | "lay" | "execute" | "take">,
  base: string,
  patch: string,
): Promise<string | undefined> {
  const name = "official.patch";
  await writeFile(join(checkout.scratch.host, name), patch);
  for (const [at, step] of [...steps, ...(check === undefined ? [] : [check])].entries()) {
    if (at === 0 || (restores && step !== check)) await checkout.lay(base);
    const run = `${step} ${quoteWord(join(checkout.scratch.inside, name))}`;
    const { end, exitCode } = await checkout.execute({ run, timeoutMs: limitMs });
    if (end === "exited" && exitCode === 0) return (await checkout.take()).tree;
  }
  return undefined;
}
