/** Runs in which each role of `unified`, and `react`, is asked: for the page of prompts and its test. */
export const statement =
  "A transfer of the `whole_overdraft`, or one that empties an account, is refused: InsufficientFunds is raised";

const call = (role: string, name: string, input: object, times: number | "always" = 1) => ({
  when: { role },
  times,
  calls: [{ name, input }],
});

/** What the model says is little: what it is asked counts. */
export const answersFor = {
  unified: [
    call("planning", "reproduction", { intent: "show that one cent too much is paid" }),
    call("reproduction", "give_up", { reason: "seen enough" }, "always"),
    call("planning", "code-retrieval", { intent: "where a payment is refused" }),
    call("retrieval", "report", { places: [], answer: "in can_cover" }, "always"),
    call("planning", "edit-code", { intent: "let all that is available be paid" }),
    call("editing", "edit", {
      edits:
        "ledger/account.py\n<<<<<<< SEARCH\n    return amount < available\n=======\n    return amount <= available\n>>>>>>> REPLACE\n",
    }),
    call("editing", "done", { summary: "all that is available may be paid" }, "always"),
    call(
      "review",
      "verdict",
      {
        patch: { approved: true, analysis: "It compares with all that is available", advice: "" },
        tests: { approved: true, analysis: "They ask for all of it" },
      },
      "always",
    ),
    call("planning", "finish", { candidate: "c1" }, "always"),
  ],
  react: [call("editing", "submit", { summary: "nothing" }, "always")],
} as const;
