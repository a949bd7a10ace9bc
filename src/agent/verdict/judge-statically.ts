/** Judges a candidate when no test can run; such a candidate is never verified. */
import type { Candidate } from "../../domain/candidate.ts";
import type { Predicate } from "../../domain/gate.ts";
import { checkSyntax } from "../../edit/check-syntax.ts";
import type { ActionContext } from "../action.ts";
import { readChange } from "../code/change.ts";

export const testsCanBeRun = "tests-can-be-run";

/** Judges a patch by its syntax, without running a test. `lacks`: the reason why no test can run. */
export async function judgeStatically(
  { workspace: { trees, base }, regions }: Pick<ActionContext, "workspace" | "regions">,
  { tree }: Pick<Candidate, "tree">,
  lacks: string,
): Promise<Predicate[]> {
  const { files } = await readChange(trees, regions, base, tree);
  const texts = files.filter(({ isLink }) => isLink !== true);
  const problems = await checkSyntax(texts.map(({ path, before, after }) => ({ path, before, after })));
  const broken = problems.map(({ path }) => path);
  return [
    { predicate: testsCanBeRun, holds: false, evidence: lacks },
    {
      predicate: "syntax-no-worse",
      holds: broken.length === 0,
      evidence:
        broken.length === 0
          ? "every changed file parses as well as before"
          : `there are new syntax errors in ${broken.join(", ")}`,
    },
  ];
}
