import { judgeAttack } from "../attack-findings.ts";
import { baseFiles } from "../base-files.ts";
import { defineReviewCheck } from "../contract.ts";

export default defineReviewCheck({
  name: "attack-signs",
  description:
    "Finds added code that manipulates its own test: the test runner, exits of the process, checks whether tests run.",
  run: ({ change, workspace, task }) => judgeAttack(change.files, baseFiles(workspace), task.statement),
});
