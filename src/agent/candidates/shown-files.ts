/** Of files of tests that their author shows one after the other, those that stay: others would be laid beside every candidate. */
import type { ActionContext } from "../action.ts";
import { layAsIn } from "./edited-files.ts";
import type { WrittenTests } from "./written-tests.ts";

export interface ShownFiles {
  /** So far: whoever shows others means these too, as far as their tests counted. */
  shown: readonly string[];
  counted: readonly string[];
}

/** What is to be run where `files` are shown. What an earlier look refused and this one leaves out becomes what it was. */
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

/** Those of which tests fail as they are to, or pass; all where the report does not name tests by their files. */
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
