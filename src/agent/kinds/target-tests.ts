/** Which tests execute the target of a task, and what they say of it. */

import type { Candidate } from "../../domain/candidate.ts";
import type { Predicate } from "../../domain/gate.ts";
import { formatTestKey, isFailing, type TestKey, type TestOutcome } from "../../domain/test-outcome.ts";
import type { Selection } from "../../languages/contract.ts";
import { languageOf } from "../../languages/source-files.ts";
import type { ActionContext } from "../action.ts";
import { listRelatedTargets } from "../measure/related-tests.ts";
import { composeTree } from "../measure/run-candidate.ts";
import { countOf } from "../measure/written-tests.ts";
import { listMutants } from "../review/list-mutants.ts";
import { runMutants } from "../review/run-mutants.ts";
import type { MatrixRow, TaskState } from "../state/task-state.ts";
import { type Covered, coverLines, linesRun } from "./covered-lines.ts";
import { executableUnits, isExecuted, linesOf, listLines, type Unit } from "./executable-lines.ts";
import type { Target } from "./target.ts";

export interface TargetTests {
  readonly predicate: Predicate;
  /** For whoever goes on: lines and faults that the tests do not notice. */
  readonly missing: readonly string[];
}

const predicate = "tests-of-the-target-pass";

function say(holds: boolean, evidence: string, missing: readonly string[] = []): TargetTests {
  return { predicate: { predicate, holds, evidence }, missing };
}

/** `row`: of all tests, the derived ones beside them. `target`: on the candidate. */
export async function judgeTargetTests(
  context: ActionContext,
  state: TaskState,
  candidate: Candidate,
  { row, target }: { readonly row: MatrixRow; readonly target: Target },
): Promise<TargetTests> {
  const units = (await executableUnits({ ...target, pragmas: false })) ?? [];
  const selection = selectTests(context, target);
  // Without the derived tests: it is the same when more of them come.
  const covered = await coverLines(context, { tree: candidate.tree, selection, files: [target.file] });
  if (covered.because !== undefined)
    return say(false, `what the tests execute cannot be measured: ${covered.because}`);
  const existing = existingTests(context, row, (id) => reaches(covered, target, units, id));
  const failing = [...existing.failing, ...row.targets.filter(({ status }) => status !== "passed")];
  const names = failing.slice(0, 3).map(({ key }) => formatTestKey(key));
  if (failing.length > 0)
    return say(false, `${failing.length} tests of the target fail: ${names.join(", ")}`);
  const known = new Set(context.suite.outcomes.map(({ key }) => formatTestKey(key)));
  const derived = row.targets.map(({ key }) => key).filter((key) => !known.has(formatTestKey(key)));
  const made =
    derived.length === 0
      ? "no test was derived"
      : `${countOf(derived.length, "derived test passes", "derived tests pass")}`;
  if (existing.passing > 0)
    return say(
      true,
      `${countOf(existing.passing, "existing test executes the target and passes", "existing tests execute the target and pass")}; ${made}`,
    );
  if (derived.length === 0)
    return say(false, "no test executes the target: derive some from the specification");
  const composed = await composeTree(context, state, candidate);
  if (!composed.ok) return say(false, composed.message);
  return judgeDerived(context, { tree: composed.value, target, units, derived });
}

function reaches(covered: Covered, { file }: Target, units: readonly Unit[], id: string): boolean {
  const { executed, loaded } = linesRun(covered, file, (other) => other === id);
  const none: ReadonlySet<number> = new Set();
  // What is loaded is no test's own.
  return units.some(
    (unit) =>
      unit.at !== "load" && isExecuted(unit, { executed, loaded: unit.at === "both" ? loaded : none }),
  );
}

interface Existing {
  readonly passing: number;
  readonly failing: readonly TestOutcome[];
}

function existingTests(
  { suite }: ActionContext,
  { outcomes }: MatrixRow,
  reachesTarget: (id: string) => boolean,
): Existing {
  const bases = new Map(suite.outcomes.map((outcome) => [formatTestKey(outcome.key), outcome]));
  const own = outcomes.filter(({ key }) => {
    const id = formatTestKey(key);
    return bases.has(id) && reachesTarget(id);
  });
  return {
    passing: own.filter(({ status }) => status === "passed").length,
    failing: own.filter((outcome) => failsAnew(outcome, bases)),
  };
}

interface Derived {
  readonly tree: string;
  readonly target: Target;
  readonly units: readonly Unit[];
  readonly derived: readonly TestKey[];
}

const mostMutants = 12;
/** Of the mutants that could be tried; some are equal to the program, and no test can notice them. */
const leastNoticed = 0.8;

/** Where no existing test speaks for the target, derived ones have to execute each of its lines and to notice faults in them. */
async function judgeDerived(
  context: ActionContext,
  { tree, target, units, derived }: Derived,
): Promise<TargetTests> {
  const { file, text } = target;
  const alone = `no existing test executes the target, and what was derived (${countOf(derived.length, "test")}) alone speaks for it`;
  const selection = { kind: "tests" as const, tests: derived };
  const covered = await coverLines(context, { tree, selection, files: [file] });
  if (covered.because !== undefined)
    return say(false, `${alone}: what it executes cannot be measured: ${covered.because}`);
  const ids = new Set(derived.map(formatTestKey));
  const lines = linesRun(covered, file, (id) => ids.has(id));
  const left = linesOf(units.filter((unit) => !isExecuted(unit, lines)));
  if (left.length > 0)
    return say(
      false,
      `${alone}: it does not execute the lines ${listLines(left)}`,
      left.map(({ line, text: code }) => `${file}:${line} is executed by no derived test: ${code}`),
    );
  const language = languageOf(file);
  if (language === undefined) return say(false, `${alone}: no fault can be made in ${file}`);
  const own = new Set(units.flatMap((unit) => unit.own));
  const mutants = await listMutants([{ file, text, language, lines: own }], mostMutants);
  const verdicts = await runMutants(context, { tree, tests: derived, mutants });
  const surviving = mutants.filter((_, index) => verdicts[index] === "survives");
  const noticed = verdicts.filter((verdict) => verdict === "noticed").length;
  const tried = noticed + surviving.length;
  return say(
    tried > 0 && noticed >= leastNoticed * tried,
    tried === 0
      ? `${alone}: it executes each of its lines, and no small fault could be tried in them, so nothing shows that it would notice one`
      : `${alone}: it executes each of its lines and notices ${noticed} of ${tried} small faults made in them`,
    surviving.map((mutant) => `${file}:${mutant.line}: no derived test notices that ${mutant.description}`),
  );
}

/** A suite that takes longer is asked only in tests that name the target's file, in milliseconds. */
const longestSuiteMs = 90_000;
const relatedBudgetMs = 60_000;

/** All, or those that name the file. */
function selectTests({ suite, bench }: ActionContext, { file }: Target): Selection {
  if (suite.durationMs <= longestSuiteMs) return { kind: "all" };
  const options = { known: new Set<string>(), budgetMs: relatedBudgetMs };
  const related = new Set(listRelatedTargets(suite.outcomes, new Set([file]), bench.project, options));
  const tests = suite.outcomes.filter(({ key }) => related.has(key.target));
  return { kind: "tests", tests: tests.map(({ key }) => key) };
}

/** A test that failed before in the very same way says nothing of the target. */
function failsAnew(outcome: TestOutcome, bases: ReadonlyMap<string, TestOutcome>): boolean {
  if (!isFailing(outcome.status)) return false;
  const before = bases.get(formatTestKey(outcome.key));
  return before === undefined || before.failure?.message !== outcome.failure?.message;
}
