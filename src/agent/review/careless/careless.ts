/** Finds code that fails for callers or inputs without a test. Each form is wrong in nearly every program. */
import type { ChangedFile } from "../../code/change.ts";
import type { Finding } from "../contract.ts";
import { statedSubjects } from "../statement/stated-subjects.ts";
import type { BaseFiles } from "../texts/base-files.ts";
import { readChangedCode } from "../texts/code-lines.ts";
import { judgeCarelessForms } from "./careless-code.ts";
import { judgeKeptResults } from "./kept-results.ts";
import { judgeLeftCallers } from "./left-callers.ts";
import { judgeLostProtections } from "./lost-protections.ts";

/**
 * Objects to careless code, stale results and broken callers in a patch. Unlike a sign of an attack, such code does not
 * indicate that the patch manipulates its tests.
 */
export async function judgeCareless(
  files: readonly ChangedFile[],
  base: BaseFiles,
  statement: string,
): Promise<Finding[]> {
  const subjects = statedSubjects(statement);
  const changed = await readChangedCode(files);
  return [
    ...judgeCarelessForms(changed, subjects),
    ...(await judgeLostProtections(changed, base, subjects)),
    ...(await judgeKeptResults(changed, files, base, subjects)),
    ...(await judgeLeftCallers(changed, files, base)),
  ];
}
