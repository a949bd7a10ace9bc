/** Describes how a patch changes the expectations of an existing test, for a review of this change. */
import type { TestKey } from "../../domain/test-outcome.ts";
import { diffLines } from "../../edit/line-diff.ts";
import { languageOf } from "../../languages/source-files.ts";
import type { ActionContext } from "../action.ts";
import { changedFiles } from "../code/changed-files.ts";
import { asserts } from "../measure/asserted-text.ts";
import { testsOf } from "../measure/text-of-tests.ts";

interface Versions {
  /** The tree with the base's version of the tests. */
  readonly kept: string;
  /** The tree with the patch's version. */
  readonly worded: string;
}

/** Maximum characters of a change. For a larger change, the author must give the reason. */
const longest = 600;

/**
 * Returns a function that describes the change of a test, as a clause: its changed lines, or else the changed lines of
 * test data such as snapshots. Undefined if nothing changes, the change is too large, or the test may check less.
 */
export function openRewordings(
  context: Pick<ActionContext, "regions" | "view" | "workspace">,
  { kept, worded }: Versions,
): (key: TestKey) => Promise<string | undefined> {
  const { regions, workspace } = context;
  const { trees } = workspace;
  const [old, now] = [testsOf(context, kept), testsOf(context, worded)];
  const linesOf = async (tree: string, path: string): Promise<string> =>
    (await trees.read(tree, path))?.toString("utf8") ?? "";
  return async (key) => {
    const [before, after] = [await old.body(key), await now.body(key)];
    if (mayCheckLess(before, after)) return undefined;
    const ofTest = describe(before, after);
    if (ofTest !== "") return ofTest.length > longest ? undefined : `the patch changes the test: ${ofTest}`;
    const { tests } = await changedFiles(trees, regions, kept, worded);
    const told: string[] = [];
    for (const path of tests.filter((each) => languageOf(each) === undefined)) {
      const change = describe(await linesOf(kept, path), await linesOf(worded, path));
      if (change !== "") told.push(`${path}: ${change}`);
    }
    const all = told.join("; ");
    return all === "" || all.length > longest ? undefined : `the patch changes expected values in ${all}`;
  };
}

/** True if more than one assertion changes, or an assertion has no successor. */
function mayCheckLess(before: string, after: string): boolean {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const count = (lines: readonly string[]): number => lines.filter((line) => asserts.test(line)).length;
  const counts = diffLines(old, now, (line) => line.trim()).map(({ fromStart, fromEnd, toStart, toEnd }) => ({
    gone: count(old.slice(fromStart, fromEnd)),
    come: count(now.slice(toStart, toEnd)),
  }));
  return counts.some(({ gone, come }) => gone > come) || counts.reduce((sum, { gone }) => sum + gone, 0) > 1;
}

function describe(before: string, after: string): string {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const shown = (lines: readonly string[]): string => {
    const text = lines.map((line) => line.trim()).join("\n");
    return text.trim() === "" ? "nothing" : `\`${text}\``;
  };
  return diffLines(old, now, (line) => line.trim())
    .map(
      ({ fromStart, fromEnd, toStart, toEnd }) =>
        `${shown(old.slice(fromStart, fromEnd))} becomes ${shown(now.slice(toStart, toEnd))}`,
    )
    .join("; ");
}
