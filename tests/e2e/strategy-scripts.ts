/**
 * A script for each strategy on one repository, `placedRepository`: short, and yet models are shown what differs from sandbox to sandbox
 * and from process to process (paths in failures, in shells and of temporary files, addresses, times).
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Playground } from "./millwright.ts";
import { editBlock, type ScriptedAnswer } from "./scripted-solve.ts";

export interface StrategyScript {
  readonly strategy: string;
  readonly statement: string;
  readonly args: readonly string[];
  readonly answers: readonly ScriptedAnswer[];
}

const account = "ledger/account.py";
const wrong = "    return amount < available";
const right = "    return amount <= available";

const placeTest = `import os
import tempfile
import unittest

from ledger.account import Account


class PlaceTest(unittest.TestCase):
    def test_empties_an_account_somewhere(self):
        with tempfile.TemporaryDirectory() as folder:
            account = Account("rent", 5)
            try:
                account.withdraw(5)
            except Exception as error:
                raise AssertionError(f"{error!r} in {os.getcwd()} and {folder} for {account}") from error
`;

/** A program whose failing tests tell where and in which process they ran. */
export function placedRepository(playground: Playground): string {
  const repository = playground.copyRepository("repair-python", { git: false });
  writeFileSync(join(repository, "tests", "test_place.py"), placeTest);
  return repository;
}

const call = (role: string, name: string, input: object = {}): ScriptedAnswer => ({
  role,
  calls: [{ name, input }],
});
const edit = (after: string, before = wrong): ScriptedAnswer =>
  call("editing", "edit", { edits: editBlock(account, before, after) });
const done = call("editing", "done", { summary: "all of it may be paid" });
const place = { file: account, startLine: 22, endLine: 24 };
const found = call("retrieval", "report", {
  places: [{ ...place, why: "it decides" }],
  answer: "can_cover decides",
});
const statement =
  "Emptying an account by `withdraw`, or a transfer of the `whole_overdraft`, is refused: InsufficientFunds is raised";

/** `repository` is the path that a model knows it by. */
export function strategyScripts(repository: string): readonly StrategyScript[] {
  const bash = (command: string): ScriptedAnswer => call("editing", "bash", { command });
  const shell: readonly ScriptedAnswer[] = [
    bash("pwd; cd ledger; pwd -P; ls; echo $TMPDIR; date +%N; echo $$; mktemp"),
    bash(
      `grep -n available ${repository}/${account}; python3 -m unittest discover -s ${repository} 2>&1 | tail -40`,
    ),
    bash(
      `printf 'import os\\nprint(open("${repository}/ledger/__init__.py").name, os.getcwd())\\n' > ${repository}/where.py; python3 ../where.py; rm ../where.py; python3 ${repository}/gone.py`,
    ),
    call("editing", "view", { path: `${repository}/${account}` }),
    call("editing", "str_replace", { path: account, old: wrong, new: right }),
    call("editing", "submit", { summary: "all of it may be paid" }),
  ];
  const review = { correct: true, analysis: "It fits the statement.", advice: "" };
  return [
    { strategy: "search-repair", statement: "", args: [], answers: [] },
    {
      strategy: "unified",
      statement,
      args: ["--without", "review-patch"],
      answers: [
        call("planning", "probe-environment"),
        call("planning", "execute-tests"),
        call("planning", "code-retrieval", { intent: "where a payment is refused" }),
        call("retrieval", "find", { query: "withdraw refuses the whole balance" }),
        found,
        call("planning", "edit-code", { intent: "let all of it be paid" }),
        edit("    return amount < available + 0"),
        done,
        call("planning", "edit-code", { intent: "let all of it be paid", candidate: "c1" }),
        edit(right, "    return amount < available + 0"),
        done,
        { ...call("planning", "finish", { candidate: "c2" }), times: "always" },
      ],
    },
    {
      strategy: "workflow",
      statement,
      args: ["--without", "review-patch,reproduction"],
      answers: [
        found,
        edit("    return amount < available + 0"),
        done,
        edit(right, "    return amount < available + 0"),
        done,
      ],
    },
    {
      strategy: "marscode",
      statement,
      args: [],
      answers: [
        found,
        { role: "planning", json: { mode: "dynamic", why: "tests fail" } },
        edit("    return amount < available + 0"),
        done,
        call("editing", "reset"),
        edit(right),
        done,
      ],
    },
    {
      strategy: "rustforger",
      statement,
      args: [],
      answers: [
        bash(`cat ${repository}/.millwright/reproduction/run; sh .millwright/reproduction/run; ls -la`),
        call("editing", "trace", {
          instrument: [`${account}:can_cover`],
          command: `cd ${repository} && python3 -m unittest tests.test_place`,
        }),
        call("editing", "trace_show", { call: "#1.1" }),
        ...shell,
      ],
    },
    {
      strategy: "agentless",
      statement,
      args: ["--samples", "2"],
      answers: [
        { role: "retrieval", system: "Name the files to change", json: { files: [account] } },
        { role: "retrieval", system: "nothing to do with the task", json: { folders: [] } },
        {
          role: "retrieval",
          system: "Name the classes, functions",
          json: { elements: [{ file: account, names: ["can_cover"] }] },
        },
        { role: "retrieval", system: "Name all places", json: { places: [place] }, times: "always" },
        { role: "editing", sample: 0, text: editBlock(account, wrong, "    return True") },
        { role: "editing", sample: 1, text: editBlock(account, wrong, right) },
        { role: "review", json: { tests: [] } },
      ],
    },
    {
      strategy: "autocoderover",
      statement,
      args: ["--without", "write-test"],
      answers: [
        call("retrieval", "search_method", { method_name: "can_cover" }),
        call("retrieval", "report", {
          locations: [{ ...place, intended_behavior: "true up to all that is available" }],
        }),
        { role: "editing", text: editBlock(account, wrong, right) },
        {
          role: "review",
          system: "Review a patch",
          json: { patch: review, test: review },
          times: "always",
        },
      ],
    },
    { strategy: "react", statement, args: [], answers: shell },
    {
      strategy: "best-of",
      statement,
      args: ["--arms", "unified,react"],
      answers: [
        call("planning", "edit-code", { intent: "let all of it be paid" }),
        edit("    return True"),
        done,
        call("planning", "finish", { candidate: "c1" }),
        { role: "planning", text: "Enough.", times: "always" },
        ...shell.map((answer) => ({ ...answer, system: "with a shell and an editor" })),
      ],
    },
  ];
}
