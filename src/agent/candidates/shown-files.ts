/**
 * Selects the test files to keep, if their author shows several in succession. All kept files run with every candidate.
 */
import type { ActionContext } from "../action.ts";
import { layAsIn } from "./edited-files.ts";
import type { WrittenTests } from "./written-tests.ts";

export interface ShownFiles {
  /**
   * The files of the last call, and earlier files whose tests counted (`counted`). The latter stay part of the work,
   * even if the author then shows other files.
   */
  shown: readonly string[];
  counted: readonly string[];
}

/**
 * Returns the test files to run when an author calls the tool `show`: `files`, and earlier ones whose tests counted.
 * Reverts the other files of earlier calls.
 */
export async function chooseShown(
  context: Pick<ActionContext, "view" | "workspace">,
  known: ShownFiles,
  files: readonly string[],
): Promise<readonly string[]> {
  const { view, workspace } = context;
  const meant = new Set([...known.counted, ...files]);
  const there = new Set((await workspace.trees.list(view.tree())).map(({ path }) => path));
  const left = known.shown.filter((file) => !meant.has(file) && there.has(file));
  await layAsIn(context, workspace.base, left);
  known.shown = [...meant];
  return known.shown.filter((file) => there.has(file) || files.includes(file));
}

/**
 * Returns the shown files with a test that counts: it fails for the stated reason, or passes on the base. Empty if no
 * test counts. Returns all shown files if a test counts but the report does not name tests by file.
 */
export function filesThatCount(
  shown: readonly string[],
  { failing, guards, strangers }: Pick<WrittenTests, "failing" | "guards" | "strangers">,
): readonly string[] {
  const targetsOf = (outcomes: WrittenTests["failing"]): string[] => outcomes.map(({ key }) => key.target);
  const [good, bad] = [targetsOf([...failing, ...guards]), targetsOf(strangers)];
  if (good.length === 0) return [];
  return [...good, ...bad].some((target) => shown.includes(target))
    ? shown.filter((file) => good.includes(file))
    : shown;
}
