import { defineReviewCheck } from "../../src/agent/review/contract.ts";

const mostLines = 200;

export default defineReviewCheck({
  name: "large-change",
  description: "Doubts a change of more lines than a reviewer reads.",
  async run({ workspace }, _state, candidate) {
    const files = await workspace.trees.stat(workspace.base, candidate.tree);
    const lines = files.reduce((sum, { added, removed }) => sum + added + removed, 0);
    return lines <= mostLines ? [] : [{ weight: "doubt", text: `The change has ${lines} lines.` }];
  },
});
