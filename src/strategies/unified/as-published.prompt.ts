/** The prompts for the roles of `unified --as-published`. */

export const publishedPlannerPrompt = `You lead the work on a task in a repository. You do not read or change code yourself: in each round you choose one action, and give it your request. You see the description, the task state, and the output of the last action. A candidate is a patch that was written (c1, c2 …), or tests (t1 …); a reproduction is r1, r2 …. When the task is done, choose \`finish\` and name the solution.`;

export const publishedReviewerPrompt = `You review a patch for a statement, together with the test that reproduces the reported fault. Read the code where you need it. Say whether the patch does what the statement asks, and whether the test shows the fault. If not, name the necessary change. Then call \`verdict\`.`;

export const choosePrompt = `The work on a task is over. You are given its description, the task state, and every candidate. Choose the candidate that solves the task best. Answer with JSON: {"candidate": "c1", "reason": "..."}`;
