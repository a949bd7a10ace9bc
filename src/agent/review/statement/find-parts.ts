/** Finds the stated cases that none of the deciding tests shows by its words. Runs on a thread. */
import type { TestKey } from "../../../domain/test-outcome.ts";
import type { TextContext } from "../contract.ts";
import { baseFiles } from "../texts/base-files.ts";
import { readOwnTests } from "../texts/own-tests.ts";
import { listLeftOut } from "./stated-pairs.ts";
import { findUnshownParts, type StatedPart } from "./stated-parts.ts";

export interface PartsInput {
  readonly statement: string;
  /** The trees with written tests. */
  readonly within: readonly string[];
  readonly tests: readonly TestKey[];
}

export async function findParts(
  { workspace }: Pick<TextContext, "workspace">,
  { statement, within, tests }: PartsInput,
): Promise<StatedPart[]> {
  const own = await readOwnTests(workspace.trees, workspace.base, within, tests);
  const left = await listLeftOut(statement, own, baseFiles(workspace));
  return [...left, ...findUnshownParts(statement, own)];
}
