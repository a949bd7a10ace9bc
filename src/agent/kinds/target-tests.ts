/** Judges the tests that execute a task's target. */

import { countOf, wordFor } from "../../base/count.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { Predicate } from "../../domain/gate.ts";
import { formatTestKey, isFailing, type TestKey, type TestOutcome } from "../../domain/test-outcome.ts";
import type { Selection } from "../../languages/contract.ts";
import type { ActionContext, RunContext } from "../action.ts";
import { type Covered, coverLines, linesRun } from "../measure/covered-lines.ts";
import {
  executableUnits,
  isExecuted,
  listLines,
  type RunLines,
  type Unit,
} from "../measure/executable-lines.ts";
import { listRelatedTargets } from "../measure/related-tests.ts";
import { composeTree } from "../measure/run-candidate.ts";
import type { MatrixRow, TaskState } from "../state/task-state.ts";
import type { TriedMutants } from "./contract.ts";
import { findTarget, type Target } from "./target.ts";
import {
  type Asked,
  decideShare,
  describeUncovered,
  findUncovered,
  measureStrength,
} from "./target-strength.ts";
import { alwaysFails } from "./unwritten-body.ts";

export interface TargetTests {
  readonly predicate: Predicate;
  /** For the next author: lines that the tests do not execute, and faults that they do not notice. */
  readonly missing: readonly string[];
  /** True if the predicate fails, and nothing that the run can write would change this. */
  readonly isOpen?: boolean;
  readonly mutants?: TriedMutants;
}

const predicate = "tests-of-the-target-pass";

function say(holds: boolean, evidence: string, missing: readonly string[] = []): TargetTests {
  return { predicate: { predicate, holds, evidence }, missing };
}

/**
 * Minimum shares of noticed faults among the faults that build. Some faults are equivalent to the program, and no test
 * can notice them.
 */
const leastNoticed = { together: 0.5, alone: 0.8 };
/**
 * Maximum number of tried faults: with all tests (`together`), and with derived tests alone. Each fault costs a run.
 */
const mostFaults = { together: 6, alone: 12 };

/**
 * Judges the tests that execute the target: existing tests, and tests derived from the specification. All must pass,
 * execute each line of the target, and notice most mutants of these lines. Derived tests alone are never enough,
 * because the code's author wrote them. `row`: the results of all tests, including the derived ones. `target`: the
 * target in the candidate.
 */
export async function judgeTargetTests(
  context: RunContext & Pick<ActionContext, "task">,
  state: TaskState,
  candidate: Candidate,
  { row, target }: { readonly row: MatrixRow; readonly target: Target },
): Promise<TargetTests> {
  const units = (await executableUnits({ ...target, pragmas: false })) ?? [];
  const selection = await selectTests(context, target, row);
  const isNone = selection.kind === "tests" && selection.tests.length === 0;
  // Without the derived tests, so that it stays the same when more are added.
  const covered = isNone
    ? { tests: {}, because: undefined }
    : await coverLines(context, { tree: candidate.tree, selection, files: [target.file] });
  if (covered.because !== undefined)
    return say(false, `Millwright cannot measure which lines the tests execute: ${covered.because}`);
  const existing = existingTests(context, row, (id) => reaches(covered, target, units, id));
  const failing = [...existing.failing, ...row.targets.filter(({ status }) => status !== "passed")];
  const names = failing.slice(0, 3).map(({ key }) => formatTestKey(key));
  if (failing.length > 0)
    return say(
      false,
      `${countOf(failing.length, "test of the target does not pass", "tests of the target do not pass")}: ${names.join(", ")}`,
    );
  const known = new Set(context.suite.outcomes.map(({ key }) => formatTestKey(key)));
  const derived = row.targets.map(({ key }) => key).filter((key) => !known.has(formatTestKey(key)));
  const composed = await composeTree(context, state, candidate);
  if (!composed.ok) return say(false, composed.message);
  const asked = { tree: composed.value, target, units };
  const ids = new Set(existing.passing.map(({ key }) => formatTestKey(key)));
  const lines = linesRun(covered, target.file, (id) => ids.has(id));
  const tests = { existing: existing.passing, derived, lines };
  return existing.passing.length === 0
    ? judgeAlone(context, asked, tests)
    : judgeTogether(context, asked, tests);
}

/** `line 4`, or `lines 4, 7`. */
function namedLines(units: readonly Unit[]): string {
  return `${wordFor(units.length, "line")} ${listLines(units)}`;
}

interface Speaking {
  readonly existing: readonly TestOutcome[];
  readonly derived: readonly TestKey[];
  /** The lines that existing tests execute. */
  readonly lines: RunLines;
}

async function judgeTogether(context: RunContext, asked: Asked, tests: Speaking): Promise<TargetTests> {
  const { existing, derived, lines } = tests;
  const made =
    derived.length === 0
      ? "no test was derived"
      : countOf(derived.length, "derived test passes", "derived tests pass");
  const passing = `${countOf(existing.length, "existing test executes the target and passes", "existing tests execute the target and pass")}; ${made}`;
  const left = await findUncovered(context, asked, { tests: derived, known: lines });
  if (typeof left === "string")
    return say(false, `${passing}; Millwright cannot measure which lines these tests execute: ${left}`);
  if (left.length > 0)
    return say(
      false,
      `${passing}; no test executes ${namedLines(left)}: derive tests of this code from the specification`,
      describeUncovered(asked.target, left),
    );
  const strength = await measureStrength(context, asked, {
    tests: [...cheapest(existing), ...derived],
    most: mostFaults.together,
    leastShare: leastNoticed.together,
  });
  const { noticed, tried, told, missing } = strength;
  const decided = decideShare(strength, leastNoticed.together);
  const evidence = `${passing}; together these tests execute each line of the target and detect ${told} in these lines`;
  return tried === 0
    ? say(
        true,
        `${passing}; together these tests execute each line of the target, and no small fault could be inserted into these lines`,
      )
    : { predicate: { predicate, evidence, ...decided }, missing, mutants: { tried, noticed } };
}

/**
 * Judges derived tests without existing ones. The predicate never holds, but `missing` lists what better tests could
 * add.
 */
async function judgeAlone(context: RunContext, asked: Asked, { derived }: Speaking): Promise<TargetTests> {
  if (derived.length === 0)
    return say(false, "no passing test executes the target: derive tests from the specification");
  const alone = `no passing existing test executes the target, and derived tests (${derived.length}) never suffice alone`;
  const none = { executed: new Set<number>(), loaded: new Set<number>() };
  const left = await findUncovered(context, asked, { tests: derived, known: none });
  if (typeof left === "string")
    return say(false, `${alone}; Millwright cannot measure which lines the derived tests execute: ${left}`);
  if (left.length > 0)
    return say(
      false,
      `${alone}; the derived tests do not execute ${namedLines(left)}`,
      describeUncovered(asked.target, left),
    );
  const { noticed, tried, told, missing } = await measureStrength(context, asked, {
    tests: derived,
    most: mostFaults.alone,
    leastShare: leastNoticed.alone,
  });
  const isStrong = tried > 0 && noticed >= leastNoticed.alone * tried;
  const notices =
    tried === 0
      ? ", and no small fault could be inserted into these lines"
      : ` and detect ${told} in these lines`;
  return {
    ...say(false, `${alone}; the derived tests execute each line of the target${notices}`, missing),
    isOpen: isStrong || tried === 0,
  };
}

/** Limits for existing tests per fault: milliseconds on the base, and number of tests. */
const cheap = { ms: 10_000, tests: 200 };

function cheapest(existing: readonly TestOutcome[]): TestKey[] {
  let left = cheap.ms;
  const sorted = existing.toSorted((a, b) => a.durationMs - b.durationMs);
  const taken = sorted.filter(({ durationMs }, index) => {
    left -= durationMs;
    return index === 0 || left >= 0;
  });
  // In the order of the report, so that a resumed run selects the same.
  return existing
    .filter((each) => taken.includes(each))
    .slice(0, cheap.tests)
    .map(({ key }) => key);
}

function reaches(covered: Covered, { file }: Target, units: readonly Unit[], id: string): boolean {
  const { executed, loaded } = linesRun(covered, file, (other) => other === id);
  const none: ReadonlySet<number> = new Set();
  // Loaded lines belong to no test.
  return units.some(
    (unit) =>
      unit.at !== "load" && isExecuted(unit, { executed, loaded: unit.at === "both" ? loaded : none }),
  );
}

interface Existing {
  readonly passing: readonly TestOutcome[];
  readonly failing: readonly TestOutcome[];
}

function existingTests(
  { suite }: Pick<ActionContext, "suite">,
  { outcomes }: MatrixRow,
  reachesTarget: (id: string) => boolean,
): Existing {
  const bases = new Map(suite.outcomes.map((outcome) => [formatTestKey(outcome.key), outcome]));
  const own = outcomes.filter(({ key }) => {
    const id = formatTestKey(key);
    return bases.has(id) && reachesTarget(id);
  });
  return {
    passing: own.filter(({ status }) => status === "passed"),
    failing: own.filter((outcome) => failsAnew(outcome, bases)),
  };
}

/** In milliseconds. From a longer suite, only tests related to the target's file run. */
const longestSuiteMs = 90_000;
const relatedBudgetMs = 60_000;

/**
 * Selects all tests, or in a long suite those related to the target's file. If the unwritten target fails in every
 * call, selects only tests that can execute it: tests whose failure changes, and tests in files that name the target.
 */
async function selectTests(
  { suite, executor, task, workspace: { base, trees } }: RunContext & Pick<ActionContext, "task">,
  { file, symbol }: Target,
  { outcomes }: MatrixRow,
): Promise<Selection> {
  const read = async (path: string) => (await trees.read(base, path))?.toString("utf8");
  const unwritten = await findTarget(task.target, read);
  if (unwritten.ok && (await alwaysFails(unwritten.value))) {
    const name = symbol.split(/::|[.#:>]/).at(-1) ?? symbol;
    const names = (path: string): boolean => (executor.project.read(path) ?? "").includes(name);
    const named = new Map<string, boolean>();
    const after = new Map(outcomes.map((outcome) => [formatTestKey(outcome.key), outcome]));
    const isNear = (before: TestOutcome): boolean => {
      const { target } = before.key;
      if (!named.has(target)) named.set(target, names(target));
      const now = after.get(formatTestKey(before.key));
      const isChanged = isFailing(before.status) && now?.failure?.message !== before.failure?.message;
      return isChanged || named.get(target) === true;
    };
    return { kind: "tests", tests: suite.outcomes.filter(isNear).map(({ key }) => key) };
  }
  if (suite.durationMs <= longestSuiteMs) return { kind: "all" };
  const options = { known: new Set<string>(), budgetMs: relatedBudgetMs };
  const related = new Set(listRelatedTargets(suite.outcomes, new Set([file]), executor.project, options));
  const tests = suite.outcomes.filter(({ key }) => related.has(key.target));
  return { kind: "tests", tests: tests.map(({ key }) => key) };
}

/**
 * True if a test fails, and failed differently or not at all on the base. Otherwise its failure says nothing about the
 * target, unless it shows that the target still returns nothing, as the unwritten target did.
 */
export function failsAnew(outcome: TestOutcome, bases: ReadonlyMap<string, TestOutcome>): boolean {
  const { status, failure } = outcome;
  if (!isFailing(status)) return false;
  const before = bases.get(formatTestKey(outcome.key));
  if (before === undefined || before.failure?.message !== failure?.message) return true;
  return failure !== undefined && ofNothing.test(`${failure.type} ${failure.message}`);
}

/** The result of an unwritten body, or of a part of a body that is still unwritten. */
const ofNothing = /\b(?:None|null|nil|undefined|unimplemented|to\W?do|not\W?(?:yet\W?)?implemented\w*)\b/i;
