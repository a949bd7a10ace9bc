/**
 * Runs chosen test files, tests or a command on a set of candidates: ExecuteTests in USEagent's Table 2. The results
 * inform the planner. They judge no candidate.
 */
import { posix } from "node:path";
import { z } from "zod";
import { nameFirst } from "../../base/count.ts";
import { fail, type Result, succeed } from "../../base/result.ts";
import {
  formatTestKey,
  isFailing,
  passedKeys,
  type TestKey,
  type TestOutcome,
} from "../../domain/test-outcome.ts";
import type { Selection } from "../../languages/contract.ts";
import type { ActionContext, RunContext } from "../action.ts";
import { openShellDesk } from "../code/shell-desk.ts";
import { describeResult, wasKilled } from "../code/shell-tools.ts";
import { runOn } from "../measure/run-candidate.ts";
import { isNamedBy } from "../state/named-test.ts";
import { renderFailures, renderRun } from "../state/render-state.ts";
import { adviseClaims } from "../state/says-wrong.ts";
import { findCandidate, type MatrixRow, type TaskState, withoutHeldBack } from "../state/task-state.ts";
import { nameOfSet, tellCounts } from "./measure-set.ts";

export const chosenFields = {
  files: z.array(z.string().min(1)).optional().describe("test files to run, such as [tests/test_cart.py]"),
  tests: z
    .array(z.string().min(1))
    .optional()
    .describe("single tests to run, each as FILE::NAME, such as [tests/test_cart.py::test_total]"),
  command: z
    .string()
    .min(1)
    .optional()
    .describe("a shell command to run, such as `python3 demo.py --total 3`; the reply contains its output"),
};

const chosenSchema = z.object(chosenFields);
export type Chosen = z.infer<typeof chosenSchema>;

export function isChosen({ files = [], tests = [], command = "" }: Chosen): boolean {
  return files.length + tests.length > 0 || command !== "";
}

type ChosenContext = RunContext & Pick<ActionContext, "task">;

interface Ran {
  readonly row: MatrixRow;
  readonly text: string;
}

/**
 * Runs the tests and the command of `chosen` on the base with the candidates `named`. Returns a row for the tests and a
 * row for the command, and a text for models. Fails in these cases: a candidate or file does not exist, candidates
 * conflict, no test was found, or the command could print held-back tests.
 */
export async function runChosen(
  context: ChosenContext,
  state: TaskState,
  named: readonly string[],
  chosen: Chosen,
): Promise<Result<{ readonly rows: readonly MatrixRow[]; readonly text: string }>> {
  const { trees, base } = context.workspace;
  const ids = [...new Set(named)];
  const unknown = ids.filter((id) => findCandidate(state, id) === undefined);
  if (unknown.length > 0) return fail("refused", `There is no candidate ${unknown.join(", ")}.`);
  const whole = state.candidates
    .filter(({ id }) => ids.includes(id))
    // The whole tree, with all changes of the candidate's parent.
    .map(({ parent: _, ...each }) => each);
  const laid = await trees.compose(base, whole, () => base);
  if (!laid.ok) return fail("refused", `The candidates cannot be applied together: ${laid.message}`);
  const on = { ids, tree: laid.value };
  const ran: Ran[] = [];
  if (isChosen({ ...chosen, command: undefined })) {
    const end = await runTests(context, state, on, chosen);
    if (!end.ok) return end;
    ran.push(end.value);
  }
  if (chosen.command !== undefined) {
    const end = await runCommand(context, state, on, chosen.command);
    if (!end.ok) return end;
    ran.push(end.value);
  }
  return succeed({ rows: ran.map(({ row }) => row), text: ran.map(({ text }) => text).join("\n\n") });
}

interface On {
  readonly ids: readonly string[];
  readonly tree: string;
}

async function runTests(
  context: ChosenContext,
  state: TaskState,
  { ids, tree }: On,
  { files = [], tests = [] }: Chosen,
): Promise<Result<Ran>> {
  const keys = knownTests(context, state).filter((key) => isAsked(key, tests));
  const unknown = tests.filter((name) => !keys.some((key) => isAsked(key, [name])));
  const wanted = [...new Set([...files, ...unknown.map(fileOf)].map((file) => posix.normalize(file)))];
  const present = new Set((await context.workspace.trees.list(tree)).map(({ path }) => path));
  const absent = wanted.filter((file) => !present.has(file));
  if (absent.length > 0)
    return fail(
      "refused",
      `${nameOfSet(ids)} has no file ${absent.join(", ")}. Name a test as FILE::NAME. If a candidate such as r1 contains the file, name this candidate, too.`,
    );
  const selections: Selection[] = [
    ...(wanted.length === 0 ? [] : [{ kind: "files" as const, files: wanted }]),
    ...(keys.length === 0 ? [] : [{ kind: "tests" as const, tests: keys }]),
  ];
  const found = new Map<string, TestOutcome>();
  let invalid: string | undefined;
  for (const selection of selections) {
    const ran = await runOn(context, tree, selection);
    for (const outcome of ran.outcomes) {
      const id = formatTestKey(outcome.key);
      if (!isFailing(found.get(id)?.status ?? "not-run")) found.set(id, outcome);
    }
    invalid ??= ran.invalid;
  }
  const all = [...found.values()];
  const asked = files.length > 0 ? all : all.filter(({ key }) => isAsked(key, tests));
  const shown = withoutHeldBack(state.fault, asked);
  if (asked.length === 0 && invalid === undefined)
    return fail("refused", `No such test was found. The files that ran contain: ${listNames(state, all)}.`);
  const hidden = asked.length - shown.length;
  const figures = `${tellCounts(shown)}${hidden === 0 ? "" : `; ${hidden} held back`}`;
  const told = invalid === undefined ? figures : `the run cannot be trusted: ${invalid}`;
  const row = rowOf(ids, { ran: [...files, ...tests].join(", "), outcomes: shown, told, invalid });
  const passed = new Set(passedKeys(context.suite.outcomes).map(formatTestKey));
  const failing = shown.filter(({ status }) => isFailing(status)).map(({ key }) => formatTestKey(key));
  const text = [
    `${renderRun(row)}.`,
    ...renderFailures(shown, context.recorder.outputs),
    ...adviseClaims(
      context.task.kind,
      state,
      failing.filter((id) => passed.has(id)),
    ),
  ].join("\n\n");
  return succeed({ row, text });
}

/** The base's tests and those of the run, without held-back tests. */
function knownTests({ suite }: Pick<RunContext, "suite">, { fault }: TaskState): TestKey[] {
  const { targets = [], guards = [], heldBack = [] } = fault ?? {};
  const all = [...suite.outcomes.map(({ key }) => key), ...targets, ...guards.map(({ key }) => key)];
  const hidden = new Set(heldBack.map(formatTestKey));
  const byId = new Map(all.map((key) => [formatTestKey(key), key]));
  return [...byId].flatMap(([id, key]) => (hidden.has(id) ? [] : [key]));
}

function isAsked(key: TestKey, names: readonly string[]): boolean {
  const id = formatTestKey(key);
  return names.some((name) => isNamedBy(id, name));
}

function fileOf(test: string): string {
  return test.slice(0, test.includes("::") ? test.indexOf("::") : undefined);
}

const mostNamed = 12;

function listNames(state: TaskState, outcomes: readonly TestOutcome[]): string {
  const names = withoutHeldBack(state.fault, outcomes).map(({ key }) => formatTestKey(key));
  return nameFirst(names, mostNamed) || "no test that the test command collects";
}

/** Time limit of a command in seconds. */
const seconds = 300;

/**
 * Runs a command on a set of candidates. Refuses a set with a reproduction while tests are held back, because the
 * command could print them.
 */
async function runCommand(
  context: RunContext,
  state: TaskState,
  { ids, tree }: On,
  command: string,
): Promise<Result<Ran>> {
  const isHidden = ids.some((id) => findCandidate(state, id)?.kind === "reproduction");
  if (isHidden && (state.fault?.heldBack ?? []).length > 0)
    return fail(
      "refused",
      "A command cannot run with a reproduction while tests are held back. Leave out the reproduction, or name `files` or `tests`.",
    );
  const desk = await openShellDesk(context);
  try {
    desk.change(tree);
    const done = await desk.execute(command, seconds);
    const ended = wasKilled(done) ? "was killed" : `ends with exit code ${done.exitCode ?? "unknown"}`;
    const row = rowOf(ids, { ran: `\`${command}\``, outcomes: [], told: ended, invalid: undefined });
    return succeed({ row, text: `${renderRun(row)}.\n${describeResult(done, seconds, desk.outputs)}` });
  } finally {
    await desk.close();
  }
}

/** Makes the row of a run. Its score is empty, so comparisons ignore the row. */
function rowOf(
  ids: readonly string[],
  { ran, outcomes, told, invalid }: Pick<MatrixRow, "outcomes" | "invalid"> & { ran: string; told: string },
): MatrixRow {
  return {
    candidate: nameOfSet(ids),
    ran,
    outcomes,
    targets: [],
    broken: undefined,
    invalid,
    told,
    score: [],
  };
}
