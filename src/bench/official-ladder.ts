/** Applies a patch as a benchmark's own harness does, for the verdict by the benchmark's rule alone. */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { quoteWord } from "../base/shell-word.ts";
import type { Checkout } from "../workspace/contract.ts";

/**
 * SWE-bench's commands, in the order of its harness (`run_evaluation.py`, version 4). The harness takes the first one
 * that succeeds, and does not restore the files between two commands.
 */
export const sweBenchLadder: readonly string[] = [
  "git apply --verbose",
  "git apply --verbose --reject",
  "patch --batch --fuzz=5 -p1 -i",
];

/** Milliseconds for one command. */
const limitMs = 60_000;

/** Returns the tree with the patch; undefined if no command of the ladder applies it. Runs in the sandbox. */
export async function climbLadder(
  ladder: readonly string[],
  checkout: Checkout,
  base: string,
  patch: string,
): Promise<string | undefined> {
  const name = "official.patch";
  await writeFile(join(checkout.scratch.host, name), patch);
  await checkout.lay(base);
  for (const step of ladder) {
    const run = `${step} ${quoteWord(join(checkout.scratch.inside, name))}`;
    const { end, exitCode } = await checkout.execute({ run, timeoutMs: limitMs });
    if (end === "exited" && exitCode === 0) return (await checkout.take()).tree;
  }
  return undefined;
}
