import { defineReviewCheck } from "../contract.ts";
import { judgeSpecialCases } from "../special-cases/special-cases.ts";
import { readShownKeys, treesOfTests } from "../statement/shown-literals.ts";
import { baseFiles } from "../texts/base-files.ts";

export default defineReviewCheck({
  name: "special-cases",
  description:
    "Finds added code that treats an input of the failing tests separately, or returns their expected results.",
  async read({ change: { files }, workspace, regions, task }, { fault, candidates }) {
    const trees = treesOfTests(workspace, candidates);
    const shown = await readShownKeys(workspace.trees, trees, fault?.targets ?? []);
    const { statement } = task;
    return judgeSpecialCases({ files, shown, statement, base: baseFiles(workspace), regions });
  },
});
