/** Tasks at the ledger for the suites in miniature, and the answers of a model to each strategy. */
import { join } from "node:path";
import { mendLedger, type TaskRepository, writeLines } from "./bench-fixture.ts";
import type { Playground } from "./millwright.ts";
import { editBlock, type ScriptedAnswer } from "./scripted-solve.ts";
import { strategyScripts } from "./strategy-scripts.ts";

export const testKey = (name: string): string => `tests/test_transfer.py::TransferTest.${name}`;
export const testCommand = "python3 -m unittest";

/** Of five tasks, the hidden tests of the last two cannot pass. */
export const resolvable = 3;

export interface FiveTasks {
  readonly all: string;
  /** The first task alone. All five have one statement, so that one recording answers all. */
  readonly first: string;
}

/** Writes five tasks in SWE-bench's format. */
export function writeFive(playground: Playground, repository: TaskRepository, dataset: string): FiveTasks {
  const rows = fiveOf(repository).map(({ id, statement, goldPatch, lists }) => ({
    ...{ instance_id: id, repo: repository.name, base_commit: repository.baseCommit },
    ...{ problem_statement: statement, patch: goldPatch, test_patch: "", test_cmd: testCommand },
    ...{ PASS_TO_PASS: lists.passToPass, FAIL_TO_PASS: lists.failToPass },
  }));
  const [all, first] = [dataset, `first-${dataset}`].map((name) => join(playground.folder, `${name}.jsonl`));
  writeLines(all ?? "", rows);
  writeLines(first ?? "", rows.slice(0, 1));
  return { all: all ?? "", first: first ?? "" };
}

/** The parts of the five tasks that every format has. */
export function fiveOf(repository: TaskRepository) {
  const { statement = "" } = strategyScripts("").find(({ strategy }) => strategy === "unified") ?? {};
  const goldPatch = repository.patch((folder) => mendLedger(folder));
  return [1, 2, 3, 4, 5].map((number) => ({
    ...{ id: `acme__ledger-${number}`, statement, goldPatch },
    lists: {
      passToPass: [testKey("test_moves_the_amount")],
      failToPass: [testKey(number > resolvable ? "test_is_not_there" : "test_empties_an_account")],
    },
  }));
}

export const account = "ledger/account.py";
const wrong = "    return amount < available";
const right = "    return amount <= available";
const summary = "all of it may be paid";

const call = (role: string, name: string, input: object = {}): ScriptedAnswer => ({
  role,
  calls: [{ name, input }],
});
export const mending = { path: account, before: wrong, after: right };
const edit = call("editing", "edit", { edits: editBlock(account, wrong, right) });
const done = call("editing", "done", { summary });
const place = { file: account, startLine: 22, endLine: 24 };
const found = call("retrieval", "report", {
  places: [{ ...place, why: "it decides" }],
  answer: "can_cover decides",
});
const judged = { approved: true, analysis: "it compares with all that is available", advice: "" };
const approving: ScriptedAnswer = {
  ...call("review", "verdict", { patch: judged, tests: judged }),
  times: "always",
};
const mend = call("editing", "str_replace", { path: account, old: wrong, new: right });
const submit: ScriptedAnswer = { ...call("editing", "submit", { summary }), times: "always" };

const entry = ".millwright/reproduction/reproduction.py";
const program = `from ledger.account import Account, can_cover
print("allowed", can_cover(Account("a", 10), 10))`;
const run = (file: string): string =>
  `cat > ${file} <<'END'\n${program}\nEND\nPYTHONPATH=$PWD python3 ${file}; echo 'error[E0433]: an error, as cargo prints it'`;

/** Scripts for the repair of the ledger, by variant. */
export const ledgerScripts = {
  marscode: [
    ...[found, { role: "planning", json: { mode: "dynamic", why: "tests fail" } }],
    ...[edit, done, approving],
  ],
  unified: [
    ...[call("planning", "code-retrieval", { intent: "where a payment is refused" }), found],
    ...[call("planning", "edit-code", { intent: "let all of it be paid" }), edit, done],
    { ...call("planning", "finish", { candidate: "c1" }), times: "always" },
    approving,
  ],
  agentless: [
    { role: "retrieval", system: "Name the files to change", json: { files: [account] } },
    { role: "retrieval", system: "nothing to do with the task", json: { folders: [] } },
    {
      ...{ role: "retrieval", system: "Name the classes, functions" },
      json: { elements: [{ file: account, names: ["can_cover"] }] },
    },
    { role: "retrieval", system: "Name all places", json: { places: [place] }, times: "always" },
    { role: "editing", text: editBlock(account, wrong, right), times: "always" },
    { role: "review", json: { tests: [] } },
    { role: "reproduction", text: "No test can show it.", times: "always" },
  ],
  autocoderover: [
    { role: "reproduction", json: { reproducible: false, why: "it names nothing that is called" } },
    call("retrieval", "search_method", { method_name: "can_cover" }),
    call("retrieval", "report", {
      locations: [{ ...place, intended_behavior: "true up to all that is available" }],
    }),
    { role: "editing", text: editBlock(account, wrong, right) },
    {
      ...{ role: "review", system: "Review a patch", times: "always" },
      json: { patch: { ...judged, correct: true }, test: { ...judged, correct: true } },
    },
  ],
  "react-as-published": [call("editing", "view", { path: account }), mend, submit],
  rustforger: [
    call("editing", "bash", { command: run(entry) }),
    call("editing", "trace", {
      instrument: [`${account}:can_cover`],
      command: "sh .millwright/reproduction/run",
    }),
    ...[mend, submit],
  ],
  "rustforger-without-trace": [call("editing", "bash", { command: run(entry) }), mend, submit],
  "rustforger-without-workspace-and-trace": [
    ...[call("editing", "bash", { command: run("show.py") }), mend],
    ...[call("editing", "bash", { command: "rm show.py" }), submit],
  ],
} satisfies Readonly<Record<string, readonly ScriptedAnswer[]>>;

/** The variants of USEagent's suite. */
export const useBenchVariants = [
  ...["unified", "unified-as-published", "unified-as-published-without-execute-tests"],
  ...["react-as-published", "workflow-as-published"],
];

export interface Change {
  readonly path: string;
  /** Empty for a new file. */
  readonly before: string;
  readonly after: string;
}

/** A model that makes the changes at once, whatever the strategy. */
export function scriptOf(
  variant: string,
  changes: readonly Change[],
  candidate = isOnlyTests(changes) ? "t1" : "c1",
): ScriptedAnswer[] {
  if (variant === "react-as-published")
    return [
      ...changes.map(({ path, before, after }) =>
        before === ""
          ? call("editing", "create", { path, text: `${after}\n` })
          : call("editing", "str_replace", { path, old: before, new: after }),
      ),
      submit,
    ];
  const edits = changes.map(({ path, before, after }) => editBlock(path, before, after)).join("\n");
  return [
    {
      ...{ role: "planning", system: "list its requirements", times: "always" },
      json: { requirements: ["It does what it says"] },
    },
    ...(variant === "workflow-as-published"
      ? []
      : [
          call("planning", "edit-code", { intent: "what the statement asks for" }),
          call("planning", "finish", { candidate }),
        ]),
    call("editing", "edit", { edits }),
    { ...call("editing", "done", { summary: "written", requirements: [{ id: "1" }] }), times: "always" },
    { ...call("retrieval", "report", { places: [], answer: "It is plain." }), times: "always" },
    approving,
    { role: "reproduction", text: "No test can show it.", times: "always" },
    { role: "planning", text: "Enough.", times: "always" },
  ];
}

function isOnlyTests(changes: readonly Change[]): boolean {
  return changes.every(({ path }) => path.startsWith("tests/"));
}
