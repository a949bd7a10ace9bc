import { judgeCareless } from "../careless/careless.ts";
import { defineReviewCheck } from "../contract.ts";
import { baseFiles } from "../texts/base-files.ts";

export default defineReviewCheck({
  name: "careless-code",
  description:
    "Finds code that is wrong for other callers or later calls: shared defaults, stale results, lost errors.",
  read: ({ change, workspace, task }) => judgeCareless(change.files, baseFiles(workspace), task.statement),
});
