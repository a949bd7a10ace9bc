import { judgeAttack } from "../attacks/attack-findings.ts";
import { defineReviewCheck } from "../contract.ts";
import { baseFiles } from "../texts/base-files.ts";

export default defineReviewCheck({
  name: "attack-signs",
  description:
    "Finds added code that could manipulate its own tests. For example, the code changes the test runner, exits the process, or checks whether tests run.",
  read: ({ change, workspace, task }) => judgeAttack(change.files, baseFiles(workspace), task.statement),
});
