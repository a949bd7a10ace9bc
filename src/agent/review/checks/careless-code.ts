import { baseFiles } from "../base-files.ts";
import { judgeCareless } from "../careless.ts";
import { defineReviewCheck } from "../contract.ts";

export default defineReviewCheck({
  name: "careless-code",
  description:
    "Finds code that is wrong for other callers or later calls: shared defaults, stale results, lost errors.",
  read: ({ change, workspace, task }) => judgeCareless(change.files, baseFiles(workspace), task.statement),
});
