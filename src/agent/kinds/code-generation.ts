/** `code-generation`: a body for a signature and its documentation. */
import { succeed } from "../../base/result.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { Predicate } from "../../domain/gate.ts";
import { findStatus, formatTestKey, isFailing, type TestOutcome } from "../../domain/test-outcome.ts";
import type { Selection } from "../../languages/contract.ts";
import type { ActionContext } from "../action.ts";
import { listRelatedTargets } from "../related-tests.ts";
import { findRegressions } from "../repair-gate.ts";
import { composeTree, measureCandidate } from "../run-candidate.ts";
import type { MatrixRow, TaskState } from "../task-state.ts";
import type { Judgement, KindRules } from "./contract.ts";
import { coverLines, linesRun } from "./covered-lines.ts";
import { executableUnits, isExecuted, linesOf, listLines, type Unit } from "./executable-lines.ts";
import { rowFrom } from "./new-tests.ts";
import { findTarget, type Target } from "./target.ts";

export const codeGeneration: KindRules = {
  kinds: ["code-generation"],
  delivers: "code",
  parts: [
    {
      name: "patch",
      kind: "code",
      files: "code",
      guidance:
        "Write the body of the target, as its signature, its documentation and the requirements say, with what the repository already has for it. Keep the signature. Tests are not yours to change.",
    },
  ],
  isSpecified: true,
  goal: "The target has a body of its own; the tests that execute it pass, those that exist and those derived from the specification; no test that passed breaks. Derived tests never suffice alone: where no existing test executes the target, they have to execute each of its lines. It goes well in this order: find what the target is to use, and who calls it (code-retrieval); write its body (edit-code); derive tests from the specification (reproduction) and run all (execute-tests); go on from the candidate until they pass; then finish.",
  verified: "The target is written, the tests that execute it pass, and no other test breaks.",
  async measure(context, state, candidate, scope) {
    if (scope === "targets") return measureCandidate(context, state, candidate, scope);
    const { row } = await judge(context, state, candidate);
    return row === undefined ? measureCandidate(context, state, candidate, scope) : succeed(row);
  },
  judge,
};

async function judge(context: ActionContext, state: TaskState, candidate: Candidate): Promise<Judgement> {
  const written = await isWritten(context, candidate);
  const measured = await measureCandidate(context, state, candidate, "all");
  if (!measured.ok) {
    const conflict = { predicate: "tests-of-the-target-pass", holds: false, evidence: measured.message };
    return { gate: [written.predicate, conflict], row: undefined };
  }
  const row = measured.value;
  const reached = await testsOfTarget(context, state, candidate, row, written.target);
  const broken = row.broken ?? [];
  const gate = [written.predicate, reached.predicate, noTestBreaks(context, row)];
  const passing = row.targets.filter(({ status }) => status === "passed").length;
  const { outcomes, targets, invalid } = row;
  const { missing } = reached;
  const progress = passing - broken.length;
  return { gate, row: rowFrom(candidate, gate, { outcomes, targets, invalid, broken, missing, progress }) };
}

function noTestBreaks({ suite }: ActionContext, { outcomes, invalid }: MatrixRow): Predicate {
  const broken = findRegressions(suite.outcomes, outcomes);
  const passed = suite.outcomes.filter(({ status }) => status === "passed").length;
  const said =
    broken.length === 0
      ? `all ${passed} tests that passed before still pass`
      : `${broken.length} of ${passed} tests that passed before do not pass any more: ${broken.slice(0, 3).join(", ")}`;
  return {
    predicate: "no-test-breaks",
    holds: invalid === undefined && broken.length === 0,
    evidence: invalid ?? said,
  };
}

interface Written {
  readonly predicate: Predicate;
  /** On the candidate. */
  readonly target: Target | undefined;
}

async function isWritten({ task, workspace }: ActionContext, { tree }: Candidate): Promise<Written> {
  const find = (where: string) =>
    findTarget(task.target, async (path) => (await workspace.trees.read(where, path))?.toString("utf8"));
  const [before, after] = [await find(workspace.base), await find(tree)];
  const predicate = "target-is-written";
  if (!after.ok)
    return { predicate: { predicate, holds: false, evidence: after.message }, target: undefined };
  const isChanged = !before.ok || (await bodyOf(before.value)) !== (await bodyOf(after.value));
  const evidence = isChanged
    ? `the body of ${task.target} changes`
    : `the body of ${task.target} is as it was`;
  return { predicate: { predicate, holds: isChanged, evidence }, target: after.value };
}

/** What it executes: statements, without comments and documentation. */
async function bodyOf(target: Target): Promise<string> {
  const units = await executableUnits({ ...target, pragmas: false });
  const { text, spans } = target;
  const whole = (): string[] =>
    spans.map(({ startLine, endLine }) =>
      text
        .split("\n")
        .slice(startLine - 1, endLine)
        .join("\n"),
    );
  const lines = text.split("\n");
  const parts = units?.map(({ line, endLine }) => lines.slice(line - 1, endLine).join("\n")) ?? whole();
  return parts.join("\n").replaceAll(/\s+/g, " ");
}

interface Reached {
  readonly predicate: Predicate;
  readonly missing: readonly string[];
}

/** A suite that takes longer is asked only in tests that name the target's file, in milliseconds. */
const longestSuiteMs = 90_000;
const relatedBudgetMs = 60_000;

async function testsOfTarget(
  context: ActionContext,
  state: TaskState,
  candidate: Candidate,
  row: MatrixRow,
  target: Target | undefined,
): Promise<Reached> {
  const predicate = "tests-of-the-target-pass";
  const no = (evidence: string): Reached => ({
    predicate: { predicate, holds: false, evidence },
    missing: [],
  });
  if (target === undefined) return no("there is no target to be tested");
  const composed = await composeTree(context, state, candidate);
  if (!composed.ok) return no(composed.message);
  const units = (await executableUnits({ ...target, pragmas: false })) ?? [];
  const selection = selectTests(context, row, target);
  const covered = await coverLines(context, { tree: composed.value, selection, files: [target.file] });
  if (covered.because !== undefined)
    return no(`what the tests execute cannot be measured: ${covered.because}`);
  const derived = new Set((state.fault?.targets ?? []).map(formatTestKey));
  const bases = new Map(context.suite.outcomes.map((outcome) => [formatTestKey(outcome.key), outcome]));
  const reaches = (id: string): boolean => {
    const lines = linesRun(covered, target.file, (other) => other === id);
    return units.some((unit) => isExecuted(unit, lines));
  };
  const existing = row.outcomes.filter(({ key }) => {
    const id = formatTestKey(key);
    return bases.has(id) && reaches(id);
  });
  const failing = [
    ...existing.filter((outcome) => failsAnew(outcome, bases)),
    ...row.targets.filter(isNotPassed),
  ];
  const lines = linesRun(covered, target.file, (id) => derived.has(id));
  const left = linesOf(units.filter((unit) => !isExecuted(unit, lines)));
  return sumUp({ existing, derived: row.targets, failing, left, file: target.file });
}

/** All, or those that name the file, and the derived ones. */
function selectTests({ suite, bench }: ActionContext, row: MatrixRow, { file }: Target): Selection {
  if (suite.durationMs <= longestSuiteMs) return { kind: "all" };
  const options = { known: new Set<string>(), budgetMs: relatedBudgetMs };
  const related = new Set(listRelatedTargets(suite.outcomes, new Set([file]), bench.project, options));
  const tests = row.outcomes.filter(({ key }) => related.has(key.target)).map(({ key }) => key);
  return { kind: "tests", tests: [...tests, ...row.targets.map(({ key }) => key)] };
}

function isNotPassed({ status }: TestOutcome): boolean {
  return status !== "passed";
}

/** A test that failed before in the very same way says nothing of the target. */
function failsAnew(outcome: TestOutcome, bases: ReadonlyMap<string, TestOutcome>): boolean {
  if (!isFailing(outcome.status)) return false;
  const before = bases.get(formatTestKey(outcome.key));
  return before === undefined || before.failure?.message !== outcome.failure?.message;
}

interface Sum {
  readonly existing: readonly TestOutcome[];
  readonly derived: readonly TestOutcome[];
  readonly failing: readonly TestOutcome[];
  /** That no derived test executes. */
  readonly left: readonly Unit[];
  readonly file: string;
}

function sumUp({ existing, derived, failing, left, file }: Sum): Reached {
  const predicate = "tests-of-the-target-pass";
  const names = failing.slice(0, 3).map(({ key }) => formatTestKey(key));
  const passed = existing.filter(({ key }) => findStatus(existing, key) === "passed").length;
  const own = `${passed} existing tests execute the target and pass`;
  const made = derived.length === 0 ? "no test was derived" : `${derived.length} derived tests`;
  const missing = left.map(({ line, text }) => `${file}:${line} is executed by no derived test: ${text}`);
  const say = (holds: boolean, evidence: string): Reached => ({
    predicate: { predicate, holds, evidence },
    missing: passed > 0 ? [] : missing,
  });
  if (failing.length > 0)
    return say(false, `${failing.length} tests of the target fail: ${names.join(", ")}`);
  if (passed > 0) return say(true, `${own}; ${made}`);
  if (derived.length === 0)
    return say(false, "no test executes the target: derive some from the specification");
  if (left.length > 0)
    return say(
      false,
      `no existing test executes the target, and the ${made} alone do not execute the lines ${listLines(left)}`,
    );
  return say(
    true,
    `no existing test executes the target: the ${made}, which execute each of its lines, alone speak for it`,
  );
}
